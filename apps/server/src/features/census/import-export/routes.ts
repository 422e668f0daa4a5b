import * as contract from '@wardline/contract/census/exchange.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { fileRoute, type Route, route } from '#/platform/http/route.ts';
import { exportCensus } from './export-census.ts';
import type { FileReader } from './file-reader.ts';
import { importCensus } from './import-census.ts';

export function importExportRoutes(deps: CensusDeps, files: FileReader): Route[] {
  return [route(contract.exportCensus, exportCensus), fileRoute(contract.importCensus, importCensus(deps, files))];
}
