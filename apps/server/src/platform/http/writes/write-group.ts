import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { databaseErrorKind } from '#/platform/db/sql-state.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { AuditEntry, WriteGroup } from '#/platform/http/context.ts';
import { createGroupCommit, type GroupCommitLimits } from './group-commit.ts';
import { withRetries } from './write.ts';

/** What the statement of a group says of each of its changes. */
export interface GroupedRow {
  /** Which of the items it is, from 1. */
  readonly place: number;
  /** For the audit: whether anything was changed, what, and where. */
  readonly is_changed: boolean;
  readonly id: string | null;
  readonly facility_id: string | null;
  readonly audit_detail: unknown;
}

/** The changes of one batch as one `select` of a volatile function: a row for each item. */
export interface GroupStatement<Row extends GroupedRow, Outcome> {
  readonly query: RawBuilder<Row>;
  /** Given the rows in the order of the items, after the commit. */
  outcomes(rows: readonly Row[]): Outcome[];
}

export interface WriteGroupOptions<Item, Row extends GroupedRow, Outcome> {
  statement(key: string, items: readonly Item[]): GroupStatement<Row, Outcome>;
  readonly identityOf: (item: Item) => string;
  readonly bytesOf: (item: Item) => number;
  readonly limits?: Partial<GroupCommitLimits>;
}

const LIMITS: GroupCommitLimits = {
  batchItems: 64,
  batchBytes: 512 * 1024,
  waitingItems: 4_000,
  waitingBytes: 32 * 1024 * 1024,
  // Of a pool of 16: the others read.
  atOnce: 10,
};

/** Makes the queue of a {@link WriteGroup}, one for the process. Each batch is a statement that is its own transaction. */
export function createWriteGroup<Item, Row extends GroupedRow, Outcome>(
  db: Database,
  { statement, identityOf, bytesOf, limits }: WriteGroupOptions<Item, Row, Outcome>,
): WriteGroup<Item, Outcome> {
  return createGroupCommit<{ readonly item: Item; readonly entry: AuditEntry }, Outcome>({
    // Of several senders: the statement itself asks who of them may.
    async store(key, changes) {
      const { query, outcomes } = statement(
        key,
        changes.map(({ item }) => item),
      );
      const entries = changes.map(({ entry }) => entry);
      const { rows } = await withRetries(() => asSystem('messages', () => withAudit(query, entries).execute(db)));
      return outcomes(rows);
    },
    identityOf: ({ item }) => identityOf(item),
    bytesOf: ({ item }) => bytesOf(item),
    // Where the database itself is in trouble, trying again would only make it worse.
    isOwnFault: (error) => [null, 'unstorable_text'].includes(databaseErrorKind(error)),
    limits: { ...LIMITS, ...limits },
  });
}

/** The statement, with the audit entry of each row that says it changed something. */
function withAudit<Row extends GroupedRow>(query: RawBuilder<Row>, entries: readonly AuditEntry[]): RawBuilder<Row> {
  const column = <Name extends keyof AuditEntry>(name: Name) => entries.map((entry) => entry[name]);
  return sql<Row>`
    with change as materialized (${query}),
    entry as (
      insert into audit_entries
        (actor_id, facility_id, action, object_type, object_id, outcome, ip, session_hash, request_id, detail)
      select e.actor_id, c.facility_id, e.action, e.object_type, c.id, e.outcome, e.ip, e.session_hash, e.request_id,
        c.audit_detail
      from change as c
      join unnest(${column('actor_id')}::uuid[], ${column('action')}::text[], ${column('object_type')}::text[],
        ${column('outcome')}::text[], ${column('ip')}::inet[], ${column('session_hash')}::bytea[],
        ${column('request_id')}::text[]
      ) with ordinality as e (actor_id, action, object_type, outcome, ip, session_hash, request_id, place)
        on e.place = c.place
      where c.is_changed order by c.place
    )
    select * from change order by place`;
}
