import * as contract from '@wardline/contract/census/settings.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { fileRoute, type Route, route } from '#/platform/http/route.ts';
import { createCensusUnit } from './create-census-unit.ts';
import { deleteCensusUnit } from './delete-census-unit.ts';
import { getCensusSettings } from './get-census-settings.ts';
import { importUnits } from './import-units.ts';
import { orderCensusUnits } from './order-census-units.ts';
import { updateCensusSettings } from './update-census-settings.ts';
import { updateCensusUnit } from './update-census-unit.ts';

export function settingsRoutes(deps: CensusDeps): Route[] {
  return [
    route(contract.getCensusSettings, getCensusSettings),
    route(contract.updateCensusSettings, updateCensusSettings(deps)),
    route(contract.createCensusUnit, createCensusUnit),
    route(contract.orderCensusUnits, orderCensusUnits),
    fileRoute(contract.importUnits, importUnits),
    route(contract.updateCensusUnit, updateCensusUnit),
    route(contract.deleteCensusUnit, deleteCensusUnit),
  ];
}
