/**
 * A3: whether an answer tells by its time who has an account. 300 each in turns of signing in, asking for a new password
 * and signing up, about an address that is known and one that is not, against the whole server at its own cost of hashing.
 *   npx tsx --tsconfig bench/tsconfig.json bench/same-time/same-time.ts [--rounds 300]
 * Prints one JSON; ends with 1 where a difference shows. Some five minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mannWhitney } from './mann-whitney.ts';
import { openHouse, type Visitor } from './open-house.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '300' } } });
const rounds = Number(values.rounds);
const WARM_UP = 10;
/** Red is what is unlikely to be chance and large enough to be measured from outside; both, not one of them. */
const RED = { p: 0.01, gapMs: 5 };

const PASSWORD = 'violet tram over the harbour';
const ACTS: Readonly<Record<string, (visitor: Visitor, email: string) => Promise<void>>> = {
  signIn: (visitor, email) => visitor.post('/login', { email, password: PASSWORD }, 422),
  forgotPassword: (visitor, email) => visitor.post('/forgot-password', { email }, 200),
  register: (visitor, email) => {
    const body = { name: 'Robin Sample', email, password: PASSWORD, password_confirmation: PASSWORD };
    return visitor.post('/register', body, 204);
  },
};

const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const house = await openHouse(dataDir);
try {
  const known = await house.addPeople(rounds + WARM_UP);
  const measured = [];
  for (const [name, act] of Object.entries(ACTS)) measured.push([name, await compare(known, act)] as const);
  const setUp = { cpus: cpus().length, node: process.version, postgres: house.postgresVersion, rounds };
  console.log(JSON.stringify({ goal: 'A3', setUp, red: RED, ...Object.fromEntries(measured) }, null, 2));
  if (measured.some(([, { isRed }]) => isRed)) process.exitCode = 1;
} finally {
  await house.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Each round asks about both, now one first and now the other; what is mailed for it is sent before the next. */
async function compare(known: readonly string[], act: (visitor: Visitor, email: string) => Promise<void>) {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (const [round, email] of known.entries()) {
    const emails = { known: email, unknown: `${crypto.randomUUID()}@people.test` };
    const order = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of order) {
      const visitor = await house.visitor();
      const startedAt = performance.now();
      await act(visitor, emails[kind]);
      const tookMs = performance.now() - startedAt;
      await house.runJobs();
      if (round >= WARM_UP) times[kind].push(tookMs);
    }
  }
  const medianMs = { known: median(times.known), unknown: median(times.unknown) };
  const gapMs = Math.abs(medianMs.known - medianMs.unknown);
  const p = mannWhitney(times.known, times.unknown);
  const isRed = p < RED.p && gapMs > RED.gapMs;
  return {
    medianMs: { known: round(medianMs.known), unknown: round(medianMs.unknown) },
    gapMs: round(gapMs),
    p: Number(p.toPrecision(2)),
    isRed,
  };
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
