import * as contract from '@wardline/contract/census/nursing.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getNursingHours } from './get-nursing-hours.ts';
import { listNursingHours } from './list-nursing-hours.ts';
import { putNursingHours } from './put-nursing-hours.ts';

export function nursingRoutes(): Route[] {
  return [
    route(contract.getNursingHours, getNursingHours),
    route(contract.putNursingHours, putNursingHours),
    route(contract.listNursingHours, listNursingHours),
  ];
}
