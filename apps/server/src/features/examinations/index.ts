// Structured examinations beside a chat: drafted, requested, recorded, signed and amended. Who reads the chat reads them.
import type { Route } from '#/platform/http/route.ts';
import { citeFindings } from './core/cited-findings.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { listExaminationSuggestions } from './core/handover-suggestions.ts';
import { examinationRoutes } from './routes.ts';

export interface ExaminationsFeature {
  readonly routes: readonly Route[];
}

export function examinationsFeature(deps: ExaminationDeps): ExaminationsFeature {
  return { routes: examinationRoutes(deps) };
}

/** For messages: what findings of a chat say. */
/** For hand-overs: what the examinations of a chat say. */
export { citeFindings, listExaminationSuggestions };
