import { receiveHl7 as receiveHl7Endpoint } from '@wardline/contract/census/exchange.ts';
import * as contract from '@wardline/contract/census/proposals.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { dismissProposal } from './dismiss-proposal.ts';
import { listProposals } from './list-proposals.ts';
import { receiveHl7 } from './receive-hl7.ts';

export function hl7Routes(deps: Pick<CensusDeps, 'feedSecret' | 'receiveResults'>): Route[] {
  return [
    route(receiveHl7Endpoint, receiveHl7(deps), { limit: 'feed' }),
    route(contract.listProposals, listProposals),
    route(contract.dismissProposal, dismissProposal),
  ];
}
