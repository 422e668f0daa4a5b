import { formatUnreadable, logSentence, sentenceText } from '@wardline/census/log/log-sentences.ts';
import { formatDay } from '@wardline/format/dates.ts';
import type { Database } from '#/platform/db/database.ts';
import { toLogEntry } from './log-entry.ts';
import { findLogRows, LONGEST_SCAN, type LogPage, type ReadLogRow } from './log-read-queries.ts';

const AT_ONCE = 500;

/** A page of the log, the newest first. Where words are searched for, the newest LONGEST_SCAN entries are looked at. */
export async function findLogPage(db: Database, page: LogPage): Promise<ReadLogRow[]> {
  const { filter, limit } = page;
  if (filter.text.length === 0) return findLogRows(db, page);
  const found: ReadLogRow[] = [];
  let before = page.before;
  for (let seen = 0; seen < LONGEST_SCAN && found.length < limit; ) {
    const most = Math.min(AT_ONCE, LONGEST_SCAN - seen);
    const rows = await findLogRows(db, { ...page, before, limit: most });
    found.push(...rows.filter((row) => hasText(row, filter.text)));
    seen += rows.length;
    before = rows.at(-1)?.seq ?? 0;
    if (rows.length < most) break;
  }
  return found.slice(0, limit);
}

/** True where every word stands in what the page shows of the entry, in any case. */
export function hasText(row: ReadLogRow, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const shown = shownText(row).toLowerCase();
  return terms.every((word) => shown.includes(word.toLowerCase()));
}

/**
 * The sentence of an entry with its marks, and what unfolds under it; '_' is a space. Never the whole text: an address could be
 * guessed from what a search finds.
 */
function shownText(row: ReadLogRow): string {
  const entry = toLogEntry(row, { withAddresses: false });
  if (!entry.is_readable) return formatUnreadable(entry.seq);
  const { actor_name, actor_title, unit_code, action, outcome, reason_code, reason, before, after } = entry;
  const marks = [
    ...(outcome === 'refused' ? ['Refused'] : []),
    ...(action === 'unit_day.restate' ? ['Restated'] : []),
    ...(entry.after_approval ? ['After approval'] : []),
  ];
  const parts = [
    ...[sentenceText(logSentence(entry, sayDate)), ...marks, actor_name, actor_title, unit_code, row.unit_name],
    ...[action, outcome, reason_code, reason, JSON.stringify(before), JSON.stringify(after)],
  ];
  return parts.join(' ').replaceAll('_', ' ');
}

/** In either order, with the year that the page says of other years only: words are looked for each by itself. */
const sayDate = (date: string): string => `${formatDay(date, 'dmy')} ${formatDay(date, 'mdy')} ${date}`;
