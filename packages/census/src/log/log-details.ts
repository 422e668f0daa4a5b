import { CENSUS_ACTIONS } from '@wardline/contract/census/logs.ts';
import { formatCount as formatWhole } from '@wardline/format/counts.ts';
import { formatRange as formatDates, formatMonth as formatMonthName } from '@wardline/format/periods.ts';
import { actionLabel } from './log-labels.ts';

/** How a calendar date is said, with its weekday. */
export type SayDate = (date: string) => string;

/** What the entries of the actions tell after the act, as far as sentences use it; any of it may be absent. */
export interface Said {
  readonly message?: unknown;
  readonly entries?: unknown;
  readonly years?: unknown;
  readonly new?: unknown;
  readonly changed?: unknown;
  readonly unit_days?: unknown;
  readonly file?: unknown;
  readonly kind?: unknown;
  readonly format?: unknown;
  readonly event?: unknown;
  readonly closing?: unknown;
  readonly counted?: unknown;
  readonly confirmed?: unknown;
  readonly estimate?: unknown;
  readonly present?: unknown;
  readonly is_on_time?: unknown;
  readonly restatement_no?: unknown;
  readonly occupied?: unknown;
  readonly month?: unknown;
  readonly blocked?: unknown;
  readonly units_submitted?: unknown;
  readonly units_expected?: unknown;
  readonly transfer_gap?: unknown;
  readonly status?: unknown;
  readonly broken_at?: unknown;
  readonly changed_day?: unknown;
  readonly differences?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly unit?: unknown;
  readonly actor?: unknown;
  readonly action?: unknown;
  readonly after_approval?: unknown;
  readonly with_reason?: unknown;
  readonly q?: unknown;
}

/** 'Tue 17 Nov to Fri 20 Nov', as far as the ends are given. */
export function formatRange({ from, to }: Said, sayDate: SayDate): string {
  const [first, last] = [from, to].map((date) => (typeof date === 'string' ? sayDate(date) : null));
  if (first && last) return formatDates(first, last, (said) => said);
  if (first) return `from ${first}`;
  return last ? `up to ${last}` : '';
}

/** 'October 2026', of '2026-10'; nothing of anything else. */
export function formatMonth(month: unknown): string {
  return typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? formatMonthName(month) : '';
}

/** What a log was narrowed to. */
export function formatFilter(after: Said, sayDate: SayDate): string {
  const text = [
    formatRange(after, sayDate),
    typeof after.unit === 'string' ? 'one unit' : '',
    typeof after.actor === 'string' ? 'one person' : '',
    typeof after.action === 'string' ? `only “${formatAction(after.action)}”` : '',
    after.after_approval === true ? 'after approval only' : '',
    after.with_reason === true ? 'with a reason' : '',
    typeof after.q === 'string' && after.q !== '' ? `“${after.q}”` : '',
  ].filter((word) => word !== '');
  return text.length === 0 ? '' : `: ${text.join(', ')}`;
}

function formatAction(code: string): string {
  const action = CENSUS_ACTIONS.find((known) => known === code);
  return action === undefined ? code.replaceAll(/[._]/g, ' ') : actionLabel(action);
}

/** ' as CSV'. */
export function formatFileFormat({ format }: Said): string {
  if (typeof format !== 'string') return '';
  return ` as ${format === 'jsonl' ? 'JSON lines' : format.toUpperCase()}`;
}

/** ', 312 entries', or nothing. */
export function formatCount(count: unknown, [one, many]: readonly [string, string]): string {
  return typeof count === 'number' ? `, ${formatWhole(count)} ${count === 1 ? one : many}` : '';
}

/** ': 3 new, 1 changed', as far as it is told. */
export function formatImport({ new: added, changed }: Said): string {
  const text = [
    ...(typeof added === 'number' ? [`${formatWhole(added)} new`] : []),
    ...(typeof changed === 'number' ? [`${formatWhole(changed)} changed`] : []),
  ];
  return text.length === 0 ? '' : `: ${text.join(', ')}`;
}

/** A sentence that goes on in another. */
export function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}
