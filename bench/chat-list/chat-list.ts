/**
 * The list of 200 chats as it is read now, beside the same list with a subquery for each number in a row, in rounds that
 * alternate: 20,000 chats, a million messages. Prints one JSON with both plans; about two minutes.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/chat-list/chat-list.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { summarise } from '../durable-send/measure.ts';

const ROUNDS = 60;
const NUMBERS = {
  kept: `c.participant_count,
    least(100, greatest(0, c.head_seq - greatest(p.read_seq, p.joined_seq) - p.own_after_read))::int as unread`,
  counted: `(select count(*)::int from active_participants as present where present.chat_id = c.id) as participant_count,
    case when c.head_seq = p.read_seq then 0 else (
      select count(*)::int from (
        select from messages as m
        where m.chat_id = c.id and m.seq > greatest(p.read_seq, p.joined_seq) and m.sender_id <> p.user_id limit 100
      ) as of_others
    ) end as unread`,
};
const listOf = (numbers: string) => `
  select c.id, c.title, c.head_seq, p.read_seq, ${numbers}
  from active_participants as p join chats as c on c.id = p.chat_id
  where p.user_id = $1 and p.facility_id = $2
  order by c.updated_at desc, c.id desc limit 200`;

/** 2,000 people, 5 in each chat, one of them in 200 more; 50 messages a chat; markers anywhere. Without triggers, so that it is quick. */
const FILL = `
  set session_replication_role = replica;
  insert into facilities (id, name, code, time_zone) values (gen_random_uuid(), 'Bench', 'BN', 'Europe/Dublin');
  insert into users (id, name, email, password_hash)
    select gen_random_uuid(), 'Person ' || n, n || '@people.test', '' from generate_series(1, 2000) n;
  create temp table person as
    select id, row_number() over (order by id) - 1 as n from users where email like '%@people.test';
  insert into memberships (id, facility_id, user_id) select gen_random_uuid(), f.id, p.id from facilities f, person p;
  create temp table made as select gen_random_uuid() as id, n from generate_series(0, 19999) n;
  insert into chats (id, facility_id, kind, title, created_by, client_id, updated_at, head_seq)
    select m.id, f.id, 'group', 'Chat ' || m.n, p.id, m.id, now() - random() * interval '90 days', 50
    from made m join person p on p.n = m.n % 2000, facilities f;
  insert into chat_participants (chat_id, user_id, facility_id, access, read_seq, delivered_seq)
    select m.id, p.id, f.id, 'write', (m.n * 13 + k * 7) % 51, 50
    from made m cross join generate_series(0, 4) k join person p on p.n = (m.n * 7 + k * 131) % 2000, facilities f
    on conflict do nothing;
  insert into chat_participants (chat_id, user_id, facility_id, access, read_seq, delivered_seq)
    select m.id, p.id, f.id, 'write', m.n % 51, 50 from made m join person p on p.n = 0, facilities f where m.n % 100 = 3
    on conflict do nothing;
  insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body)
    select gen_random_uuid(), m.id, f.id, seq, gen_random_uuid(), p.id, 'text', 'Bed 9 is clean; potassium 4.1 at noon.'
    from made m cross join generate_series(1, 50) seq
    join person p on p.n = case when seq % 9 = 0 then 0 else (m.n * 7 + seq % 5 * 131) % 2000 end, facilities f;
  update chats set participant_count = present.count
    from (select chat_id, count(*) as count from chat_participants group by chat_id) as present where present.chat_id = chats.id;
  update chat_participants p set own_after_read = said.count from (
    select p.chat_id, p.user_id, count(*) as count from chat_participants p
    join messages m on m.chat_id = p.chat_id and m.sender_id = p.user_id and m.seq > p.read_seq
    group by p.chat_id, p.user_id
  ) as said where said.chat_id = p.chat_id and said.user_id = p.user_id;
  set session_replication_role = origin;`;

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  await migrate(postgres.connectionString, fileURLToPath(new URL('../../apps/server/db', import.meta.url)));
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  await client.query(FILL);
  await client.query('vacuum analyze');
  const { rows } = await client.query('select p.id, f.id as facility from person p, facilities f where p.n = 0');
  const place = [rows[0]?.id, rows[0]?.facility];
  const took: Record<keyof typeof NUMBERS, number[]> = { kept: [], counted: [] };
  const found = { kept: '', counted: '' };
  for (let n = 0; n < ROUNDS; n++) {
    for (const way of ['kept', 'counted'] as const) {
      const startedAt = performance.now();
      const answer = await client.query({ name: way, text: listOf(NUMBERS[way]), values: place });
      took[way].push(performance.now() - startedAt);
      found[way] = JSON.stringify(answer.rows);
    }
  }
  if (found.kept !== found.counted) throw new Error('the two lists are not the same');
  const plans: Record<string, string[]> = {};
  for (const way of ['kept', 'counted'] as const) {
    const answer = await client.query(`explain (analyze, buffers) ${listOf(NUMBERS[way])}`, place);
    plans[way] = answer.rows.map((row) => row['QUERY PLAN']);
  }
  const { rows: sizes } = await client.query(
    `select (select count(*)::int from messages) as messages, (select count(*)::int from chat_participants) as participants,
       (select count(*)::int from chat_participants where user_id = $1) as mine`,
    [place[0]],
  );
  await client.end();
  const figures = Object.fromEntries(Object.entries(took).map(([way, ms]) => [way, summarise(ms, 1)]));
  console.log(JSON.stringify({ load: loadavg(), sizes: sizes[0], figures, plans }, null, 2));
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
