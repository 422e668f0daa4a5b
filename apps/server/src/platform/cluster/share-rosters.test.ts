import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { Rosters } from '#/platform/realtime/channels/rosters.ts';
import { runs } from '#/testing/nightly.ts';
import { createRedisBus } from './redis-bus.ts';
import { shareRosters } from './share-rosters.ts';
import { type LossyLine, LossyRedis } from './testing/lossy-redis.ts';

const CHANNELS = ['presence-a', 'presence-b'];
const PEOPLE = ['ana', 'ben', 'mira'];
/** Two of them are a piece of a roster. */
const INFO = { about: 'x'.repeat(40_000) };
const KEY = Buffer.alloc(32, 'of all servers');

/** What one client sees of a channel. */
interface Client {
  readonly channel: string;
  readonly memberId: string;
  readonly sees: Set<string>;
}

/** A server with its clients, as the gateway treats them: none is there while the others are not heard. */
class Server {
  readonly line: LossyLine;
  readonly clients: Client[] = [];
  readonly #rosters: Rosters;
  readonly #bus: ReturnType<typeof createRedisBus>;

  constructor(redis: LossyRedis) {
    this.line = redis.open();
    this.#rosters = new Rosters({
      added: (channel, { id }) =>
        this.#tell(channel, (sees) => {
          expect(sees.has(id)).toBe(false);
          sees.add(id);
        }),
      removed: (channel, id) => this.#tell(channel, (sees) => expect(sees.delete(id)).toBe(true)),
      cameHere: () => undefined,
      wentFromHere: () => undefined,
    });
    this.#bus = createRedisBus({ ...this.line, subject: 'test', key: KEY, log: createLog('silent') });
    shareRosters('product', this.#rosters, this.#bus);
    this.#bus.onHearing((isHearing) => {
      if (!isHearing) while (this.clients.length > 0) this.leave(0);
    });
    this.line.connect();
  }

  get isHearing(): boolean {
    return this.#bus.isHearing();
  }

  join(channel: string, memberId: string): void {
    if (!this.isHearing) return;
    this.#rosters.join(channel, { id: memberId, info: INFO });
    this.clients.push({ channel, memberId, sees: new Set(this.members(channel)) });
  }

  leave(index: number): void {
    const [client] = this.clients.splice(index, 1);
    if (client) this.#rosters.leave(client.channel, client.memberId);
  }

  members(channel: string): string[] {
    return this.#rosters.roster(channel).ids.sort();
  }

  /** As by SIGKILL: nobody is told of anything. */
  kill(): void {
    this.#bus.close();
    this.line.cut();
    this.clients.length = 0;
  }

  #tell(channel: string, change: (sees: Set<string>) => unknown): void {
    for (const client of this.clients) if (client.channel === channel) change(client.sees);
  }
}

/** Time passes, and what is on its way arrives within a tenth of a second. */
async function pass(servers: readonly Server[], ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await vi.advanceTimersByTimeAsync(0);
    for (const { line } of servers) line.arrive(Number.POSITIVE_INFINITY);
    await vi.advanceTimersByTimeAsync(100);
  }
}

interface Step {
  readonly redis: LossyRedis;
  readonly servers: Server[];
  readonly index: number;
  readonly number: number;
}

/** What happens to the server at `index`. */
const STEPS = {
  join: ({ servers, index, number }: Step) =>
    servers[index]?.join(CHANNELS[number % CHANNELS.length] ?? '', PEOPLE[number % PEOPLE.length] ?? ''),
  leave: ({ servers, index, number }: Step) => servers[index]?.leave(number),
  arrive: ({ servers, index, number }: Step) => servers[index]?.line.arrive(number),
  pass: ({ servers, number }: Step) => pass(servers, number * 100),
  lose: ({ servers, index }: Step) => servers[index]?.line.lose(),
  cut: ({ servers, index }: Step) => servers[index]?.line.cut(),
  connect: ({ servers, index }: Step) => servers[index]?.line.connect(),
  kill: ({ servers, index }: Step) => (servers.length > 1 ? servers.splice(index, 1)[0]?.kill() : undefined),
  start: ({ redis, servers }: Step) => void (servers.length < 4 && servers.push(new Server(redis))),
};

