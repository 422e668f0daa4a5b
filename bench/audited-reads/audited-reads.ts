/**
 * What it costs that every reader is named: a page of 50 messages as it is read, beside the first note of a reader in a quarter of
 * an hour and the next ones; an audit entry with and without its place in the queue of the chain; chaining and verifying. Prints one
 * JSON; about one minute.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/audited-reads/audited-reads.ts
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { sealEntries, verifyChain } from '../../apps/server/src/features/audit/index.ts';
import { listMessagesBefore } from '../../apps/server/src/features/chat/core/message-queries.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { grantAppRole } from '../../apps/server/src/platform/db/grant-app-role.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import type { Actor } from '../../apps/server/src/platform/http/actor.ts';
import { createNoteReads } from '../../apps/server/src/platform/http/note-reads.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { summarise } from '../durable-send/measure.ts';

const ROUNDS = 400;
const ENTRIES = 100_000;
const FILL = `
  set session_replication_role = replica;
  insert into facilities (id, name, code, time_zone) values (gen_random_uuid(), 'Bench', 'BN', 'Europe/Dublin');
  insert into users (id, name, email, password_hash) values (gen_random_uuid(), 'Person', 'one@people.test', '');
  create view person as select * from users where email = 'one@people.test';
  insert into memberships (id, facility_id, user_id) select gen_random_uuid(), f.id, u.id from facilities f, person u;
  insert into chats (id, facility_id, kind, title, created_by, client_id, head_seq)
    select gen_random_uuid(), f.id, 'group', 'Chat', u.id, gen_random_uuid(), 500 from facilities f, person u;
  insert into chat_participants (chat_id, user_id, facility_id, access) select c.id, u.id, c.facility_id, 'write' from chats c, person u;
  insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body)
    select gen_random_uuid(), c.id, c.facility_id, seq, gen_random_uuid(), u.id, 'text', 'Bed 9 is clean; potassium 4.1 at noon.'
    from chats c, person u, generate_series(1, 500) seq;
  set session_replication_role = origin;`;
const ENTRY = `insert into audit_entries (actor_id, facility_id, action, object_type, object_id, ip, request_id, detail)
  select u.id, c.facility_id, 'chat.message.send', 'message', gen_random_uuid(), '192.0.2.7', 'bench',
    jsonb_build_object('chat', c.id, 'seq', 1) from person u, chats c`;

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const log = createLog('silent');
const appKey = Buffer.alloc(32, 7);
try {
  await migrate(postgres.connectionString, fileURLToPath(new URL('../../apps/server/db', import.meta.url)));
  await grantAppRole(postgres.connectionString, 'wardline_app');
  const owner = new pg.Client({ connectionString: postgres.connectionString });
  owner.on('error', () => undefined);
  await owner.connect();
  await owner.query(FILL);
  await owner.query('vacuum analyze');
  const { rows } = await owner.query('select c.id, c.facility_id, u.id as user_id from chats c, person u');
  const { id: chatId, facility_id: facilityId, user_id: userId } = rows[0];
  const db = createDatabase(postgres.appConnectionString, log);
  const noteReads = createNoteReads(db, log);
  const actor = { userId, credential: { kind: 'session', key: 'ab'.repeat(32) } } as Actor;
  const reader = { actor, http: { requestId: 'bench', ip: '192.0.2.7' } };
  const note = (objectId: string) => noteReads(reader, 'chat.read', [{ facilityId, objectType: 'chat', objectId }]);
  const ways: Record<string, () => Promise<unknown>> = {
    page: () => listMessagesBefore(db, { chatId, userId, limit: 50 }, null),
    first: () => note(randomUUID()),
    again: () => note(chatId),
  };
  const took: Record<string, number[]> = { page: [], first: [], again: [], queued: [], alone: [] };
  const time = async (name: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    took[name]?.push(performance.now() - startedAt);
  };
  await note(chatId);
  for (let n = 0; n < ROUNDS; n++) {
    for (const [name, work] of Object.entries(ways)) await time(name, work);
    await time('queued', () => owner.query(ENTRY));
    await owner.query('alter table audit_entries disable trigger audit_entries_queue');
    await time('alone', () => owner.query(ENTRY));
    await owner.query('alter table audit_entries enable trigger audit_entries_queue');
  }
  await owner.query('insert into audit_pending select id from audit_entries on conflict do nothing');
  await owner.query(`${ENTRY}, generate_series(1, ${ENTRIES})`);
  const sealedAt = performance.now();
  const sealed = await sealEntries(db, appKey);
  const verifiedAt = performance.now();
  const { tamperings } = await verifyChain(db, { appKey });
  if (tamperings.length > 0) throw new Error('the audit is not whole');
  const chain = {
    sealed,
    sealMs: Math.round(verifiedAt - sealedAt),
    verifyMs: Math.round(performance.now() - verifiedAt),
  };
  const figures = Object.fromEntries(
    Object.entries(took).map(([name, ms]) => {
      const { p50Ms, p99Ms } = summarise(ms, 1);
      return [name, { p50Ms, p99Ms }];
    }),
  );
  console.log(JSON.stringify({ load: loadavg(), figures, chain }, null, 2));
  await db.destroy();
  await owner.end();
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
