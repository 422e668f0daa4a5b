import * as contract from '@wardline/contract/census-facility.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getCensusBoard } from './get-census-board.ts';
import { getCensusForecast } from './get-census-forecast.ts';
import { getCensusHeatmap } from './get-census-heatmap.ts';
import { getCensusSummary } from './get-census-summary.ts';

export function readRoutes(): Route[] {
  return [
    route(contract.getCensusBoard, getCensusBoard),
    route(contract.getCensusHeatmap, getCensusHeatmap),
    route(contract.getCensusSummary, getCensusSummary),
    route(contract.getCensusForecast, getCensusForecast),
  ];
}
