import type {
  HandoverFormat,
  HandoverSeverity,
  HandoverState,
  HandoverSummary,
} from '@wardline/contract/examinations/handovers.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

type Queryable = Database | DatabaseTransaction;

interface HandoverRow extends Omit<HandoverSummary, 'given_at' | 'from' | 'to'> {
  readonly format: HandoverFormat;
  readonly state: HandoverState;
  readonly severity: HandoverSeverity | null;
  readonly given_by: string;
  readonly from_name: string;
  readonly to_user: string;
  readonly to_name: string;
  readonly to_role: string | null;
  readonly given_at: Date;
  readonly ended_by: string | null;
  readonly ended_name: string | null;
  readonly ended_title: string | null;
  readonly ended_at: Date | null;
  readonly reason: string | null;
}

/** A hand-over as the rules see it, with what its card shows. */
export interface HandoverRecord {
  readonly summary: HandoverSummary;
  readonly givenBy: string;
  readonly toUser: string;
  readonly toRole: string | null;
  readonly ended: {
    readonly by: { readonly user_id: string; readonly name: string; readonly title: string | null };
    readonly at: string;
    readonly reason: string;
  } | null;
}

const handovers = typedRows<HandoverRow>({
  ...{ id: 'string', chat_id: 'string', facility_id: 'string', format: 'string', state: 'string', version: 'number' },
  ...{ sheet_version: 'number', severity: 'string?', given_by: 'string', from_name: 'string', to_user: 'string' },
  ...{ to_name: 'string', to_role: 'string?', role: 'string?', given_at: 'date', actions: 'number' },
  ...{ open_actions: 'number', ended_by: 'string?', ended_name: 'string?', ended_title: 'string?' },
  ...{ ended_at: 'date?', reason: 'string?' },
});

const rows = sql`
  select h.id, h.chat_id, h.facility_id, h.format, h.state, h.version, h.sheet_version, h.severity, h.given_by, h.given_at,
    giver.name as from_name, h.to_user, receiver.name as to_name, h.to_role, role.name as role,
    h.ended_by, ender.name as ended_name, place.title as ended_title, h.ended_at, h.reason, counted.actions, counted.open_actions
  from handovers h
  join users giver on giver.id = h.given_by
  join users receiver on receiver.id = h.to_user
  left join on_call_roles role on role.id = h.to_role
  left join users ender on ender.id = h.ended_by
  left join memberships place on place.user_id = h.ended_by and place.facility_id = h.facility_id and place.ended_at is null
  cross join lateral (
    select count(*)::int as actions, count(*) filter (where a.done_at is null)::int as open_actions
    from handover_actions a where a.handover_id = h.id and a.sheet_version = h.sheet_version
  ) counted`;

function toRecord(row: HandoverRow): HandoverRecord {
  const { ended_by, ended_name: name, ended_title: title, ended_at, reason } = row;
  const isOver = ended_by !== null && name !== null && ended_at !== null && reason !== null;
  return {
    summary: toSummary(row),
    ...{ givenBy: row.given_by, toUser: row.to_user, toRole: row.to_role },
    ended: isOver ? { by: { user_id: ended_by, name, title }, at: ended_at.toISOString(), reason } : null,
  };
}

function toSummary(row: HandoverRow): HandoverSummary {
  return {
    ...{ id: row.id, chat_id: row.chat_id, facility_id: row.facility_id, format: row.format, state: row.state },
    ...{ version: row.version, sheet_version: row.sheet_version, severity: row.severity },
    ...{ from: row.from_name, to: row.to_name, role: row.role, given_at: row.given_at.toISOString() },
    ...{ actions: row.actions, open_actions: row.open_actions },
  };
}

/** Whoever asks must still be found to read its chat. */
export async function findHandover(db: Queryable, handoverId: string): Promise<HandoverRecord | null> {
  const row = await handovers.first(db, sql`${rows} where h.id = ${handoverId}`);
  return row ? toRecord(row) : null;
}

/** The hand-overs of a chat that its reader was found to read, the newest first. */
export async function listSummaries(
  db: Queryable,
  { chatId, before, limit }: { chatId: string; before: string | null; limit: number },
): Promise<HandoverSummary[]> {
  const past: RawBuilder<unknown> = before === null ? sql`true` : sql`h.id < ${before}`;
  return (
    await handovers.read(db, sql`${rows} where h.chat_id = ${chatId} and ${past} order by h.id desc limit ${limit}`)
  ).map(toSummary);
}

/** Hand-overs of chats that their reader was found to read, by their ids. */
export async function listSummariesOf(db: Queryable, ids: readonly string[]): Promise<Map<string, HandoverSummary>> {
  if (ids.length === 0) return new Map();
  const found = await handovers.read(db, sql`${rows} where h.id = any(${ids}::uuid[])`);
  return new Map(found.map((row) => [row.id, toSummary(row)]));
}
