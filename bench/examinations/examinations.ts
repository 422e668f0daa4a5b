/**
 * A chat with 500 examinations beside one with 5 (EXAM-1, EXAM-3: at most 1.5 times the cost), among 100,000, over HTTP behind the second wall, in turns.
 * Prints one JSON; ends with 1 where anything takes more than 1.5 times as long.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/examinations/examinations.ts [--examinations 100000] [--rounds 60]
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { newToken } from '../../apps/server/src/features/auth/sessions/start-session.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { grantAppRole } from '../../apps/server/src/platform/db/grant-app-role.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { hashSecret } from '../../apps/server/src/platform/http/session-cookie.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { round, summarise } from '../durable-send/measure.ts';
import { serveOn } from '../same-time/open-house.ts';
import { FEW, fill, MANY } from './fill.ts';

const { values } = parseArgs({
  options: { examinations: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '60' } },
});
const ROUNDS = Number(values.rounds);
const WARM_UP = 10;
const GOAL = 1.5;

const NONE: MeasuredChat = { id: randomUUID(), newest: randomUUID() };

const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-examinations-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
await migrate(postgres.connectionString, schema);
await grantAppRole(postgres.connectionString, 'wardline_app');
const owner = new pg.Client({ connectionString: postgres.connectionString });
await owner.connect();
const db = createDatabase(postgres.appConnectionString, createLog('silent'), { isWalled: true });
const server = await serveOn(db, { appKey: randomBytes(32).toString('hex'), dataDir, writesPerSecond: 100_000 });
try {
  for (const part of fill(Number(values.examinations))) await owner.query(part);
  await owner.query('vacuum analyze');
  const { few, many } = await findChats();
  const token = await makeToken();
  const took = new Map<string, { few: number[]; many: number[] }>(
    Object.keys(actsOf(token)).map((act) => [act, { few: [], many: [] }]),
  );
  for (let n = 0; n < ROUNDS + WARM_UP; n++) {
    for (const [act, each] of took) {
      for (const size of n % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
        const chats = size === 'few' ? few : many;
        const startedAt = performance.now();
        await actsOf(token)[act]?.(chats[n % chats.length] ?? NONE);
        if (n >= WARM_UP) each[size].push(performance.now() - startedAt);
      }
    }
  }
  const figures = Object.fromEntries(
    [...took].map(([act, each]) => {
      const [of5, of500] = [summarise(each.few, 1), summarise(each.many, 1)];
      const times = round(of500.p50Ms / of5.p50Ms);
      return [act, { with5Ms: of5.p50Ms, with500Ms: of500.p50Ms, times, p99: [of5.p99Ms, of500.p99Ms] }];
    }),
  );
  const { rows } = await owner.query('select count(*)::int as examinations from examinations');
  const isRed = Object.values(figures).some(({ times }) => times > GOAL);
  console.log(JSON.stringify({ load: loadavg(), rounds: ROUNDS, goal: GOAL, isRed, ...rows[0], figures }, null, 2));
  if (isRed) process.exitCode = 1;
} finally {
  await server.close(0);
  await db.destroy();
  await owner.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

interface MeasuredChat {
  readonly id: string;
  readonly newest: string;
}

async function findChats() {
  const { rows } = await owner.query<MeasuredChat & { n: number }>(
    `select distinct on (m.n) m.id, m.n, e.id as newest from made m join examined e on e.chat_id = m.id
     where m.n < $1 and e.template_id = '00000000-0000-7000-8000-0000000000e1' order by m.n, e.place desc`,
    [FEW.chats + MANY.chats],
  );
  return { few: rows.filter(({ n }) => n < FEW.chats), many: rows.filter(({ n }) => n >= FEW.chats) };
}

async function makeToken(): Promise<string> {
  const token = newToken();
  await owner.query(
    `insert into access_tokens (id, user_id, name, abilities, token_hash, expires_at)
     select $1, id, 'bench', '{*}', $2, now() + interval '1 day' from person where n = 0`,
    [randomUUID(), hashSecret(token)],
  );
  return token;
}

function actsOf(token: string): Record<string, (chat: MeasuredChat) => Promise<unknown>> {
  const ask = async (url: string, payload?: object) => {
    const method = payload ? 'POST' : 'GET';
    const headers = { authorization: `Bearer ${token}` };
    const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.payload}`);
  };
  return {
    'opening the chat': async ({ id }) => {
      await ask(`/api/chats/${id}`);
      await ask(`/api/chats/${id}/messages`);
    },
    'the examinations of the chat': ({ id }) => ask(`/api/chats/${id}/examinations`),
    'opening the newest examination': ({ newest }) => ask(`/api/examinations/${newest}`),
    'how its potassium developed': ({ newest }) => ask(`/api/examinations/${newest}/trend?field=potassium&limit=5`),
    'what a hand-over can be drafted from': ({ id }) => ask(`/api/chats/${id}/handover-suggestions`),
    'sending a message': ({ id }) => ask(`/api/chats/${id}/messages`, { client_id: randomUUID(), body: 'Seen.' }),
  };
}
