import * as contract from '@wardline/contract/census/feed.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { fileRoute, type Route, route } from '#/platform/http/route.ts';
import { acceptUnknownStay } from './accept-unknown-stay.ts';
import { dismissUnknownStay } from './dismiss-unknown-stay.ts';
import { forgetCensusFeed } from './forget-census-feed.ts';
import { getCensusFeed } from './get-census-feed.ts';
import { importStays } from './import-stays.ts';
import { listRefusedMessages } from './list-refused-messages.ts';
import { listUnknownStays } from './list-unknown-stays.ts';
import { retryRefusedMessage } from './retry-refused-message.ts';
import { startCensusFeed } from './start-census-feed.ts';
import { stopCensusFeed } from './stop-census-feed.ts';

export function feedSetupRoutes({
  feedSecret,
  receiveResults,
}: Pick<CensusDeps, 'feedSecret' | 'receiveResults'>): Route[] {
  return [
    route(contract.getCensusFeed, getCensusFeed),
    route(contract.startCensusFeed, startCensusFeed),
    route(contract.stopCensusFeed, stopCensusFeed),
    route(contract.forgetCensusFeed, forgetCensusFeed),
    fileRoute(contract.importStays, importStays(feedSecret)),
    route(contract.listRefusedMessages, listRefusedMessages),
    route(contract.retryRefusedMessage, retryRefusedMessage({ feedSecret, receiveResults })),
    route(contract.listUnknownStays, listUnknownStays),
    route(contract.acceptUnknownStay, acceptUnknownStay(feedSecret)),
    route(contract.dismissUnknownStay, dismissUnknownStay),
  ];
}
