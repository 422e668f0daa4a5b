import * as board from '@wardline/contract/census/board.ts';
import { getCensusSummary as summary } from '@wardline/contract/census/summary.ts';
import { listOwedReports as owed, listReportsToApprove as toApprove } from '@wardline/contract/census/unit.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getCensusBoard } from './get-census-board.ts';
import { getCensusForecast } from './get-census-forecast.ts';
import { getCensusHeatmap } from './get-census-heatmap.ts';
import { getCensusSummary } from './get-census-summary.ts';
import { listOwedReports } from './list-owed-reports.ts';
import { listReportsToApprove } from './list-reports-to-approve.ts';

export function boardRoutes(): Route[] {
  return [
    route(owed, listOwedReports),
    route(toApprove, listReportsToApprove),
    route(board.getCensusBoard, getCensusBoard),
    route(board.getCensusHeatmap, getCensusHeatmap),
    route(summary, getCensusSummary),
    route(board.getCensusForecast, getCensusForecast),
  ];
}
