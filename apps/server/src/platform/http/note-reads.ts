import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';
import type { Actor } from './actor.ts';

/** What somebody was given to read; ids only. */
export interface ReadSubject {
  readonly facilityId: string;
  readonly objectType: string;
  readonly objectId: string;
  /** The chat that it belongs to, where it is none itself. */
  readonly chatId?: string;
}

export interface Reader {
  readonly actor: Actor;
  readonly http: { readonly requestId: string; readonly ip: string };
}

/**
 * Notes who reads what of patients, before it is given: one audit entry for a person, an action and an object in a quarter of an
 * hour, whatever number of servers they ask. Resolves also where it could not be stored, since who is on duty must be able to
 * read; the log of the process then names person and objects.
 */
export type NoteReads = (reader: Reader, action: AuditAction, subjects: readonly ReadSubject[]) => Promise<void>;

const QUARTER_MS = 15 * 60_000;
/** Of one server: what was noted already costs no statement. */
const MOST_REMEMBERED = 50_000;

/** Makes the one of the process. */
export function createNoteReads(db: Database, log: Log): NoteReads {
  const noted = new RecentlyUsed<string, true>(MOST_REMEMBERED);

  return async ({ actor, http }, action, subjects) => {
    const quarter = Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS;
    const keyOf = ({ objectId }: ReadSubject) => `${quarter} ${actor.userId} ${action} ${objectId}`;
    const unnoted = new Map(subjects.map((subject) => [keyOf(subject), subject]));
    for (const key of unnoted.keys()) if (noted.get(key)) unnoted.delete(key);
    if (unnoted.size === 0) return;
    try {
      await storeReads(db, { reader: { actor, http }, action, quarter, subjects: [...unnoted.values()] });
      for (const key of unnoted.keys()) noted.set(key, true);
    } catch (error) {
      const objects = [...unnoted.values()].map(({ objectId }) => objectId);
      log.error({ err: error, action, actor: actor.userId, objects }, 'a reading could not be noted in the audit');
    }
  };
}

interface Reading {
  readonly reader: Reader;
  readonly action: AuditAction;
  readonly quarter: number;
  readonly subjects: readonly ReadSubject[];
}

/** One statement: what another server has noted meanwhile gets no second entry. */
async function storeReads(db: Database, { reader, action, quarter, subjects }: Reading): Promise<void> {
  const { actor, http } = reader;
  const column = (of: (subject: ReadSubject) => string | null) => subjects.map(of);
  await sql`
    with given as (
      select * from unnest(${column(({ facilityId }) => facilityId)}::uuid[], ${column(({ objectType }) => objectType)}::text[],
        ${column(({ objectId }) => objectId)}::uuid[], ${column(({ chatId }) => chatId ?? null)}::text[]
      ) as g (facility_id, object_type, object_id, chat)),
    first as (
      insert into audit_reads (actor_id, action, object_id, quarter)
      select distinct ${actor.userId}::uuid, ${action}, object_id, to_timestamp(${quarter / 1000}::float8) from given order by object_id
      on conflict do nothing returning object_id)
    insert into audit_entries (actor_id, facility_id, action, object_type, object_id, ip, session_hash, request_id, detail)
    select ${actor.userId}::uuid, g.facility_id, ${action}, g.object_type, g.object_id, ${http.ip}::inet,
      ${Buffer.from(actor.credential.key, 'hex')}::bytea, ${http.requestId}, case when g.chat is not null then jsonb_build_object('chat', g.chat) end
    from given as g join first on first.object_id = g.object_id`.execute(db);
}

/** Forgets of which quarters something was noted, once nobody reads in them any more. */
export async function purgeReads(db: Database): Promise<void> {
  await sql`delete from audit_reads where quarter < now() - interval '1 hour'`.execute(db);
}