function expectAllSeen(server: Server, servers: readonly Server[]): void {
  expect(server.isHearing).toBe(true);
  for (const channel of CHANNELS) {
    const there = servers.flatMap(({ clients }) => clients.filter((client) => client.channel === channel));
    const union = [...new Set(there.map(({ memberId }) => memberId))].sort();
    const [members, ...clients] = sees(server, channel);
    expect(members).toEqual(union);
    for (const client of clients) expect(client).toEqual(union);
  }
}

/** The members that a server knows, and those that each of its clients in the channel sees. */
function sees(server: Server | undefined, channel = 'presence-a') {
  const clients = (server?.clients ?? []).filter((client) => client.channel === channel);
  return [server?.members(channel), ...clients.map((client) => [...client.sees].sort())];
}

describe('the members at several servers', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance', 'Date'],
    });
  });
  afterEach(() => void vi.useRealTimers());

  async function start(count: number): Promise<{ redis: LossyRedis; servers: Server[] }> {
    const redis = new LossyRedis();
    const servers = Array.from({ length: count }, () => new Server(redis));
    await pass(servers, 3_000);
    return { redis, servers };
  }

  it('OPS-5 who comes and goes at one server does so at all, and a person at two is one until the last goes', async () => {
    const { servers } = await start(2);
    const [a, b] = servers;
    a?.join('presence-a', 'ana');
    await pass(servers, 100);
    b?.join('presence-a', 'ben');
    b?.join('presence-a', 'ana');
    await pass(servers, 100);
    expect([sees(a), sees(b)]).toEqual([
      [
        ['ana', 'ben'],
        ['ana', 'ben'],
      ],
      [
        ['ana', 'ben'],
        ['ana', 'ben'],
        ['ana', 'ben'],
      ],
    ]);
    b?.leave(1);
    await pass(servers, 100);
    expect(sees(a)).toEqual([
      ['ana', 'ben'],
      ['ana', 'ben'],
    ]);
    a?.leave(0);
    await pass(servers, 100);
    expect([sees(a), sees(b)]).toEqual([[['ben']], [['ben'], ['ben']]]);
  });

  it('OPS-5 a server that begins learns who is there, however many pieces it takes', async () => {
    const { redis, servers } = await start(2);
    for (const person of PEOPLE) servers[0]?.join('presence-a', person);
    servers[1]?.join('presence-b', 'mira');
    servers.push(new Server(redis));
    await pass(servers, 3_000);
    expect([sees(servers[2]), sees(servers[2], 'presence-b')]).toEqual([[PEOPLE], [['mira']]]);
  });

  it('OPS-5 who was at a server that is killed leaves within six seconds, but not who is elsewhere too', async () => {
    const { servers } = await start(3);
    const [a, b, c] = servers;
    a?.join('presence-a', 'ana');
    a?.join('presence-a', 'ben');
    b?.join('presence-a', 'ben');
    c?.join('presence-a', 'mira');
    await pass(servers, 100);
    a?.kill();
    await pass(servers, 6_000);
    expect([sees(b), sees(c)]).toEqual([
      [
        ['ben', 'mira'],
        ['ben', 'mira'],
      ],
      [
        ['ben', 'mira'],
        ['ben', 'mira'],
      ],
    ]);
  });

  it('OPS-5 whatever comes, goes and is lost, in the end all servers and clients see whoever is there', async () => {
    const at = fc.nat({ max: 3 });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('join' as const), at, fc.nat({ max: 5 })) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('leave' as const), at, fc.nat({ max: 5 })) },
      { weight: 5, arbitrary: fc.tuple(fc.constant('arrive' as const), at, fc.nat({ max: 9 })) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('pass' as const), at, fc.nat({ max: 40 })) },
      {
        weight: 2,
        arbitrary: fc.tuple(fc.constantFrom('lose', 'cut', 'connect', 'kill', 'start'), at, fc.constant(0)),
      },
    );
    const run = async (steps: readonly (readonly [keyof typeof STEPS, number, number])[]) => {
      const { redis, servers } = await start(2);
      for (const [what, place, number] of steps) {
        await STEPS[what]({ redis, servers, index: place % servers.length, number });
        // What was told in this turn is on its way.
        await vi.advanceTimersByTimeAsync(0);
      }
      for (const { line } of servers) line.connect();
      await pass(servers, 10_000);
      for (const server of servers) expectAllSeen(server, servers);
      for (const server of servers) server.kill();
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), run), { numRuns: runs(100) });
  });
});
