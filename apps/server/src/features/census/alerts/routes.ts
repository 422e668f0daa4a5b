import * as board from '@wardline/contract/census/board.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { acknowledgeAlert } from './acknowledge-alert.ts';
import { getCensusAlert } from './get-census-alert.ts';
import { remindUnit } from './remind-unit.ts';

export function alertRoutes(deps: CensusDeps): Route[] {
  return [
    route(board.remindUnit, remindUnit(deps)),
    route(board.getCensusAlert, getCensusAlert),
    route(board.acknowledgeAlert, acknowledgeAlert(deps)),
  ];
}
