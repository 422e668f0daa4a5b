import type { Message } from '@wardline/contract/chat/chat.ts';
import fc from 'fast-check';
import { toChatView } from '#/features/chat/engine/chat.ts';
import { gaps } from '#/features/chat/engine/merge-messages.ts';
import { type ChatWorld, keepMessage, say } from './chat-simulation.ts';
import { CHAT, ME, OTHER } from './fake-chat-server.ts';

/** What may happen, in any order. `pick` chooses among what is there. */
export type ChatOperation =
  | { readonly type: 'send' }
  | { readonly type: 'say'; readonly count: number; readonly isHeard: boolean }
  /** An event arrives: the next one, or a later one before it. */
  | { readonly type: 'receive-event'; readonly pick: number }
  | { readonly type: 'lose-event'; readonly pick: number }
  | { readonly type: 'double-event'; readonly pick: number }
  /** A request is answered, as things were when it was asked or as they are now. */
  | { readonly type: 'answer'; readonly pick: number; readonly isStale: boolean }
  | { readonly type: 'fail'; readonly pick: number }
  /** The first unsent message goes to the server. */
  | { readonly type: 'post'; readonly isAnswerLost: boolean; readonly isTold: boolean }
  | { readonly type: 'raise-markers'; readonly isAnswerLost: boolean }
  /** Somebody else gives reactions, or takes them back. */
  | { readonly type: 'change'; readonly picks: readonly number[]; readonly isHeard: boolean }
  /** I do, on what I see. */
  | { readonly type: 'react'; readonly pick: number; readonly isSet: boolean }
  /** My first unsent change goes to the server. */
  | { readonly type: 'post-change'; readonly isAnswerLost: boolean; readonly isTold: boolean }
  | { readonly type: 'mark-read'; readonly pick: number }
  | { readonly type: 'drop' }
  | { readonly type: 'reconnect' }
  /** The tab is gone without a word; only what the device keeps is there for the next one. */
  | { readonly type: 'kill' }
  /** The chat is closed and opened again in the same tab. */
  | { readonly type: 'restart' }
  | { readonly type: 'fire-timer'; readonly pick: number }
  | { readonly type: 'jump-clock'; readonly by: number }
  | { readonly type: 'press-key' }
  | { readonly type: 'wake' }
  | { readonly type: 'scroll-back' }
  | { readonly type: 'fill-gap'; readonly pick: number };

const pick = fc.nat({ max: 7 });
const seldom = fc.constantFrom(false, false, false, true);

export const chatOperation: fc.Arbitrary<ChatOperation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('send') }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('say'), count: fc.integer({ min: 1, max: 3 }), isHeard: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('say'),
      count: fc.constantFrom(40, 250, 620),
      isHeard: fc.constant(false),
    }),
  },
  { weight: 10, arbitrary: fc.record({ type: fc.constant('receive-event'), pick }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('lose-event'), pick }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('double-event'), pick }) },
  { weight: 16, arbitrary: fc.record({ type: fc.constant('answer'), pick, isStale: seldom }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('fail'), pick }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('post'), isAnswerLost: seldom, isTold: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('raise-markers'), isAnswerLost: seldom }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('change'),
      picks: fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 3 }),
      isHeard: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('react'), pick, isSet: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('post-change'), isAnswerLost: seldom, isTold: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('mark-read'), pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('drop') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('reconnect') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('kill') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart') }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('fire-timer'), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('jump-clock'), by: fc.constantFrom(-3_600_000, -5000, 5000, 86_400_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('press-key') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wake') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('scroll-back') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fill-gap'), pick }) },
);

type Acts = { readonly [Type in ChatOperation['type']]: (operation: Extract<ChatOperation, { type: Type }>) => void };

/** Takes the chosen one out; undefined where there is none. */
function takeOut<Value>(values: Value[], index: number): Value | undefined {
  return values.splice(index % Math.max(1, values.length), 1)[0];
}

