import { createHistogram } from 'node:perf_hooks';
import type { Member } from '../delivery/hospital.ts';
import { Person } from './person.ts';

/** Opens the clients of these people. */
export interface JoinOrder {
  readonly kind: 'join';
  readonly port: number;
  readonly members: readonly Member[];
  readonly chatId: string | null;
  /** How many sign in at the same time. */
  readonly atOnce: number;
  readonly localAddress?: string;
}

export type Order = JoinOrder | { readonly kind: 'forget' | 'report' | 'leave' };

/** What came to pass since it was last told to forget, and how everybody is now. */
export interface Report {
  readonly heard: number;
  /** Milliseconds from the sending of a message until it was heard, over all messages and people. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How often a socket was closed with each code. */
  readonly closed: Readonly<Record<string, number>>;
  /** How often what was answered with what. */
  readonly failed: Readonly<Record<string, number>>;
  readonly open: number;
  /** The cursor of who is the furthest behind. */
  readonly cursor: number;
  readonly lost: number;
}

const US = 1_000;

let people: Person[] = [];
let closed: Record<string, number> = {};
let failed: Record<string, number> = {};
const took = createHistogram();

process.on('message', (order: Order) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());

async function carryOut(order: Order): Promise<Report> {
  if (order.kind === 'join') await join(order);
  if (order.kind === 'leave') {
    for (const person of people) person.leave();
    people = [];
  }
  if (order.kind !== 'report') {
    took.reset();
    closed = {};
    failed = {};
  }
  return reportNow();
}

async function join({ members, atOnce, ...where }: JoinOrder): Promise<void> {
  const coming = members.map(
    (member) =>
      new Person({
        localAddress: undefined,
        ...where,
        member,
        onHeard: (ms) => took.record(Math.max(1, Math.round(ms * US))),
        onClosed(code) {
          closed[code] = (closed[code] ?? 0) + 1;
        },
        onFailed(what) {
          failed[what] = (failed[what] ?? 0) + 1;
        },
      }),
  );
  people.push(...coming);
  const waiting = [...coming];
  const work = async () => {
    for (let person = waiting.pop(); person; person = waiting.pop()) await person.join().catch(() => {});
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

function reportNow(): Report {
  return {
    heard: took.count,
    p50Ms: took.percentile(50) / US,
    p99Ms: took.percentile(99) / US,
    closed: { ...closed },
    failed: { ...failed },
    open: people.filter(({ isOpen }) => isOpen).length,
    cursor: people.length === 0 ? 0 : Math.min(...people.map(({ cursor }) => cursor)),
    lost: people.reduce((sum, { lost }) => sum + lost, 0),
  };
}
