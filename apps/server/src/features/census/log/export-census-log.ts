import { formatUnreadable, logSentence, sentenceText } from '@wardline/census/log/log-sentences.ts';
import type * as contract from '@wardline/contract/census/logs.ts';
import { appendLog, canonicalJson } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { type Cell, csvLine } from '#/platform/files/csv.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import { toLogEntry } from './log-entry.ts';
import { toLogFilter, writtenFilter } from './log-filter.ts';
import { findNextEntries, type LogFilter, type ReadLogRow } from './log-read-queries.ts';
import { type LogContext, maySeeAddresses, requireLog } from './require-log.ts';
import { hasText } from './search-log.ts';
import { findHead } from './verification-queries.ts';

type Endpoint = typeof contract.exportCensusLog;
type Format = 'csv' | 'jsonl';

const AT_ONCE = 1_000;

/** The filtered log as a file with its hashes, the oldest first, read as it is sent. The log keeps that it was taken. */
export async function exportCensusLog(
  ctx: LogContext,
  { params, query }: Pick<InputOf<Endpoint>, 'params' | 'query'>,
): Promise<Download> {
  const place = await requireLog(ctx, params.facility, 'log.export');
  const { format, ...given } = query;
  const filter = toLogFilter(given);
  const head = await findHead(ctx.db, place.facility_no);
  await noteExport(ctx, place, { format, head_seq: head.seq, ...writtenFilter(given) });
  const withAddresses = maySeeAddresses(ctx.actor, params.facility);
  const pages = entriesOf(ctx, { facilityNo: place.facility_no, filter, upTo: head.seq });
  return {
    fileName: fileName(place, { ...given, format, head: head.seq }),
    contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    body: format === 'csv' ? csvOf(pages, withAddresses) : jsonLinesOf(pages, withAddresses),
  };
}

/** Written before the first byte leaves: a file that somebody has is one that the log knows of. */
async function noteExport(ctx: LogContext, place: FacilityConfig, after: Record<string, unknown>): Promise<void> {
  const { facility_no: facilityNo, facility_id: facilityId } = place;
  const author = authorOf(ctx, facilityId);
  await ctx.write('census.log.export', async (tx) => {
    await appendLog(tx, { facilityNo, author, entries: [{ action: 'log.export', after }] });
    return { result: undefined, audit: { facilityId, objectType: 'census_log' } };
  });
}

function fileName(
  { facility_code }: FacilityConfig,
  { from, to, format, head }: { from?: string | undefined; to?: string | undefined; format: Format; head: number },
): string {
  const range = from === undefined && to === undefined ? `1-${head}` : `${from ?? 'begin'}-${to ?? 'end'}`;
  return `census-log-${facility_code}-${range}.${format}`;
}

async function* entriesOf(
  { db }: LogContext,
  { facilityNo, filter, upTo }: { facilityNo: number; filter: LogFilter; upTo: number },
): AsyncGenerator<ReadLogRow[]> {
  let after = 0;
  while (after < upTo) {
    const rows = await findNextEntries(db, { facilityNo, filter, after, upTo, limit: AT_ONCE });
    const found = rows.filter((row) => hasText(row, filter.text));
    if (found.length > 0) yield found;
    after = rows.at(-1)?.seq ?? upTo;
  }
}

const COLUMNS = [
  'seq',
  'at',
  'sentence',
  'actor_id',
  'actor_name',
  'actor_title',
  'action',
  'outcome',
  'unit_id',
  'unit_code',
  'census_date',
  'population',
  'before',
  'after',
  'after_approval',
  'reason_code',
  'reason',
  'source',
  'device_time',
  'request_id',
  'app_version',
  'ip',
  'redacted_at',
  'prev_hash',
  'hash',
] as const;

async function* csvOf(pages: AsyncIterable<ReadLogRow[]>, withAddresses: boolean): AsyncGenerator<string> {
  // A byte order mark: without one a spreadsheet reads the names wrong.
  yield `\uFEFF${csvLine(COLUMNS)}`;
  for await (const rows of pages) yield rows.map((row) => csvLine(cellsOf(row, withAddresses))).join('');
}

/** What is known of an entry beside its text, which was removed, or changed past the server. */
const BESIDE_TEXT: ReadonlySet<string> = new Set([
  'seq',
  'at',
  'sentence',
  'action',
  'census_date',
  'redacted_at',
  'prev_hash',
  'hash',
] satisfies (typeof COLUMNS)[number][]);

function cellsOf(row: ReadLogRow, withAddresses: boolean): Cell[] {
  const entry = toLogEntry(row, { withAddresses });
  const sentence = entry.is_readable ? sentenceText(logSentence(entry)) : formatUnreadable(entry.seq);
  const columns = { ...entry, sentence };
  const hasText = entry.is_readable && entry.redacted_at === null;
  return COLUMNS.map((column) => (hasText || BESIDE_TEXT.has(column) ? cellOf(columns[column]) : null));
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  return typeof value === 'boolean' ? String(value) : canonicalJson(value);
}

async function* jsonLinesOf(pages: AsyncIterable<ReadLogRow[]>, withAddresses: boolean): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(lineOf(row, withAddresses))}\n`).join('');
}

/**
 * `entry` exactly as it was hashed, so that anybody can hash it again; without addresses it says that it is not, and where its
 * text was removed, when.
 */
function lineOf({ seq, entry, prev_hash, hash, redacted_at }: ReadLogRow, withAddresses: boolean) {
  const chain = { seq, redacted_at, prev_hash: prev_hash.toString('hex'), hash: hash.toString('hex') };
  if (withAddresses || redacted_at !== null) return { ...chain, entry };
  return { ...chain, lacks_addresses: true, entry: withoutAddresses(entry) };
}

function withoutAddresses(entry: string): string | null {
  try {
    return canonicalJson({ ...JSON.parse(entry), ip: null, device: null });
  } catch {
    return null;
  }
}
