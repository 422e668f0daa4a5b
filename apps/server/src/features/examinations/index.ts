// Structured examinations beside a chat: drafted, requested, recorded, signed and amended. Who reads the chat reads them.
import type { Database } from '#/platform/db/database.ts';
import type { Route } from '#/platform/http/route.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import type { LiveRule } from '#/platform/realtime/channels/channel-rule.ts';
import { citeFindings } from './core/cited-findings.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { listExaminationSuggestions } from './core/handover-suggestions.ts';
import { liveFields } from './core/live-fields.ts';
import { ownData } from './core/own-data.ts';
import { listSignedReports } from './core/report-queries.ts';
import { emptyOldResults } from './laboratory/feed-queries.ts';
import { type ReceiveResults, receiveResults } from './laboratory/receive-results.ts';
import { examinationRoutes } from './routes.ts';

export interface ExaminationsFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
  readonly live: readonly LiveRule[];
  /** For the feed: takes a message of the laboratory. */
  readonly receiveResults: ReceiveResults;
  purge(): Promise<void>;
}

export function examinationsFeature(deps: ExaminationDeps & { readonly db: Database }): ExaminationsFeature {
  return {
    routes: examinationRoutes(deps),
    ownData,
    live: [liveFields(deps)],
    receiveResults: receiveResults(deps),
    purge: () => emptyOldResults(deps.db, new Date()),
  };
}

/** For messages: what findings of a chat say; for the record: its signed reports; for hand-overs: what its examinations say. */
export { citeFindings, listExaminationSuggestions, listSignedReports };
