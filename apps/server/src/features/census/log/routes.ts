import * as contract from '@wardline/contract/census/logs.ts';
import { createGate } from '#/platform/http/concurrency-gate.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { exportCensusLog } from './export-census-log.ts';
import { listCensusLog } from './list-census-log.ts';
import { notePrint } from './note-print.ts';
import { verifyCensusLog } from './verify-census-log.ts';

export function logRoutes(): Route[] {
  return [
    route(contract.listCensusLog, listCensusLog),
    route(contract.verifyCensusLog, verifyCensusLog(createGate({ atOnce: 1, waiting: 4 }))),
    route(contract.exportCensusLog, exportCensusLog),
    route(contract.notePrint, notePrint),
  ];
}
