import type { QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/system.ts';
import { sql } from 'kysely';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';

type Context = Pick<RequestContext, 'actor' | 'db'>;

interface KindRow extends contract.JobKind {
  readonly oldest_due_at: Date | null;
}

const kinds = typedRows<KindRow>({
  ...{ kind: 'string', waiting: 'number', retrying: 'number', dead: 'number', oldest_due_at: 'date?' },
});

/** How many jobs of each kind there are. */
export async function getJobQueue({ actor, db }: Context): Promise<ReplyOf<typeof contract.getJobQueue>> {
  requireOperator(actor);
  const rows = await kinds.read(
    db,
    sql`
    select kind,
      count(*) filter (where dead_at is null and last_error is null)::integer as waiting,
      count(*) filter (where dead_at is null and last_error is not null)::integer as retrying,
      count(*) filter (where dead_at is not null)::integer as dead,
      min(run_at) filter (where dead_at is null and run_at <= now()) as oldest_due_at
    from jobs group by kind order by kind`,
  );
  const oldest = rows.flatMap(({ oldest_due_at: at }) => (at === null ? [] : [at.getTime()]));
  return {
    kinds: rows.map(({ oldest_due_at: _, ...kind }) => kind),
    oldest_due_at: oldest.length === 0 ? null : new Date(Math.min(...oldest)).toISOString(),
  };
}

const PAGE = 50;

/** The jobs that were given up, the newest first. What they were to do stays where it is: it names people. */
export async function listDeadJobs(
  { actor, db }: Context,
  { query }: { query: QueryOf<typeof contract.listDeadJobs> },
): Promise<ReplyOf<typeof contract.listDeadJobs>> {
  requireOperator(actor);
  const limit = query.limit ?? PAGE;
  let found = db
    .selectFrom('jobs')
    .select(['id', 'kind', 'last_error as reason', 'attempts', 'created_at', 'dead_at'])
    .where('dead_at', 'is not', null);
  if (query.cursor !== undefined) found = found.where('id', '<', idCursor(query.cursor));
  const rows = await found
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit).flatMap(({ created_at, dead_at, ...job }) =>
    // Of the rows that are asked for it is never null.
    dead_at === null ? [] : [{ ...job, created_at: created_at.toISOString(), dead_at: dead_at.toISOString() }],
  );
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}
