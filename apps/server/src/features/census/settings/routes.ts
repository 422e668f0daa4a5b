import * as contract from '@wardline/contract/census-settings.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getCensusSettings } from './get-census-settings.ts';
import { updateCensusSettings } from './update-census-settings.ts';
import { updateCensusUnit } from './update-census-unit.ts';

export function settingsRoutes(deps: CensusDeps): Route[] {
  return [
    route(contract.getCensusSettings, getCensusSettings),
    route(contract.updateCensusSettings, updateCensusSettings(deps)),
    route(contract.updateCensusUnit, updateCensusUnit),
  ];
}
