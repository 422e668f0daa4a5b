import 'fake-indexeddb/auto';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { fakeTime, settle, until } from '@wardline/client/testing/settle.ts';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CHAT, createFakeChatServer, type FakeChatServer, OTHER } from '#/features/chat/testing/fake-chat-server.ts';
import { type FakeDevice, lines, openDevice } from '#/features/chat/testing/fake-device.ts';

/** What may happen, in any order: people write, answers and events are lost, the network and the tab come and go. */
const step = fc.constantFrom(
  'write',
  'say',
  'say-unheard',
  'lose-answers',
  'drop',
  'reconnect',
  'kill',
  'repeat-event',
  'wait',
);
type Step = typeof step extends fc.Arbitrary<infer Name> ? Name : never;

interface World {
  readonly server: FakeChatServer;
  device: FakeDevice;
  written: number;
}

/** A fault planted between client and server, to prove that the property would notice it. */
type Sabotage = 'none' | 'server-forgets-client-ids' | 'events-without-order';

async function play(
  steps: readonly Step[],
  sabotage: Sabotage,
): Promise<{ shown: string[]; stored: string[]; written: string[] }> {
  globalThis.indexedDB = new IDBFactory();
  const tabs = createFakeTabs();
  const server = createFakeChatServer();
  let isUp = true;
  let lost = 0;
  server.api.around = async ({ line, init }, go) => {
    if (!isUp) throw new TypeError('no network');
    if (sabotage === 'server-forgets-client-ids' && line.startsWith('POST')) forgetClientId(init);
    const response = await go();
    if (!isUp) throw new TypeError('no network');
    if (line.startsWith('POST') && lost > 0) {
      lost -= 1;
      throw new TypeError('the answer was lost');
    }
    return response;
  };
  const open = async (): Promise<FakeDevice> => {
    const device = await openDevice(server, tabs);
    device.open();
    await settle(5);
    return device;
  };
  const world: World = { server, device: await open(), written: 0 };
  const acts: Record<Step, () => void | Promise<void>> = {
    async write() {
      world.written += 1;
      await world.device.chatView().send(`mine ${world.written}`);
    },
    say: () => void server.say(OTHER, `theirs ${server.messages.length}`),
    'say-unheard': () => void server.say(OTHER, `theirs ${server.messages.length}`, { isSilent: true }),
    'lose-answers'() {
      lost += 2;
    },
    drop() {
      isUp = false;
      server.realtime.drop();
      world.device.goOnline(false);
    },
    reconnect() {
      isUp = true;
      server.realtime.restore();
      world.device.goOnline(true);
    },
    async kill() {
      world.device.kill();
      world.device = await open();
    },
    'repeat-event'() {
      for (const message of server.messages.slice(-3).reverse()) {
        const event = sabotage === 'events-without-order' ? { ...message, seq: message.seq + 1 } : message;
        server.realtime.publish(`presence-chat.${CHAT}`, 'App\\Events\\MessageSent', { message: event });
      }
    },
    wait: () => vi.advanceTimersByTimeAsync(3000).then(() => undefined),
  };
  for (const name of steps) {
    await acts[name]();
    await settle(3);
  }
  isUp = true;
  lost = 0;
  server.realtime.restore();
  world.device.goOnline(false);
  world.device.goOnline(true);
  const isSettled = () =>
    world.device.isRead() &&
    world.device.outbox.count.get().waiting === 0 &&
    world.device.chatView().items.length >= server.messages.length;
  await until(isSettled, 'the end of catching up').catch(() => undefined);
  await settle();
  const result = {
    shown: lines(world.device.chatView()),
    stored: server.messages.map(({ seq, body }) => `${seq} ${body}`),
    written: server.messages.flatMap(({ body }) => (body.startsWith('mine') ? [body] : [])),
  };
  world.device.kill();
  await settle(3);
  return { ...result, written: [`${world.written}`, ...result.written] };
}

/** As a server without the unique key: every repeat is a new message. */
function forgetClientId(init: RequestInit): void {
  const body = JSON.parse(String(init.body));
  init.body = JSON.stringify({ ...body, client_id: crypto.randomUUID() });
}

async function holds(steps: readonly Step[], sabotage: Sabotage): Promise<void> {
  const { shown, stored, written } = await play(steps, sabotage);
  const [count, ...mine] = written;
  expect(shown).toEqual(stored);
  expect(mine).toEqual(Array.from({ length: Number(count) }, (_, index) => `mine ${index + 1}`));
}

beforeEach(fakeTime);
afterEach(() => void vi.useRealTimers());

it('R4 R5 R6 whatever happens on the way, at the end nothing is lost, doubled or out of order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) => holds(steps, 'none')),
    { numRuns: 60 },
  );
});

it.each(['server-forgets-client-ids', 'events-without-order'] as const)(
  'the property above notices a planted fault: %s',
  async (sabotage) => {
    const run = fc.check(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) => holds(steps, sabotage)),
      { numRuns: 60, endOnFailure: true },
    );
    expect((await run).failed).toBe(true);
  },
);
