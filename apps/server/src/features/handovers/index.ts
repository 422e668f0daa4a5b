// Hand-overs of a patient from one person to the next: a sheet drafted from the chat, signed by both. Who reads the chat reads them.
import * as contract from '@wardline/contract/examinations/handovers.ts';
import { type Route, route } from '#/platform/http/route.ts';
import type { HandoverDeps } from './core/deps.ts';
import { correctHandover } from './correct-handover.ts';
import { exportHandover } from './export-handover.ts';
import { giveHandover } from './give-handover.ts';
import { listUnitHandovers, noteHandoverListPrint } from './list-unit-handovers.ts';
import { listWaitingHandovers } from './list-waiting.ts';
import { moveHandover } from './move-handover.ts';
import { getHandover, listHandoverSuggestions, listHandovers, noteHandoverPrint } from './read-handovers.ts';
import { setHandoverAction } from './set-action.ts';

export interface HandoversFeature {
  readonly routes: readonly Route[];
}

export function handoversFeature(deps: HandoverDeps): HandoversFeature {
  return {
    routes: [
      route(contract.listHandoverSuggestions, listHandoverSuggestions(deps)),
      route(contract.giveHandover, giveHandover(deps), { limit: 'opening' }),
      route(contract.listHandovers, listHandovers(deps)),
      route(contract.listWaitingHandovers, listWaitingHandovers),
      route(contract.getHandover, getHandover(deps)),
      route(contract.moveHandover, moveHandover(deps)),
      route(contract.correctHandover, correctHandover(deps), { limit: 'opening' }),
      route(contract.setHandoverAction, setHandoverAction(deps)),
      route(contract.noteHandoverPrint, noteHandoverPrint(deps)),
      route(contract.exportHandover, exportHandover(deps)),
      route(contract.listUnitHandovers, listUnitHandovers(deps)),
      route(contract.noteHandoverListPrint, noteHandoverListPrint(deps)),
    ],
  };
}
