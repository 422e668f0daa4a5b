import * as day from '@wardline/contract/census/day.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getFacilityDay } from './get-facility-day.ts';
import { getSignedDay } from './get-signed-day.ts';
import { lockFacilityDay } from './lock-facility-day.ts';
import { reopenFacilityDay } from './reopen-facility-day.ts';
import { signFacilityDay } from './sign-facility-day.ts';

export function dayRoutes(): Route[] {
  return [
    route(day.getFacilityDay, getFacilityDay),
    route(day.getSignedDay, getSignedDay),
    route(day.signFacilityDay, signFacilityDay),
    route(day.lockFacilityDay, lockFacilityDay),
    route(day.reopenFacilityDay, reopenFacilityDay),
  ];
}
