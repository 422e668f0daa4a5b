// Structured examinations beside a chat: drafted, requested, recorded, signed and amended. Who reads the chat reads them.
import type { Route } from '#/platform/http/route.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import type { LiveRule } from '#/platform/realtime/channels/channel-rule.ts';
import { citeFindings } from './core/cited-findings.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { listExaminationSuggestions } from './core/handover-suggestions.ts';
import { liveFields } from './core/live-fields.ts';
import { ownData } from './core/own-data.ts';
import { listSignedReports } from './core/report-queries.ts';
import { examinationRoutes } from './routes.ts';

export interface ExaminationsFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
  readonly live: readonly LiveRule[];
}

export function examinationsFeature(deps: ExaminationDeps): ExaminationsFeature {
  return { routes: examinationRoutes(deps), ownData, live: [liveFields(deps)] };
}

/** For messages: what findings of a chat say; for the record: its signed reports; for hand-overs: what its examinations say. */
export { citeFindings, listExaminationSuggestions, listSignedReports };