export function play(world: ChatWorld, operation: ChatOperation): void {
  const acts: Acts = {
    send: () => sendOne(world),
    say: ({ count, isHeard }) => say(world, count, isHeard),
    'receive-event': (event) => takeOut(world.told, event.pick)?.(),
    'lose-event': (event) => void takeOut(world.told, event.pick),
    'double-event': (event) => world.told[event.pick % Math.max(1, world.told.length)]?.(),
    answer({ pick: index, isStale }) {
      const request = takeOut(world.requests, index);
      if (request?.isLocal || world.isUp) request?.answer(isStale);
      else request?.fail();
    },
    fail({ pick: index }) {
      const request = takeOut(world.requests, index);
      if (request?.isLocal) request.answer(false);
      else request?.fail();
    },
    post: ({ isAnswerLost, isTold }) => post(world, isAnswerLost, isTold),
    'raise-markers': ({ isAnswerLost }) => raiseMarkers(world, isAnswerLost),
    change({ picks, isHeard }) {
      for (const index of picks) changeOne(world, index, isHeard);
    },
    react({ pick: index, isSet }) {
      const message = world.chat().messages.at(-1 - index);
      if (message !== undefined) react(world, message, isSet);
    },
    'post-change': ({ isAnswerLost, isTold }) => postChange(world, isAnswerLost, isTold),
    'mark-read'({ pick: index }) {
      const held = world.chat().messages;
      const message = held[held.length - 1 - (index % Math.max(1, held.length))];
      if (message !== undefined) world.dispatch({ type: 'mark-read', seq: message.seq });
    },
    drop: () => world.disconnect(),
    reconnect: () => world.connect(),
    kill: () => world.openTab(),
    restart: () => restart(world),
    'fire-timer': ({ pick: index }) => takeOut(world.timers, index)?.fire(),
    'jump-clock'({ by }) {
      world.now += by;
    },
    'press-key': () => world.dispatch({ type: 'key-pressed', now: world.now }),
    wake() {
      world.dispatch({ type: 'woken' });
      world.dispatchList({ type: 'woken' });
    },
    'scroll-back': () => world.dispatch({ type: 'load-older' }),
    'fill-gap'({ pick: index }) {
      const found = gaps(world.chat().messages);
      const gap = found[index % Math.max(1, found.length)];
      if (gap !== undefined) world.dispatch({ type: 'fill-gap', beforeSeq: gap.beforeSeq });
    },
  };
  (acts[operation.type] as (operation: ChatOperation) => void)(operation);
}

function restart(world: ChatWorld): void {
  world.dispatch({ type: 'stopped' });
  // Shown again from what the device keeps.
  world.acknowledged = [];
  const chat = world.list().chats.get(CHAT) ?? null;
  const { outbox, unsentChanges } = world.device;
  world.dispatch({ type: 'started', chat, outbox, unsentChanges });
}

function sendOne(world: ChatWorld): void {
  const clientId = world.newId();
  const writtenAt = new Date(world.now).toISOString();
  world.dispatch({ type: 'send', requestId: 0, body: ` mine ${clientId} `, replyTo: null, clientId, writtenAt });
}

function post(world: ChatWorld, isAnswerLost: boolean, isTold: boolean): void {
  const [item, ...rest] = world.device.outbox;
  if (item === undefined || !world.isUp) return;
  const { message, isNew } = world.server.store(ME, item.clientId, item.payload.body);
  if (isNew && isTold) world.tell(message);
  if (isAnswerLost) return;
  // As the runtime does: shown and kept before it is no longer unsent.
  world.dispatch({ type: 'acknowledged', message });
  world.dispatchList({ type: 'message-stored', message });
  keepMessage(world.device, message, false);
  world.acknowledged.push(message.client_id);
  world.setOutbox(rest);
}

