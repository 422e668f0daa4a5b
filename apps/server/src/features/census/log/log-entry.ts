import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import { CENSUS_ACTIONS, LogEntry } from '@wardline/contract/census/logs.ts';
import * as z from 'zod/mini';
import type { ReadLogRow } from './log-read-queries.ts';

const Action = z.enum(CENSUS_ACTIONS);

/** What the first entries did not say yet. */
const SINCE_LATER = { app_version: null };

const Tombstone = z.object({ redacted_after_years: z.int() });

/** An entry as it is given out. `ip` stays null for those who may not see addresses. */
export function toLogEntry(row: ReadLogRow, { withAddresses }: { withAddresses: boolean }): LogEntry {
  const beside = {
    seq: row.seq,
    discussion_chat_id: row.discussion_chat_id,
    prev_hash: row.prev_hash.toString('hex'),
    hash: row.hash.toString('hex'),
  };
  if (row.redacted_at !== null) {
    const tombstone = z.safeParse(Tombstone, parsed(row.entry));
    if (!tombstone.success) return withoutText(row, beside);
    const { redacted_after_years } = tombstone.data;
    return { ...withoutText(row, beside), is_readable: true, redacted_after_years };
  }
  const kept = { is_readable: true, redacted_at: null, redacted_after_years: null };
  const said = z.safeParse(LogEntry, { ...SINCE_LATER, ...parsed(row.entry), ...beside, ...kept });
  // Somebody changed its text past the server: the verification says so, and the page still shows that it is there.
  if (!said.success) return withoutText(row, beside);
  return withAddresses ? said.data : { ...said.data, ip: null };
}

function parsed(entry: string): object {
  try {
    const value: unknown = JSON.parse(entry);
    return typeof value === 'object' && value !== null ? toPresentNames(value) : {};
  } catch {
    return {};
  }
}

/** What the columns beside its text say. */
function withoutText(
  row: ReadLogRow,
  beside: Pick<LogEntry, 'seq' | 'discussion_chat_id' | 'prev_hash' | 'hash'>,
): LogEntry {
  const action = z.safeParse(Action, row.action);
  return {
    ...beside,
    is_readable: false,
    redacted_at: row.redacted_at?.toISOString() ?? null,
    redacted_after_years: null,
    at: row.at.toISOString(),
    actor_id: row.actor_id,
    actor_name: '',
    actor_title: null,
    action: action.success ? action.data : 'unit_day.save',
    outcome: 'done',
    unit_id: null,
    unit_code: null,
    census_date: row.census_date,
    population: null,
    before: null,
    after: null,
    after_approval: false,
    reason_code: null,
    reason: null,
    source: 'web',
    device_time: null,
    request_id: null,
    app_version: null,
    ip: null,
  };
}
