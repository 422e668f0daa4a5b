import type { Actor } from '#/platform/authorise/actor.ts';
import type { AuditSubject, RequestContext, Write } from '#/platform/context.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { isRetryable } from '#/platform/db/sql-state.ts';
import type { Publish } from '#/platform/publish/publish.ts';

type WriteFacts = Omit<RequestContext<Actor | null>, 'write'>;

const ATTEMPTS = 3;

/** Makes the `write` of one request; see {@link Write}. */
export function createWrite(facts: WriteFacts, publish: Publish): Write {
  return async (action, change) => {
    const done = await withRetries(() =>
      facts.db.transaction().execute(async (tx) => {
        const changed = await change(tx);
        if (changed.audit) await insertAudit(tx, entryOf(facts, action, changed.audit));
        return changed;
      }),
    );
    if (done.publish?.length) publish(done.publish, facts.http.socketId ?? undefined);
    await done.afterCommit?.();
    return done.result;
  };
}

async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}

/** Notes that somebody was refused; a failure to note it must not change the answer. */
export function recordRefusal(facts: WriteFacts, endpointName: string): void {
  const entry = entryOf(facts, 'authorisation.refused', { detail: { endpoint: endpointName } });
  insertAudit(facts.db, { ...entry, outcome: 'refused' }).catch((error: unknown) =>
    facts.log.error({ err: error }, 'a refusal could not be recorded'),
  );
}

function entryOf({ actor, http }: WriteFacts, action: string, subject: AuditSubject) {
  return {
    actor_id: subject.actorId ?? actor?.userId ?? null,
    facility_id: subject.facilityId ?? null,
    action,
    object_type: subject.objectType ?? null,
    object_id: subject.objectId ?? null,
    outcome: 'done',
    ip: http.ip,
    session_hash: actor ? Buffer.from(actor.credential.key, 'hex') : null,
    request_id: http.requestId,
    detail: subject.detail ? JSON.stringify(subject.detail) : null,
  };
}

async function insertAudit(db: Database | DatabaseTransaction, entry: ReturnType<typeof entryOf>): Promise<void> {
  await db.insertInto('audit_entries').values(entry).execute();
}
