import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveRelay } from './channels/options.ts';
import { identityOf, type Person, RawClient, startGateway, type TestGateway, until } from './testing/gateway.ts';

const ada: Person = { id: 'u1' };
const ben: Person = { id: 'u2' };
const LIVE = 'client-live';

let server: TestGateway;
let asked: string[];
let answers: (() => void)[];
/** What the server makes of a message; it waits until the test lets it go on. */
let relay: (channel: string, text: string) => LiveRelay | null;
let passTime: (ms: number) => void;

beforeEach(async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  passTime = (ms) => {
    now += ms;
  };
  [asked, answers] = [[], []];
  relay = (channel, text) => ({ channels: [channel], userId: 'u1', data: JSON.parse(text) });
  server = await startGateway({
    async relayLive(_identity, channel, text) {
      asked.push(text);
      await new Promise<void>((resolve) => answers.push(resolve));
      return relay(channel, text);
    },
  });
});
afterEach(async () => {
  await server.stop();
  vi.restoreAllMocks();
});

async function enter(person: Person, ...channels: string[]): Promise<RawClient> {
  const client = await RawClient.connect(server.port);
  server.gateway.identify(client.socketId, identityOf(person));
  for (const channel of channels) await client.join(server.gateway, channel, person);
  return client;
}
const say = (client: RawClient, n: number, channel = 'presence-ward') =>
  client.send({ event: LIVE, channel, data: { n } });
const answerAll = async () => {
  for (const answer of answers.splice(0)) answer();
  await new Promise((resolve) => setImmediate(resolve));
};
const heard = (client: RawClient) => client.of(LIVE).map(({ data }) => JSON.parse(String(data)).n);

test('RT-3 A42 of what comes while one message is looked at the last counts, and ten a second are taken at most', async () => {
  const [from, to] = [await enter(ada, 'presence-ward'), await enter(ben, 'presence-ward')];
  for (let n = 1; n <= 30; n += 1) say(from, n);
  await from.settle();
  expect(asked).toEqual(['{"n":1}']);
  expect(from.of('pusher:error')).toHaveLength(20);
  await answerAll();
  await answerAll();
  await until(() => heard(to).length === 2, 'the first and the last are heard');
  expect([asked, heard(to)]).toEqual([
    ['{"n":1}', '{"n":10}'],
    [1, 10],
  ]);
  passTime(1_000);
  say(from, 31);
  await from.settle();
  await answerAll();
  await until(() => heard(to).length === 3, 'the next second is another');
});

test('RT-1 CHAT-6 goes to the channels that the server names, with the sender that it names, and to nobody who asks', async () => {
  relay = (_channel, text) => ({
    channels: ['presence-ward', 'private-ward'],
    userId: 'somebody',
    data: JSON.parse(text),
  });
  const [from, inside, past] = [
    await enter(ada, 'presence-ward'),
    await enter(ben, 'presence-ward'),
    await enter(ben, 'private-ward'),
  ];
  say(from, 1);
  await until(() => asked.length === 1, 'it is looked at');
  await answerAll();
  await until(() => heard(inside).length === 1 && heard(past).length === 1, 'both hear it');
  expect([...inside.of(LIVE), ...past.of(LIVE)].map(({ user_id }) => user_id)).toEqual(['somebody', 'somebody']);
  expect(heard(from)).toEqual([]);
});

test('CHAT-6 RT-10 a message goes nowhere whose sender has left, or was sent away, while it was looked at', async () => {
  const [from, to] = [await enter(ada, 'presence-ward'), await enter(ben, 'presence-ward')];
  say(from, 1);
  await until(() => asked.length === 1, 'it is looked at');
  from.send({ event: 'pusher:unsubscribe', data: { channel: 'presence-ward' } });
  await from.settle();
  await answerAll();
  await to.settle();
  expect(heard(to)).toEqual([]);
  relay = () => null;
  const again = await enter(ada, 'presence-ward');
  say(again, 2);
  await until(() => asked.length === 2, 'it is looked at');
  await answerAll();
  await to.settle();
  expect([heard(to), server.errors]).toEqual([[], []]);
});

test('RT-6 a question that fails is told to nobody but the server, and the next is asked', async () => {
  const [from, to] = [await enter(ada, 'presence-ward'), await enter(ben, 'presence-ward')];
  relay = () => {
    throw new Error('the database is gone');
  };
  say(from, 1);
  await until(() => asked.length === 1, 'it is looked at');
  await answerAll();
  await until(() => server.errors.length === 1, 'the server is told');
  relay = (channel, text) => ({ channels: [channel], userId: 'u1', data: JSON.parse(text) });
  say(from, 2);
  await until(() => asked.length === 2, 'the next is looked at');
  await answerAll();
  await until(() => heard(to).length === 1, 'the next is heard');
  expect(from.closeCode).toBeNull();
});
