/**
 * R18: two servers behind a proxy are restarted one after the other, again and again, while 10 people send 20 messages a second, 10 others read 20
 * times a second and 100 hear. Whatever fails is asked again, as the client does: then nothing has failed, no acknowledged message is lost or
 * there twice, and everybody has all of them.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/reliability/rolling-restart.ts [--rounds 3]
 *
 * `--rounds 20` is the goal. Prints one JSON, and each restart as it is over. Needs a redis-server; measures the server as it was built last.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startRealRedis } from '../../apps/server/src/platform/cluster/testing/real-redis.ts';
import { freePort } from '../../apps/server/src/platform/postgres/server-process.ts';
import { type Member, openHospital, SAID_BEFORE } from '../delivery/hospital.ts';
import { startWardline } from '../durable-send/wardline-process.ts';
import { type Balancer, isReady, startBalancer } from './balancer.ts';
import { withDatabase } from './open-server.ts';
import { People } from './people.ts';
import { stamp } from './person.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const ROUNDS = Number(values.rounds);
const HEARING = 100;
const SENDING = 10;
const READING = 10;
const EACH_EVERY_MS = 500;
/** Between two restarts, so that everybody is back. */
const CALM_MS = 5_000;
const AGAIN_MS = 250;
/** A client asks so often before a person is told. */
const ATTEMPTS = 20;
const GONE_WITHIN_MS = 25_000;
const READY_WITHIN_MS = 60_000;

interface Restart {
  /** Milliseconds from SIGTERM until `/ready` said no, and until the process had ended. */
  readonly unreadyMs: number;
  readonly goneMs: number;
  readonly code: number | null;
  readonly readyAgainMs: number;
}

interface Sent {
  readonly clientId: string;
  readonly seq: number;
}

const appKey = randomBytes(32).toString('hex');
const realtimeSecret = randomBytes(32).toString('hex');
const people = new People();
const redis = await startRealRedis();
try {
  console.log(JSON.stringify(await withDatabase(measure), null, 2));
} finally {
  people.end();
  await redis.close();
}

async function measure(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
  const ports = await Promise.all([0, 1].map(() => freePort()));
  const start = (n: number) =>
    startWardline(databaseUrl, folder, {
      ...{ PORT: String(ports[n]), REDIS_URL: redis.url },
      ...{ WARDLINE_APP_KEY: appKey, WARDLINE_REALTIME_SECRET: realtimeSecret, WARDLINE_STRANGER_SOCKETS: '1000' },
    });
  const servers: Wardline[] = [];
  let balancer: Balancer | undefined;
  try {
    servers.push(await start(0));
    servers.push(await start(1));
    await untilReady(ports);
    balancer = await startBalancer(ports);
    const { members, chatIds } = await openHospital(databaseUrl, { people: HEARING, chats: 1 });
    const chatId = chatIds[0] ?? '';
    const work = createWork(balancer.port, chatId);
    await people.join({ port: balancer.port, members, chatId });
    await people.forget();
    const stopped = new AbortController();
    const [restarts] = await Promise.all([
      restartInTurn({ ports, servers, start }).finally(() => stopped.abort()),
      ...members.slice(0, SENDING).map((member) => work.send(member, stopped.signal)),
      ...members.slice(-READING).map((member) => work.read(member, stopped.signal)),
    ]);
    const heard = await people.haveReached(SAID_BEFORE + work.sent.length, { people: HEARING, withinMs: 30_000 });
    const stored = await compare(databaseUrl, { chatId, sent: work.sent });
    const codes = Object.keys(heard.closed);
    return {
      goal: 'R18',
      setUp: { cpus: cpus().length, load: loadavg(), node: process.version, rounds: ROUNDS, hearing: HEARING },
      acknowledged: work.sent.length,
      ...stored,
      read: work.figures.read,
      askedAgain: work.figures.again,
      failed: work.figures.failed,
      heard: {
        everybodyHasAll: heard.isThere,
        lost: heard.lost,
        closed: heard.closed,
        failed: heard.failed,
        p99Ms: heard.p99Ms,
      },
      restarts: {
        count: restarts.length,
        unreadyMs: Math.max(...restarts.map(({ unreadyMs }) => unreadyMs)),
        goneMs: Math.max(...restarts.map(({ goneMs }) => goneMs)),
        codes: [...new Set(restarts.map(({ code }) => code))],
        readyAgainMs: Math.max(...restarts.map(({ readyAgainMs }) => readyAgainMs)),
      },
      met: {
        requests: Object.keys(work.figures.failed).length === 0,
        acknowledged: stored.lost === 0 && stored.doubled === 0,
        heard: heard.isThere && heard.lost === 0,
        sentAway: codes.every((code) => code === '4100'),
        gone: restarts.every(({ code, goneMs }) => code === 0 && goneMs <= GONE_WITHIN_MS),
      },
    };
  } finally {
    await balancer?.close();
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Wardline = Awaited<ReturnType<typeof startWardline>>;

async function restartInTurn({
  ports,
  servers,
  start,
}: {
  ports: readonly number[];
  servers: Wardline[];
  start(n: number): Promise<Wardline>;
}): Promise<Restart[]> {
  const restarts: Restart[] = [];
  for (let n = 0; n < 2 * ROUNDS; n++) {
    await sleep(CALM_MS);
    const which = n % 2;
    const restart = await restartOne(ports[which] ?? 0, {
      terminate: () => servers[which]?.terminate() ?? Promise.resolve(null),
      async start() {
        servers[which] = await start(which);
      },
    });
    restarts.push(restart);
    console.error(JSON.stringify(restart));
  }
  await sleep(CALM_MS);
  return restarts;
}

async function restartOne(
  port: number,
  server: { terminate(): Promise<number | null>; start(): Promise<void> },
): Promise<Restart> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const ended = server.terminate();
  while (await isReady(port)) await sleep(10);
  const unreadyMs = elapsed();
  const code = await ended;
  const goneMs = elapsed();
  await server.start();
  await untilReady([port]);
  return { unreadyMs, goneMs, code, readyAgainMs: elapsed() - goneMs };
}

async function untilReady(ports: readonly number[]): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  for (const port of ports) {
    while (!(await isReady(port))) {
      if (performance.now() > until) throw new Error(`the server at ${port} is not ready`);
      await sleep(50);
    }
  }
}

