import * as contract from '@wardline/contract/census/unit.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { amendUnitDay } from './amend-unit-day.ts';
import { approveUnitDay } from './approve-unit-day.ts';
import { estimateUnitDay } from './estimate-unit-day.ts';
import { getUnitDay } from './get-unit-day.ts';
import { putUnitDay } from './put-unit-day.ts';
import { returnUnitDay } from './return-unit-day.ts';
import { submitUnitDay } from './submit-unit-day.ts';
import { takeSnapshot } from './take-snapshot.ts';
import { withdrawEstimate } from './withdraw-estimate.ts';
import { withdrawUnitDay } from './withdraw-unit-day.ts';

export function reportRoutes(deps: CensusDeps): Route[] {
  return [
    route(contract.getUnitDay, getUnitDay),
    route(contract.putUnitDay, putUnitDay(deps)),
    route(contract.submitUnitDay, submitUnitDay(deps)),
    route(contract.withdrawUnitDay, withdrawUnitDay(deps)),
    route(contract.returnUnitDay, returnUnitDay(deps)),
    route(contract.approveUnitDay, approveUnitDay(deps)),
    route(contract.amendUnitDay, amendUnitDay(deps)),
    route(contract.estimateUnitDay, estimateUnitDay(deps)),
    route(contract.withdrawEstimate, withdrawEstimate(deps)),
    route(contract.takeSnapshot, takeSnapshot),
  ];
}
