import type * as contract from '@wardline/contract/census/logs.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { toLogEntry } from './log-entry.ts';
import { type GivenFilter, toLogFilter, writtenFilter } from './log-filter.ts';
import { findScanEnd } from './log-read-queries.ts';
import { noteOnce } from './note-once.ts';
import { type LogContext, maySeeAddresses, requireLog } from './require-log.ts';
import { findLogPage } from './search-log.ts';

type Endpoint = typeof contract.listCensusLog;

/** A page of the log. That it was read is in the log too, once for each person and filter in ten minutes. */
export async function listCensusLog(
  ctx: LogContext,
  { params, query }: Pick<InputOf<Endpoint>, 'params' | 'query'>,
): Promise<ReplyOf<Endpoint>> {
  const place = await requireLog(ctx, params.facility, 'log.view');
  const { cursor, limit = 50, ...given } = query;
  const filter = toLogFilter(given);
  const page = {
    facilityNo: place.facility_no,
    filter,
    before: cursor === undefined ? Number.MAX_SAFE_INTEGER : placeOf(cursor),
  };
  const rows = await findLogPage(ctx.db, { ...page, userId: ctx.actor.userId, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.seq ?? null) : await endOfSearch(ctx, page);
  await noteView(ctx, place, given);
  const withAddresses = maySeeAddresses(ctx.actor, params.facility);
  return {
    data: shown.map((row) => toLogEntry(row, { withAddresses })),
    next_cursor: next === null ? null : String(next),
  };
}

/** A search that looked at as much as it may goes on from there, even where it found nothing. */
async function endOfSearch(ctx: LogContext, page: Parameters<typeof findScanEnd>[1]): Promise<number | null> {
  return page.filter.text.length === 0 ? null : findScanEnd(ctx.db, page);
}

async function noteView(ctx: LogContext, place: Parameters<typeof noteOnce>[1], given: GivenFilter): Promise<void> {
  await noteOnce(ctx, place, { action: 'log.view', after: writtenFilter(given) });
}

function placeOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw wrongCursor();
  return Number(cursor);
}