/** Requests that are made again until they succeed, each at the rate of its person. */
function createWork(port: number, chatId: string) {
  const path = `/api/chats/${chatId}/messages`;
  const sent: Sent[] = [];
  const figures = { read: 0, again: {} as Record<string, number>, failed: {} as Record<string, number> };
  const tally = (into: Record<string, number>, what: string) => {
    into[what] = (into[what] ?? 0) + 1;
  };

  async function keepAsking(
    agent: Agent,
    { member, body }: { member: Member; body?: object },
  ): Promise<Record<string, unknown> | null> {
    const what = body === undefined ? 'read' : 'send';
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(agent, { port, path, token: member.token, body });
      if (typeof answer !== 'string') return answer;
      if (attempt === ATTEMPTS) {
        tally(figures.failed, `${what} ${answer}`);
        return null;
      }
      tally(figures.again, `${what} ${answer}`);
      await sleep(AGAIN_MS);
    }
  }

  async function atRate(stopped: AbortSignal, act: (agent: Agent) => Promise<void>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopped.aborted) {
      await act(agent);
      await sleep(EACH_EVERY_MS);
    }
    agent.destroy();
  }

  return {
    sent: sent as readonly Sent[],
    figures,
    send: (member: Member, stopped: AbortSignal) =>
      atRate(stopped, async (agent) => {
        const clientId = randomUUID();
        const body = { client_id: clientId, body: stamp('Bed 12 is ready.') };
        const answer = await keepAsking(agent, { member, body });
        if (answer !== null) sent.push({ clientId, seq: Number(answer['seq']) });
      }),
    read: (member: Member, stopped: AbortSignal) =>
      atRate(stopped, async (agent) => {
        if ((await keepAsking(agent, { member })) !== null) figures.read += 1;
      }),
  };
}

/** The body of the answer, or why there is none: the status, or the code of the error. */
function ask(
  agent: Agent,
  { port, path, token, body }: { port: number; path: string; token: string; body: object | undefined },
): Promise<Record<string, unknown> | string> {
  const text = body && JSON.stringify(body);
  return new Promise((resolve) => {
    const sent = request({
      ...{ agent, port, path, host: '127.0.0.1', method: text === undefined ? 'GET' : 'POST' },
      headers: {
        authorization: `Bearer ${token}`,
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    });
    const fail = ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message);
    sent.on('error', fail);
    sent.on('response', (reply) => {
      let answer = '';
      reply.on('data', (chunk: Buffer) => (answer += String(chunk)));
      reply.on('error', fail);
      reply.on('end', () => {
        const { statusCode = 0 } = reply;
        resolve(statusCode < 300 ? (JSON.parse(answer) as Record<string, unknown>) : String(statusCode));
      });
    });
    sent.end(text);
  });
}

/** What was acknowledged and is not there, or at another place, and what is there more often than it was sent. */
async function compare(
  databaseUrl: string,
  { chatId, sent }: { chatId: string; sent: readonly Sent[] },
): Promise<{ lost: number; doubled: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ client_id: string; seq: string }>(
    'select client_id, seq from messages where chat_id = $1 and seq > $2',
    [chatId, SAID_BEFORE],
  );
  await client.end();
  const stored = new Map(rows.map(({ client_id: clientId, seq }) => [clientId, Number(seq)]));
  return {
    lost: sent.filter(({ clientId, seq }) => stored.get(clientId) !== seq).length,
    doubled: rows.length - sent.length,
  };
}
