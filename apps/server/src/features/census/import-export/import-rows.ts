import type { importCensus } from '@wardline/contract/census/exchange.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { CellProblem, FileLine } from './read-unit-day-file.ts';

type Reply = ReplyOf<typeof importCensus>;
export type Row = Reply['rows'][number];

const MOST_ROWS = 500;

/** What refused a line; what is no refusal is thrown again. */
export function problemsOf(error: unknown): CellProblem[] {
  if (!(error instanceof AppError)) throw error;
  if (!error.findings) return [{ column: null, code: error.code, message: error.message }];
  return error.findings.map(({ code, field, message }) => ({ column: columnOf(field), code, message }));
}

/** What a rule calls otherwise than the file does. */
const COLUMNS: Readonly<Record<string, string>> = { seed: 'opening', date: 'census_date' };

function columnOf(field: string | null): string | null {
  return field === null ? null : (COLUMNS[field] ?? field);
}

export function rowOf(
  { line, unit_code, census_date, population }: FileLine,
  outcome: Row['outcome'],
  problems: readonly CellProblem[],
): Row {
  return { line, unit_code, census_date, population, outcome, problems: [...problems] };
}

export function countsOf(rows: readonly Row[]): Reply['counts'] {
  const counts = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

export function replyOf(rows: readonly Row[], file_hash: string, is_applied: boolean): Reply {
  const isRefused = ({ outcome }: Row) => Number(outcome === 'refused');
  const shown = [...rows].sort((a, b) => isRefused(b) - isRefused(a) || a.line - b.line).slice(0, MOST_ROWS);
  return { is_applied, file_hash, counts: countsOf(rows), rows: shown };
}

/** Who cancels an import hangs up: the transaction is taken back, so that the file leaves no trace. */
export function giveUpIfGone({ http }: RequestContext): void {
  if (http.isGone()) throw new AppError('bad_request', { message: 'The import was cancelled. Nothing was stored.' });
}
