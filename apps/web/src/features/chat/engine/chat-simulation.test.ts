import { SIMULATION_TIMEOUT_MS, simulationRuns } from '@wardline/client/testing/simulation-runs.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChatOperation,
  chatOperation,
  play,
  readAll,
  reconnect,
  settle,
} from '#/features/chat/testing/chat-operations.ts';
import { type ChatWorld, createChatWorld, type Faults } from '#/features/chat/testing/chat-simulation.ts';
import { CHAT, ME } from '#/features/chat/testing/fake-chat-server.ts';
import { CATCH_UP_PAGE } from './catch-up.ts';
import { toChatView } from './chat.ts';
import { reduceChatList } from './chat-list/chat-list-reducer.ts';
import { reduceChat } from './chat-reducer.ts';
import { gaps } from './merge-messages.ts';

const operations = fc.array(chatOperation, { maxLength: 60, size: 'max' });

/** What holds at any moment. */
function createWatch(world: ChatWorld): () => void {
  let my = { delivered_seq: 0, read_seq: 0 };
  let { tab } = world;
  let seen: readonly unknown[] = [];
  /** After which change each message was shown last in this tab. */
  const shownAt = new Map<number, number>();
  return () => {
    const { messages, outbox } = world.chat();
    const now = [messages, outbox, world.device.outbox, world.list().chats];
    if (now.every((value, index) => value === seen[index])) return;
    seen = now;
    if (tab !== world.tab) shownAt.clear();
    checkMessages(world, shownAt);
    checkMine(world);
    // A new tab knows nothing before it has read the device's copy.
    if (tab !== world.tab) my = { delivered_seq: 0, read_seq: 0 };
    tab = world.tab;
    const markers = world.list().chats.get(CHAT)?.my;
    if (markers === undefined) return;
    const hasFallen = markers.read_seq < my.read_seq || markers.delivered_seq < my.delivered_seq;
    if (hasFallen) throw new Error('A marker fell.');
    my = markers;
  };
}

/** In order, the server's own, and none goes back to what it was. */
function checkMessages({ server, chat }: ChatWorld, shownAt: Map<number, number>): void {
  const { messages } = chat();
  if (messages.length === 0) shownAt.clear();
  for (const [index, { seq, id, change_seq: change = 0 }] of messages.entries()) {
    const before = messages[index - 1]?.seq ?? 0;
    if (seq <= before) throw new Error(`${seq} stands after ${before}`);
    if (server.messages[seq - 1]?.id !== id) throw new Error(`${seq} is another message`);
    if (change < (shownAt.get(seq) ?? 0)) throw new Error(`${seq} went back to what it was`);
    shownAt.set(seq, change);
  }
}

/** Mine that this device still owes are shown once, as pending or as stored, and the pending ones stand last. */
function checkMine(world: ChatWorld): void {
  const { items } = toChatView(world.chat());
  const shown = items.flatMap((item) => {
    if (item.type === 'pending') return [item.pending.clientId];
    return item.type === 'message' && item.message.sender.id === ME ? [item.message.client_id] : [];
  });
  const known = new Set(shown);
  if (known.size !== shown.length) throw new Error('A message of mine is shown twice.');
  const owed = [...world.device.outbox.map(({ clientId }) => clientId), ...world.acknowledged];
  if (!owed.every((clientId) => known.has(clientId))) throw new Error('A message of mine is not shown.');
  const types = items.map(({ type }) => (type === 'pending' ? 1 : 0));
  if (types.some((type, index) => index > 0 && type < (types[index - 1] ?? 0))) throw new Error('Pending is not last.');
}

/** What holds once the network is there and everything came to its end. */
function checkEnd(world: ChatWorld, written: number): void {
  const { server } = world;
  const mine = server.messages.filter(({ sender }) => sender.id === ME).map(({ client_id }) => client_id);
  expect(mine).toEqual([...new Set(mine)].toSorted());
  expect(mine).toHaveLength(written);
  expect(world.chat().status).toBe('ready');
  expect(world.chat().catchUp.cursor).toBe(server.head());
  expect(world.chat().messages.at(-1)?.seq ?? 0).toBe(server.head());
  // What fits a page leaves no gap.
  if (server.head() <= CATCH_UP_PAGE) expect(gaps(world.chat().messages)).toEqual([]);
  const { my } = world.list().chats.get(CHAT) ?? { my: null };
  expect(my).toMatchObject({ ...server.my(), unread: server.unread() });
  expect(server.my()).toMatchObject({ read_seq: world.read, delivered_seq: server.head() });
  readAll(world);
  expect(world.chat().messages).toEqual(server.messages);
  expect(world.device.unsentChanges).toEqual([]);
}

