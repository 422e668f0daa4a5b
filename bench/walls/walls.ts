/**
 * What the second wall costs (A16, docs/decisions/057): a message that is stored, a list of 50 of 200 chats, a page of 50 messages and the
 * opening of a chat over HTTP, by a server that states the actor under policies and by one without, in turns; 20,000 chats,
 * a million messages. Then the plans, in which no policy may ask anything anew for a row.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/walls/walls.ts [--rounds 12]
 * Prints one JSON; ends with 1 where storing or the list takes more than 1.1 times as long, or a plan calls a function for each row.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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
import { asActor } from '../../apps/server/src/platform/db/stated-actor.ts';
import { hashSecret } from '../../apps/server/src/platform/http/session-cookie.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { FILL } from '../chat-list/fill.ts';
import { round, summarise } from '../durable-send/measure.ts';
import { serveOn } from '../same-time/open-house.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '12' } } });
const ROUNDS = Number(values.rounds);
const TIMES = 25;
const WARM_UP = 30;
const GOAL = 1.1;
const WAYS = ['before', 'walled'] as const;
type Way = (typeof WAYS)[number];

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const owner = new pg.Client({ connectionString: postgres.connectionString });
const log = createLog('silent');
const databases = {
  // The same rights, and no policy holds for it.
  before: createDatabase(unwalled(postgres.connectionString), log),
  walled: createDatabase(postgres.appConnectionString, log, { isWalled: true }),
};
const servers: WardlineServer[] = [];
try {
  await migrate(postgres.connectionString, fileURLToPath(new URL('../../apps/server/db', import.meta.url)));
  await owner.connect();
  await owner.query('create role wardline_before bypassrls');
  for (const role of ['wardline_app', 'wardline_before']) await grantAppRole(postgres.connectionString, role);
  // Filled in a tenth of the time; the words of the texts are not asked for here.
  await owner.query('drop index messages_search_idx');
  await owner.query(FILL);
  await owner.query('vacuum analyze');
  const { person, facility, chat } = (
    await owner.query<{ person: string; facility: string; chat: string }>(`
      select p.id as person, f.id as facility, (select chat_id from chat_participants where user_id = p.id order by chat_id limit 1) as chat
      from person p, facilities f where p.n = 0`)
  ).rows[0] ?? { person: '', facility: '', chat: '' };
  const token = newToken();
  await owner.query(
    `insert into access_tokens (id, user_id, name, abilities, token_hash, expires_at) values ($1, $2, 'bench', '{*}', $3, now() + interval '1 day')`,
    [randomUUID(), person, hashSecret(token)],
  );
  const headers = { authorization: `Bearer ${token}` };
  const appKey = randomBytes(32).toString('hex');
  const serving = { appKey, dataDir, writesPerSecond: 100_000 };
  const [before, walled] = [await serveOn(databases.before, serving), await serveOn(databases.walled, serving)];
  servers.push(before, walled);
  const ask = async ({ app }: WardlineServer, method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.payload}`);
  };
  const acts: Readonly<Record<string, (server: WardlineServer) => Promise<void>>> = {
    send: (server) =>
      ask(server, 'POST', `/api/chats/${chat}/messages`, { client_id: randomUUID(), body: 'Potassium is 5.2 now.' }),
    chatList: (server) => ask(server, 'GET', `/api/facilities/${facility}/chats`),
    page: (server) => ask(server, 'GET', `/api/chats/${chat}/messages`),
    chat: (server) => ask(server, 'GET', `/api/chats/${chat}`),
  };
  const took = new Map<string, Record<Way, number[]>>(
    Object.keys(acts).map((name) => [name, { before: [], walled: [] }]),
  );
  // Turn by turn, each call beside one of the other, so that both meet the same moments of the machine.
  for (let n = 0; n < ROUNDS * TIMES + WARM_UP; n++) {
    for (const [name, act] of Object.entries(acts)) {
      for (const way of n % 2 === 0 ? WAYS : WAYS.toReversed()) {
        const startedAt = performance.now();
        await act(way === 'walled' ? walled : before);
        if (n >= WARM_UP) took.get(name)?.[way].push(performance.now() - startedAt);
      }
    }
  }
  const figures = Object.fromEntries(
    [...took].map(([name, each]) => {
      const [was, is] = [summarise(each.before, 1), summarise(each.walled, 1)];
      return [
        name,
        { before: was.p50Ms, walled: is.p50Ms, times: round(is.p50Ms / was.p50Ms), p99: [was.p99Ms, is.p99Ms] },
      ];
    }),
  );
  const plans = await explain({ person, facility, chat });
  const perRow = Object.entries(plans).filter(([, lines]) =>
    lines.some((line) => /Filter:.*wall_(?!actor)\w+\(/.test(line)),
  );
  const isRed = perRow.length > 0 || ['send', 'chatList'].some((name) => (figures[name]?.times ?? 9) > GOAL);
  const carried = { withoutNs: await carry((run) => run()), withNs: await carry((run) => asActor(person, [], run)) };
  console.log(JSON.stringify({ load: loadavg(), rounds: ROUNDS, goal: GOAL, isRed, figures, carried, plans }, null, 2));
  if (isRed) process.exitCode = 1;
} finally {
  for (const server of servers) await server.close(0);
  await owner.end();
  await Promise.all(Object.values(databases).map((db) => db.destroy()));
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function unwalled(connectionString: string): string {
  const url = new URL(connectionString);
  url.searchParams.set('options', '-c role=wardline_before');
  return url.href;
}

/** What it costs to have the actor carried through a request's promises. */
async function carry(within: (run: () => Promise<void>) => Promise<void>): Promise<number> {
  const times = 20_000;
  const startedAt = performance.now();
  for (let n = 0; n < times; n++) {
    await within(async () => {
      for (let k = 0; k < 20; k++) await null;
    });
  }
  return Math.round(((performance.now() - startedAt) / times) * 1e6);
}

async function explain({ person, facility, chat }: { person: string; facility: string; chat: string }) {
  const client = new pg.Client({ connectionString: postgres.appConnectionString });
  await client.connect();
  await client.query(`select set_config('wardline.actor', $1, false)`, [person]);
  const questions = {
    list: `select c.id, c.title from own_chats c where c.user_id = '${person}' and c.facility_id = '${facility}'
      order by c.updated_at desc, c.id desc limit 51`,
    page: `select m.* from messages m where m.chat_id = '${chat}' and m.seq <= 50 order by m.seq desc limit 50`,
    everything: 'select count(*) from messages',
  };
  const plans: Record<string, string[]> = {};
  for (const [name, text] of Object.entries(questions)) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`);
    plans[name] = rows.map((row) => row['QUERY PLAN']);
  }
  await client.end();
  return plans;
}
