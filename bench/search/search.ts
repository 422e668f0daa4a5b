/**
 * The search over two million messages (CHAT-15): what a nurse with 200 chats and a hospitalist with 300, the five largest among
 * them, wait for, in messages and in a million names of files, and what a message costs that is stored beside the index. Prints one JSON and writes the plans beside this file.
 * Nine minutes on two busy cores, most of them for filling the tables.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/search/search.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { fileSearchQuery } from '../../apps/server/src/features/chat/search/find-files.ts';
import { messageSearchQuery } from '../../apps/server/src/features/chat/search/find-messages.ts';
import { toTerms } from '../../apps/server/src/features/chat/search/search-terms.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { summarise } from '../durable-send/measure.ts';
import { FILES_INDEX, FILL, FILL_FILES, INDEX, STORE } from './fill.ts';

const ROUNDS = 15;
const PEOPLE = { nurse: 0, hospitalist: 1 } as const;
/** From one in fourteen messages to none at all; a beginning, a part of a word, two words, words in their order. */
const SEARCHES = [
  'patient',
  'potassium',
  'K',
  'drain',
  'hyperkalemia',
  'pericarditis',
  'hyper',
  'kalem',
  'nowhereatall',
];
/** In names of files: from three in five of them to none at all. */
const FILE_SEARCHES = ['jpg', 'letter', 'xray', 'scan', '4100', 'nowhereatall'];
const COMBINED = ['patient potassium', '"potassium k"'];
/** Those whose plans are written. */
const EXPLAINED = ['patient', 'potassium', 'kalem', 'files jpg', 'files xray'];

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const plans = fileURLToPath(new URL('plans/', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const db = createDatabase(postgres.connectionString, silent as never, { poolSize: 2 });
try {
  await migrate(postgres.connectionString, fileURLToPath(new URL('../../apps/server/db', import.meta.url)));
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  const statement = async (text: string) => {
    const startedAt = performance.now();
    await client.query(text);
    return performance.now() - startedAt;
  };
  await client.query('drop index messages_search_idx, attachments_search_idx');
  for (const part of FILL) await client.query(part);
  const indexSeconds = Math.round((await statement(INDEX)) / 1000);
  await client.query(FILL_FILES);
  const filesIndexSeconds = Math.round((await statement(FILES_INDEX)) / 1000);
  await client.query('vacuum analyze');
  mkdirSync(plans, { recursive: true });

  const figures: Record<string, unknown> = {};
  for (const [name, n] of Object.entries(PEOPLE)) {
    const { rows } = await client.query(
      `select p.id, array_agg(c.id) as chats, sum(c.head_seq)::int as readable
       from person p join chat_participants cp on cp.user_id = p.id join chats c on c.id = cp.chat_id where p.n = $1 group by 1`,
      [n],
    );
    const [{ id, chats, readable }] = rows;
    const took: Record<string, number[]> = {};
    const found: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const searches = [...SEARCHES, ...COMBINED].map((typed) => ({
        typed,
        typedAs: typed,
        build: messageSearchQuery,
      }));
      const ofFiles = FILE_SEARCHES.map((typed) => ({
        typed: `files ${typed}`,
        typedAs: typed,
        build: fileSearchQuery,
      }));
      for (const { typed, typedAs, build } of [...searches, ...ofFiles]) {
        const whom = { userId: id, chatIds: chats, terms: toTerms(typedAs), limit: 31, after: null };
        const query = build({ ...whom, senderId: undefined, from: null, to: null });
        const startedAt = performance.now();
        found[typed] = (await query.execute(db)).rows.length;
        took[typed] = [...(took[typed] ?? []), performance.now() - startedAt];
        if (round > 0 || !EXPLAINED.includes(typed)) continue;
        const { sql: text, parameters } = query.compile(db);
        const plan = await client.query(`explain (analyze, buffers) ${text}`, [...parameters]);
        const lines = plan.rows.map((row) => row['QUERY PLAN'].replaceAll(/'\{[^']{80,}\}'/g, "'{…}'"));
        writeFileSync(join(plans, `${name}.${typed.replace(' ', '-')}.txt`), `${lines.join('\n')}\n`);
      }
    }
    const all = Object.values(took).flat();
    const bySearch = Object.entries(took).map(([typed, ms]) => [typed, { found: found[typed], ...summarise(ms, 1) }]);
    figures[name] = { chats: chats.length, readable, all: summarise(all, 1), ...Object.fromEntries(bySearch) };
  }

  const stored = { indexed: [] as number[], plain: [] as number[] };
  for (let round = 0; round < 5; round++) {
    await client.query('begin');
    for (const [way, kind] of [
      ['indexed', 'text'],
      ['plain', 'system'],
    ] as const)
      stored[way].push((await statement(STORE(kind, round))) / 5);
    await client.query('rollback');
  }
  const { rows: sizes } = await client.query(`
    select (select count(*)::int from messages) as messages, pg_table_size('messages') / 1000000 as table_mb,
      pg_relation_size('messages_search_idx') / 1000000 as index_mb,
      (select count(*)::int from attachments) as files, pg_relation_size('attachments_search_idx') / 1000000 as files_index_mb`);
  await client.end();
  const storing = {
    microsecondsAMessage: { indexed: summarise(stored.indexed, 1), plain: summarise(stored.plain, 1) },
  };
  console.log(
    JSON.stringify({ load: loadavg(), sizes: sizes[0], indexSeconds, filesIndexSeconds, figures, storing }, null, 2),
  );
} finally {
  await db.destroy();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
