/**
 * Flat growth (PERF-3): what a person waits for over HTTP, with 10 thousand messages in the database and with 10 million, in turns on two
 * servers with a PostgreSQL each. The person has the same 200 chats of 50 messages in both, and one chat with a tenth of all. Prints one
 * JSON; ends with 1 where anything takes more than 1.5 times as long. Filling takes half an hour on two busy cores and 15 GB of disk:
 * `--data FOLDER` keeps what was filled for the next run, and TMPDIR says where it lies without it.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/growth/growth.ts [--large 10000000] [--rounds 40] [--data FOLDER]
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { WardlineServer } from '../../apps/server/src/app/build-server.ts';
import { newToken } from '../../apps/server/src/features/auth/sessions/start-session.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { grantAppRole } from '../../apps/server/src/platform/db/grant-app-role.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { hashSecret } from '../../apps/server/src/platform/http/session-cookie.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { round, summarise } from '../durable-send/measure.ts';
import { serveOn } from '../same-time/open-house.ts';
import { INDEX } from '../search/fill.ts';
import { fill, OWN } from './fill.ts';

const { values } = parseArgs({
  options: {
    large: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '40' },
    data: { type: 'string' },
  },
});
const SIZES = { small: 10_000, large: Number(values.large) } as const;
type Size = keyof typeof SIZES;
const BOTH = ['small', 'large'] as const;
const ROUNDS = Number(values.rounds);
const WARM_UP = 10;
const GOAL = 1.5;

const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const log = createLog('silent');
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'wardline-growth-'));
const houses: Partial<Record<Size, Awaited<ReturnType<typeof open>>>> = {};
try {
  const small = await open('small');
  houses.small = small;
  const large = await open('large');
  houses.large = large;
  const house = { small, large };

  const took = new Map<string, Record<Size, number[]>>(
    Object.keys(small.acts).map((act) => [act, { small: [], large: [] }]),
  );
  for (let n = 0; n < ROUNDS + WARM_UP; n++) {
    for (const [act, each] of took) {
      for (const size of n % 2 === 0 ? BOTH : BOTH.toReversed()) {
        const startedAt = performance.now();
        await house[size].acts[act]?.(n);
        if (n >= WARM_UP) each[size].push(performance.now() - startedAt);
      }
    }
  }
  const figures = Object.fromEntries(
    [...took].map(([act, each]) => {
      const [few, many] = [summarise(each.small, 1), summarise(each.large, 1)];
      const times = round(many.p50Ms / few.p50Ms);
      return [act, { smallMs: few.p50Ms, largeMs: many.p50Ms, times, p99: [few.p99Ms, many.p99Ms] }];
    }),
  );
  const isRed = Object.values(figures).some(({ times }) => times > GOAL);
  const sizes = { small: await small.size(), large: await large.size() };
  console.log(JSON.stringify({ load: loadavg(), rounds: ROUNDS, goal: GOAL, isRed, sizes, figures }, null, 2));
  if (isRed) process.exitCode = 1;
} finally {
  for (const size of BOTH) await houses[size]?.close();
  if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
}

async function open(size: Size) {
  const dataDir = join(folder, size);
  mkdirSync(dataDir, { recursive: true });
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  await migrate(postgres.connectionString, schema);
  await grantAppRole(postgres.connectionString, 'wardline_app');
  const owner = new pg.Client({ connectionString: postgres.connectionString });
  await owner.connect();
  const filled = join(dataDir, 'filled');
  if (!existsSync(filled)) {
    await owner.query('drop index messages_search_idx');
    for (const part of fill(SIZES[size])) await owner.query(part);
    await owner.query(INDEX);
    await owner.query('vacuum analyze');
    writeFileSync(filled, '');
  }
  const { rows } = await owner.query<{ person: string; facility: string; chats: string[] }>(
    `select p.id as person, f.id as facility, array(select id from made where n <= ${OWN.chats} order by n) as chats
     from person p, facilities f where p.n = 0`,
  );
  const [{ person, facility, chats } = { person: '', facility: '', chats: [] }] = rows;
  const token = newToken();
  await owner.query(
    `insert into access_tokens (id, user_id, name, abilities, token_hash, expires_at) values ($1, $2, 'bench', '{*}', $3, now() + interval '1 day')`,
    [randomUUID(), person, hashSecret(token)],
  );
  const db = createDatabase(postgres.appConnectionString, log, { isWalled: true });
  const appKey = randomBytes(32).toString('hex');
  const server: WardlineServer = await serveOn(db, { appKey, dataDir, writesPerSecond: 100_000 });
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.payload}`);
    return answer.json();
  };
  const chat = (n: number) => chats[n % OWN.chats];
  const largest = chats[OWN.chats];
  const search = (text: string) => ask('GET', `/api/search?q=${encodeURIComponent(text)}&types=messages`);
  const acts: Record<string, (n: number) => Promise<unknown>> = {
    'the list of chats with unread counts': () => ask('GET', `/api/facilities/${facility}/chats`),
    'opening a chat of 50 messages': async (n) => {
      await ask('GET', `/api/chats/${chat(n)}`);
      await ask('GET', `/api/chats/${chat(n)}/messages`);
    },
    'opening the chat with a tenth of all': async () => {
      await ask('GET', `/api/chats/${largest}`);
      await ask('GET', `/api/chats/${largest}/messages`);
    },
    'sending into a chat of 50': (n) => ask('POST', `/api/chats/${chat(n)}/messages`, message()),
    'sending into the largest': () => ask('POST', `/api/chats/${largest}/messages`, message()),
    'reading on in the largest': (n) =>
      ask('PUT', `/api/chats/${largest}/markers`, { read_seq: SIZES[size] / 10 - 20 + (n % 20) }),
    'searching a frequent word': () => search('patient'),
    'searching a rare word': () => search('pericarditis'),
    'searching what nobody wrote': () => search('nowhereatall'),
  };
  return {
    acts,
    async size() {
      const answer = await owner.query(`
        select (select count(*)::int from messages) as messages, (select count(*)::int from chats) as chats,
          pg_table_size('messages') / 1000000 as table_mb, pg_relation_size('messages_search_idx') / 1000000 as search_index_mb`);
      return answer.rows[0];
    },
    async close(): Promise<void> {
      await server.close(0);
      await db.destroy();
      await owner.end();
      await postgres.stop();
    },
  };
}

function message() {
  return { client_id: randomUUID(), body: 'Potassium is 5.2 now.' };
}