/** Somebody else gives a reaction to one of the newest messages, or to an old one; who has given it takes it back. */
function changeOne(world: ChatWorld, index: number, isHeard: boolean): void {
  const { server } = world;
  const message = server.messages[Math.max(0, server.head() - 1 - index)];
  if (message === undefined) return;
  const isGiven = message.reactions?.some(({ user_id }) => user_id === OTHER) ?? false;
  const changed = server.react(OTHER, message.id, !isGiven);
  if (isHeard) world.tellChange(changed);
}

function react(world: ChatWorld, { id: messageId }: Message, isSet: boolean): void {
  const writtenAt = new Date(world.now).toISOString();
  const payload = { type: 'react', messageId, code: 'done', isSet } as const;
  world.dispatch({ type: 'change', requestId: 0, payload, clientId: world.newId(), writtenAt });
}

function postChange(world: ChatWorld, isAnswerLost: boolean, isTold: boolean): void {
  const [item] = world.device.unsentChanges;
  if (item === undefined || !world.isUp) return;
  const before = world.server.changeHead();
  const { messageId, ...payload } = item.payload;
  if (payload.type !== 'react') throw new Error('Nothing else is played.');
  const message = world.server.react(ME, messageId, payload.isSet);
  if (isTold && world.server.changeHead() > before) world.tellChange(message);
  if (isAnswerLost) return;
  // The answer as it was when it was made: what changes meanwhile may arrive before it.
  world.requests.push({
    isLocal: false,
    answer() {
      world.dispatch({ type: 'message-changed', message });
      keepMessage(world.device, message, true);
      world.setUnsentChanges(world.device.unsentChanges.filter(({ clientId }) => clientId !== item.clientId));
    },
    fail: () => undefined,
  });
}

function raiseMarkers(world: ChatWorld, isAnswerLost: boolean): void {
  const { owed } = world.device;
  if (owed === null || !world.isUp) return;
  world.server.raise(owed);
  world.tellMarkers();
  if (!isAnswerLost) world.device.owed = null;
}

const MOST_ROUNDS = 400;

/** The network is there again: what was missed is asked for at once, before any timer and whatever is told. */
export function reconnect(world: ChatWorld): void {
  world.disconnect();
  world.connect();
  while (world.requests.length > 0) settleOne(world);
}

/** The network stays: everything that waits comes to its end. */
export function settle(world: ChatWorld): void {
  comeToRest(world);
  // A count that was asked for before the server had my markers is right with the next page: focus asks for one.
  world.dispatchList({ type: 'woken' });
  comeToRest(world);
}

function comeToRest(world: ChatWorld): void {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (!settleOne(world)) return;
  }
  throw new Error('It never comes to rest.');
}

function settleOne(world: ChatWorld): boolean {
  const request = world.requests.shift();
  if (request !== undefined) {
    request.answer(false);
    return true;
  }
  const event = world.told.shift();
  if (event !== undefined) {
    event();
    return true;
  }
  if (world.device.outbox.length > 0) {
    post(world, false, true);
    return true;
  }
  if (world.device.unsentChanges.length > 0) {
    postChange(world, false, true);
    return true;
  }
  if (world.device.owed !== null) {
    raiseMarkers(world, false);
    return true;
  }
  // What only repeats itself is not waited for.
  const timer = world.timers.find(({ key }) => !key.includes('poll'));
  if (timer === undefined) return false;
  world.timers = world.timers.filter((one) => one !== timer);
  timer.fire();
  return true;
}

/** Scrolls back to the beginning and fills every gap on the way. */
export function readAll(world: ChatWorld): void {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const [gap] = gaps(world.chat().messages);
    if (gap !== undefined) world.dispatch({ type: 'fill-gap', beforeSeq: gap.beforeSeq });
    else if (toChatView(world.chat()).hasOlder) world.dispatch({ type: 'load-older' });
    else return;
    while (world.requests.length > 0) settleOne(world);
  }
  throw new Error('Scrolling back never ends.');
}
