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
import { FILL } from './fill.ts';

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
