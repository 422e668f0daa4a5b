import * as board from '@wardline/contract/census-board.ts';
import * as day from '@wardline/contract/census-day.ts';
import { acknowledgeAlert } from '#/features/census/alerts/acknowledge-alert.ts';
import { getCensusAlert } from '#/features/census/alerts/get-census-alert.ts';
import { remindUnit } from '#/features/census/alerts/remind-unit.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getFacilityDay } from './get-facility-day.ts';
import { lockFacilityDay } from './lock-facility-day.ts';
import { reopenFacilityDay } from './reopen-facility-day.ts';
import { signFacilityDay } from './sign-facility-day.ts';

export function dayRoutes(deps: CensusDeps): Route[] {
  return [
    route(day.getFacilityDay, getFacilityDay),
    route(day.signFacilityDay, signFacilityDay(deps)),
    route(day.lockFacilityDay, lockFacilityDay),
    route(day.reopenFacilityDay, reopenFacilityDay),
    route(board.remindUnit, remindUnit(deps)),
    route(board.getCensusAlert, getCensusAlert),
    route(board.acknowledgeAlert, acknowledgeAlert(deps)),
  ];
}
