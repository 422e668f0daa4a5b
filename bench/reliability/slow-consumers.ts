/**
 * R9, A43: 100 clients stop reading (SIGSTOP) in a chat in which 100 others go on: 20 messages a second of 7 kB. They stay stopped for a round,
 * beside rounds without them in turns; then they have to have everything. At last they go on as soon as the server has let go of them, and so
 * hear why.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/reliability/slow-consumers.ts [--rounds 3] [--seconds 50]
 *
 * Prints one JSON: growth of the server's memory, the others' p50 and p99 in both kinds of rounds, with which code the stopped were closed, and
 * how long until all had everything by their cursor. Measures the server as it was built last.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Member, openHospital, SAID_BEFORE } from '../delivery/hospital.ts';
import { untilStored } from '../delivery/wardline.ts';
import { createHttpSender } from '../durable-send/http-sender.ts';
import { round, sendAtRate } from '../durable-send/measure.ts';
import { MANY_BEHIND_ONE_ADDRESS, type OpenServer, withServer } from './open-server.ts';
import { People, type Reached } from './people.ts';
import { stamp } from './person.ts';
import { median, memoryMbOf, watchMost } from './process-figures.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '50' } },
});
const ROUNDS = Number(values.rounds);
const ROUND_MS = 1_000 * Number(values.seconds);
const OTHERS = 100;
const STOPPED = 100;
const SENDERS = 10;
const PER_SECOND = 20;
const TEXT = 'Potassium 6.8, repeat in two hours. '.repeat(200).slice(0, 7_000);
const WARM_UP_MS = 10_000;
const CONVERGE_MS = 60_000;
const GOALS = { growthMb: 200, timesP99: 1.2 };

const [others, slow] = [new People(), new People()];
try {
  const settings = { ...MANY_BEHIND_ONE_ADDRESS, WARDLINE_WRITES_PER_SECOND: '10000' };
  console.log(JSON.stringify(await withServer(settings, measure), null, 2));
} finally {
  others.end();
  slow.end();
}

async function measure(server: OpenServer) {
  const { members, chatIds } = await openHospital(server.databaseUrl, { people: OTHERS + STOPPED, chats: 1 });
  const where = { port: server.port, chatId: chatIds[0] ?? '' };
  const [talking, slowMembers] = [members.slice(0, OTHERS), members.slice(OTHERS)];
  await others.join({ ...where, members: talking });
  const chat = { server, talking, chatId: where.chatId, said: SAID_BEFORE };
  await talk(chat, WARM_UP_MS);
  const idleMb = memoryMbOf(server.pid);
  const [without, beside]: [Talked[], (Talked & Stopped)[]] = [[], []];
  for (let n = 0; n < ROUNDS; n++) {
    without.push(tell(await talk(chat, ROUND_MS)));
    await slow.join({ ...where, members: slowMembers });
    beside.push(tell(await talkBesideStopped(chat, 'until the round is over')));
    await slow.leave();
  }
  await slow.join({ ...where, members: slowMembers });
  const sentAway = await talkBesideStopped(chat, 'until they are sent away');
  const timesP99 = round(median(beside.map(({ p99Ms }, n) => p99Ms / (without[n]?.p99Ms ?? Number.NaN))));
  const growthMb = Math.max(...beside.map((one) => one.growthMb));
  const all = [...without, ...beside, sentAway];
  return {
    goal: 'R9',
    setUp: {
      ...{ cpus: cpus().length, load: loadavg(), node: process.version, rounds: ROUNDS, seconds: ROUND_MS / 1_000 },
      ...{ others: OTHERS, stopped: STOPPED, perSecond: PER_SECOND, bytes: TEXT.length },
    },
    memory: { idleMb: Math.round(idleMb), growthMb, goal: GOALS.growthMb },
    others: { timesP99, goal: GOALS.timesP99, without: without.map(figuresOf), beside: beside.map(figuresOf) },
    stopped: [...beside, sentAway].map(({ stopped, closedAfterMs }) => ({ closedAfterMs, ...stopped })),
    met: {
      memory: growthMb <= GOALS.growthMb,
      others: timesP99 <= GOALS.timesP99,
      allDelivered: all.every(({ heard, sent, closed }) => heard === sent * OTHERS && Object.keys(closed).length === 0),
      sentAwayWith4100: sentAway.stopped.closed[4100] === STOPPED,
      converged: [...beside, sentAway].every(({ stopped }) => stopped.isThere && stopped.lost === 0),
    },
  };
}

interface Chat {
  readonly server: OpenServer;
  readonly talking: readonly Member[];
  readonly chatId: string;
  /** The seq of the last message. */
  said: number;
}

interface Talked extends Reached {
  readonly sent: number;
}

interface Stopped {
  readonly growthMb: number;
  /** Null where they were held all the time. */
  readonly closedAfterMs: number | null;
  readonly stopped: Reached;
}

const figuresOf = ({ sent, p50Ms, p99Ms, heard, closed, failed }: Talked) => ({
  ...{ sent, heard, p50Ms: round(p50Ms), p99Ms: round(p99Ms), closed, failed },
});

/** A round as it ends. */
function tell<Told extends Talked>(round: Told): Told {
  console.error(JSON.stringify(round));
  return round;
}

/** Messages at the rate for so long; what the others heard of it. */
async function talk(chat: Chat, durationMs: number): Promise<Talked> {
  await others.forget();
  const senders = chat.talking.slice(0, SENDERS).map(({ token }) => {
    const sender = untilStored(createHttpSender(chat.server.port, { token, chatId: chat.chatId }));
    return { ...sender, send: () => sender.send(stamp(TEXT)) };
  });
  const { length: sent } = await sendAtRate(senders, { perSecond: PER_SECOND, durationMs });
  chat.said += sent;
  for (const sender of senders) await sender.close();
  return { sent, ...(await others.haveReached(chat.said, { people: OTHERS, withinMs: CONVERGE_MS })) };
}

async function talkBesideStopped(
  chat: Chat,
  long: 'until the round is over' | 'until they are sent away',
): Promise<Talked & Stopped> {
  const { server } = chat;
  const beforeMb = memoryMbOf(server.pid);
  const memory = watchMost(() => memoryMbOf(server.pid));
  slow.stop();
  const closing = untilSentAway(server).then((closedAfterMs) => {
    if (long === 'until they are sent away') slow.goOn();
    return closedAfterMs;
  });
  const talked = await talk(chat, ROUND_MS);
  const closedAfterMs = await closing;
  const growthMb = Math.round(memory.most() - beforeMb);
  slow.goOn();
  const stopped = await slow.haveReached(chat.said, { people: STOPPED, withinMs: CONVERGE_MS });
  return { ...talked, growthMb, closedAfterMs, stopped };
}

/** After how many milliseconds the server held the sockets of the others only. */
async function untilSentAway({ metric }: OpenServer): Promise<number | null> {
  const startedAt = performance.now();
  while ((await metric('wardline_realtime{what="sockets"}')) > OTHERS) {
    if (performance.now() - startedAt > ROUND_MS) return null;
    await sleep(500);
  }
  return Math.round(performance.now() - startedAt);
}
