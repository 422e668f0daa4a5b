import { createHash } from 'node:crypto';
import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { asHolder } from '#/platform/db/second-connection.ts';
import { isRetryable } from '#/platform/db/sql-state.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type {
  AuditEntry,
  AuditSubject,
  Change,
  GroupedChange,
  HttpExchange,
  RequestContext,
  Write,
} from '#/platform/http/context.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { beginJobsOf } from '#/platform/jobs/jobs.ts';

/** What is told of an act in the audit: who does it, and by which request. */
export type WriteContext = Pick<RequestContext<Actor | null>, 'actor' | 'db' | 'log'> & {
  readonly http: Pick<HttpExchange, 'requestId' | 'socketId'> & { readonly ip: string | null };
};

const ATTEMPTS = 3;

interface JobInput {
  readonly db: Database;
  readonly log: RequestContext['log'];
  readonly jobId: string;
}

/** Makes the `write` of one request; see {@link Write}. */
export function createWrite(context: WriteContext, publish: Publish): Write {
  const tell = ({ publish: told = [], publishToAll = [] }: Pick<Change<unknown>, 'publish' | 'publishToAll'>) => {
    if (told.length > 0) publish(told, context.http.socketId ?? undefined);
    if (publishToAll.length > 0) publish(publishToAll);
  };

  async function write<Result>(action: AuditAction, change: (tx: DatabaseTransaction) => Promise<Change<Result>>) {
    const done = await withRetries(() =>
      inOwnFacilities(() =>
        context.db.transaction().execute(async (tx) => {
          const changed = await asHolder(() => change(tx));
          if (changed.audit) await insertAudit(tx, entryOf(context, action, changed.audit));
          return { ...changed, tx };
        }),
      ),
    );
    tell(done);
    beginJobsOf(done.tx, context.db);
    await done.afterCommit?.();
    return done.result;
  }

  async function together<Item, Outcome, Result>(action: AuditAction, change: GroupedChange<Item, Outcome, Result>) {
    const { group, key, item, objectType } = change;
    const done = change.done(await group.add(key, { item, entry: entryOf(context, action, { objectType }) }));
    tell(done);
    return done.result;
  }

  return Object.assign(write, { together });
}

/** The `write` of what is made in a transaction that is there already: its entries stand in it, and nobody is told. */
export function createWriteWithin(tx: DatabaseTransaction, context: WriteContext): Write {
  async function write<Result>(action: AuditAction, change: (tx: DatabaseTransaction) => Promise<Change<Result>>) {
    const { audit, result } = await change(tx);
    if (audit) await insertAudit(tx, entryOf(context, action, audit));
    return result;
  }
  const together = () => Promise.reject(new Error('what goes together has a transaction of its own'));
  return Object.assign(write, { together });
}

/** The `write` of a job: nobody acts and no request came, so its entries name the job instead. It publishes nothing unless told how. */
export function createJobWrite({ db, log, jobId }: JobInput, publish: Publish = () => undefined): Write {
  const http = { ip: null, requestId: jobId, socketId: null };
  return createWrite({ actor: null, db, log, http }, publish);
}

/** Runs a transaction again that PostgreSQL ended for the sake of another. */
export async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}

const QUARTER_MS = 15 * 60_000;
const noted = typedRows<{ is_first: boolean }>({ is_first: 'boolean' });

/**
 * Notes a refusal, whatever becomes of the transaction that it happened in. The same refusal of the same person about the
 * same object is one audit entry in a quarter of an hour, with a count; true for the first of them.
 */
export async function noteRefusal(context: WriteContext, action: AuditAction, subject: AuditSubject): Promise<boolean> {
  const entry = entryOf(context, action, subject);
  const quarter = Math.floor(Date.now() / QUARTER_MS);
  const who = entry.actor_id ?? entry.ip;
  const same = [who, action, entry.facility_id, entry.object_type, entry.object_id, entry.detail, quarter];
  const hash = createHash('sha256').update(JSON.stringify(same)).digest();
  const query = sql`
    select note_refusal(${hash}::bytea, ${entry.actor_id}::uuid, ${entry.facility_id}::uuid, ${action}::text,
      ${entry.object_type}::text, ${entry.object_id}::uuid, ${entry.ip}::inet, ${entry.session_hash}::bytea,
      ${entry.request_id}::text, ${entry.detail}::jsonb) as is_first`;
  return (await noted.first(context.db, query))?.is_first ?? false;
}

/** Notes that somebody was refused at an address; a failure to note it must not change the answer. */
export function recordRefusal(
  context: WriteContext,
  { endpoint, params }: { readonly endpoint: string; readonly params: Readonly<Record<string, string>> },
): void {
  const [objectType, objectId] = Object.entries(params).findLast(([, value]) => Id.safeParse(value).success) ?? [];
  const object = objectType === undefined || objectId === undefined ? {} : { objectType, objectId };
  noteRefusal(context, 'authorisation.refused', { ...object, detail: { endpoint } }).catch((error: unknown) =>
    context.log.error({ err: error }, 'a refusal could not be recorded'),
  );
}

function entryOf({ actor, http }: WriteContext, action: AuditAction, subject: AuditSubject): AuditEntry {
  return {
    actor_id: subject.actorId ?? actor?.userId ?? null,
    facility_id: subject.facilityId ?? null,
    action,
    object_type: subject.objectType ?? null,
    object_id: subject.objectId ?? null,
    outcome: subject.outcome ?? 'done',
    ip: http.ip,
    session_hash: actor ? Buffer.from(actor.credential.key, 'hex') : null,
    request_id: http.requestId,
    detail: subject.detail ? JSON.stringify(subject.detail) : null,
  };
}

async function insertAudit(db: Database | DatabaseTransaction, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit_entries').values(entry).execute();
}