/** The same device without a network: what it shows of itself is what it has got, up to where it says that it has. */
function checkCopy(world: ChatWorld): void {
  world.disconnect();
  world.openTab();
  while (world.requests.some(({ isLocal }) => isLocal)) {
    const index = world.requests.findIndex(({ isLocal }) => isLocal);
    world.requests.splice(index, 1)[0]?.answer(false);
  }
  expect(world.chat().messages).toEqual(world.server.messages.slice(-CATCH_UP_PAGE));
  expect([...world.device.messages.values()].filter((kept) => !world.server.messages.includes(kept))).toEqual([]);
}

function run(steps: readonly ChatOperation[], faults: Faults = {}): void {
  const world = createChatWorld(faults);
  const watch = createWatch(world);
  for (const step of steps) {
    play(world, step);
    watch();
  }
  reconnect(world);
  expect(world.chat().catchUp.cursor).toBe(world.server.head());
  expect(world.chat().changes.cursor).toBe(world.server.changeHead());
  expect(world.list().chats.get(CHAT)?.head_seq).toBe(world.server.head());
  settle(world);
  watch();
  checkEnd(world, steps.filter(({ type }) => type === 'send').length);
  checkCopy(world);
}

/** Faults of a kind that was made elsewhere before, each in one place. */
const PLANTED: Readonly<Record<string, Faults>> = {
  'a server that forgets client ids': { forgetsClientIds: true },
  'an event out of order is shown at once, and nothing is fetched before it': {
    reduceChat(state, event) {
      if (event.type !== 'message-sent') return reduceChat(state, event);
      const cursor = event.message.seq - 1;
      return reduceChat({ ...state, catchUp: { ...state.catchUp, cursor } }, event);
    },
  },
  'a change out of order is taken for the next, and those before it are never asked for': {
    reduceChat(state, event) {
      if (event.type !== 'message-changed') return reduceChat(state, event);
      const cursor = (event.message.change_seq ?? 0) - 1;
      return reduceChat({ ...state, changes: { ...state.changes, cursor } }, event);
    },
  },
  'a reconnect does not ask what changed': {
    reduceChat: (state, event) =>
      reduceChat(
        state,
        event.type === 'subscribed'
          ? { ...event, changeHead: null }
          : event.type === 'page-fetched'
            ? { ...event, page: { ...event.page, head_change_seq: undefined } }
            : event,
      ),
  },
  'nothing is asked for after a reconnect': {
    reduceChat: (state, event) =>
      event.type === 'subscribed' ? { state: { ...state, isSubscribed: true }, effects: [] } : reduceChat(state, event),
  },
  'an answer to an earlier run is taken': {
    reduceChat: (state, event) => reduceChat(state, 'run' in event ? { ...event, run: state.run } : event),
  },
  'my message leaves the outbox before it is shown': {
    reduceChat: (state, event) => (event.type === 'acknowledged' ? { state, effects: [] } : reduceChat(state, event)),
  },
  'a page takes markers back': {
    reduceChatList(state, event) {
      const step = reduceChatList(state, event);
      if (event.type !== 'page-fetched') return step;
      const given = event.page.chats.map((chat) => [chat.id, chat] as const);
      return { ...step, state: { ...step.state, chats: new Map([...step.state.chats, ...given]) } };
    },
  },
};

describe('a chat, its list and a server, whatever happens between them', () => {
  it(
    'CHAT-2 CHAT-4 CHAT-5 CHAT-11 R4 R5 R6 all is there in the end once, in order, as it last was, and read as far as it was read',
    () => {
      fc.assert(
        fc.property(operations, (steps) => run(steps)),
        simulationRuns(),
      );
    },
    SIMULATION_TIMEOUT_MS,
  );

  it.each(Object.entries(PLANTED))(
    'the simulation notices a planted fault: %s',
    (_name, faults) => {
      const found = fc.check(
        fc.property(operations, (steps) => run(steps, faults)),
        {
          ...{ numRuns: 300, seed: 1, endOnFailure: true },
        },
      );
      expect(found.failed).toBe(true);
    },
    SIMULATION_TIMEOUT_MS,
  );
});
