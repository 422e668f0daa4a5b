import * as contract from '@wardline/contract/census-facility.ts';
import { type Route, route } from '#/platform/http/route.ts';
import type { CensusDeps } from '../deps.ts';
import { acknowledgeAlert } from './acknowledge-alert.ts';
import { getCensusAlert } from './get-census-alert.ts';
import { getFacilityDay } from './get-facility-day.ts';
import { lockFacilityDay } from './lock-facility-day.ts';
import { remindUnit } from './remind-unit.ts';
import { reopenFacilityDay } from './reopen-facility-day.ts';
import { signFacilityDay } from './sign-facility-day.ts';

export function dayRoutes(deps: CensusDeps): Route[] {
  return [
    route(contract.getFacilityDay, getFacilityDay),
    route(contract.signFacilityDay, signFacilityDay(deps)),
    route(contract.lockFacilityDay, lockFacilityDay),
    route(contract.reopenFacilityDay, reopenFacilityDay),
    route(contract.remindUnit, remindUnit(deps)),
    route(contract.getCensusAlert, getCensusAlert),
    route(contract.acknowledgeAlert, acknowledgeAlert(deps)),
  ];
}
