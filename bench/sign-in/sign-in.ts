/**
 * A nurse signs in at a device that knows her, once a second, while 30 strangers guess her password from 50 addresses, some of
 * her own network: 1,000 guesses in all (F-S3, A2). Says how long she waited, how many guesses were looked at and not sent away,
 * and the same for her alone, in the same run.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/sign-in/sign-in.ts [--guesses 1000] [--strangers 30] [--turns 20]
 *
 * Prints one JSON. Measures the server as it was built last, with argon2 as in production.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createPasswords } from '../../apps/server/src/features/auth/index.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';
import { startWardline } from '../durable-send/wardline-process.ts';

const { values } = parseArgs({
  options: {
    guesses: { type: 'string', default: '1000' },
    strangers: { type: 'string', default: '30' },
    turns: { type: 'string', default: '20' },
  },
});
const [guesses, strangers, turns] = [values.guesses, values.strangers, values.turns].map(Number) as [
  number,
  number,
  number,
];
const GOAL_MS = 2_000;
const GOAL_LOOKED_AT = 100;
const PASSWORD = 'nine quiet lanterns by the door';
const EMAIL = `${randomUUID()}@people.test`;
const HOME = '203.0.113.20';
const APP_KEY = randomBytes(32).toString('hex');

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
const server = await startWardline(postgres.connectionString, join(dataDir, 'server'), {
  WARDLINE_APP_KEY: APP_KEY,
  WARDLINE_TRUSTED_PROXY_HOPS: '1',
});
try {
  await addNurse();
  const nurse = browser(HOME);
  // From here on the device knows her.
  await signIn(nurse, PASSWORD);
  await ask(nurse, 'POST', '/logout', {});
  const alone = await signInsOf(nurse, turns);
  const answers = new Map<number, number>();
  const guessing = guessAll(answers);
  const meanwhile = await signInsOf(nurse, turns);
  await guessing;
  const lookedAt = answers.get(422) ?? 0;
  const setUp = { cpus: cpus().length, load: loadavg(), node: process.version, guesses, strangers, turns };
  const isMet = meanwhile.max <= GOAL_MS && lookedAt <= GOAL_LOOKED_AT;
  const report = {
    aloneMs: alone,
    meanwhileMs: meanwhile,
    guessesLookedAt: lookedAt,
    answers: Object.fromEntries(answers),
  };
  console.log(JSON.stringify({ goal: 'F-S3 A2', isMet, setUp, ...report }, null, 2));
} finally {
  await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function addNurse(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.connectionString });
  client.on('error', () => {});
  await client.connect();
  await client.query(
    'insert into users (id, name, email, email_verified_at, password_hash) values (gen_random_uuid(), $1, $2, now(), $3)',
    ['Bench', EMAIL, await createPasswords(Buffer.from(APP_KEY)).hash(PASSWORD)],
  );
  await client.end();
}

interface Browser {
  readonly ip: string;
  readonly cookies: Map<string, string>;
}

function browser(ip: string): Browser {
  return { ip, cookies: new Map() };
}

async function ask({ ip, cookies }: Browser, method: string, path: string, body?: object): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: {
      ...{ accept: 'application/json', 'content-type': 'application/json', 'x-forwarded-for': ip },
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  }
  await answer.arrayBuffer();
  return answer.status;
}

async function signIn(person: Browser, password: string): Promise<number> {
  if (!person.cookies.has('XSRF-TOKEN')) await ask(person, 'GET', '/sanctum/csrf-cookie');
  return ask(person, 'POST', '/login', { email: EMAIL, password });
}

/** How long each took, a second apart; throws where one was refused. */
async function signInsOf(person: Browser, count: number) {
  const took: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const before = performance.now();
    const status = await signIn(person, PASSWORD);
    took.push(performance.now() - before);
    if (status !== 200) throw new Error(`the nurse was answered ${status}`);
    await ask(person, 'POST', '/logout', {});
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => Math.round(took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Each stranger guesses as fast as it is answered, from the next of 50 addresses each time, every fourth in the nurse's network. */
async function guessAll(answers: Map<number, number>): Promise<void> {
  let left = guesses;
  const one = async (): Promise<void> => {
    const own = browser(HOME);
    while (left > 0) {
      left -= 1;
      const address = left % 50;
      const ip = address % 4 === 0 ? `203.0.113.${100 + address}` : `198.51.${address}.7`;
      const status = await signIn({ ...own, ip }, `guess number ${left}`);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: strangers }, one));
}
