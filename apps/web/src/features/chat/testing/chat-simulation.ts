import { createEngine, type Engine, runBy } from '@wardline/client/engine.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { StoreChange } from '@wardline/client/store/device-store.ts';
import type { Chat, Markers, Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';
import {
  type ChatListEffect,
  type ChatListEvent,
  type ChatListState,
  initialChatList,
  reduceChatList,
} from '#/features/chat/engine/chat-list/chat-list-reducer.ts';
import { reduceChat } from '#/features/chat/engine/chat-reducer.ts';
import {
  type ChatEffect,
  type ChatEvent,
  type ChatState,
  type ChatTimer,
  type CopyPlace,
  initialChat,
} from '#/features/chat/engine/chat-state.ts';
import { newerOf } from '#/features/chat/engine/merge-messages.ts';
import type { MessagePayload } from '#/features/chat/engine/send-message.ts';
import { CHAT, FACILITY, idOf, ME, OTHER } from './fake-chat-server.ts';
import { createModelChatServer, excerptOf, type ModelChatServer, type ServerFaults } from './model-chat-server.ts';

type Item = OutboxItem<MessagePayload>;
type ChangeItem = OutboxItem<MessageChange>;

/** What survives a killed tab. */
export interface ModelDevice {
  readonly messages: Map<number, Message>;
  place: CopyPlace | null;
  participants: readonly Participant[];
  readonly chats: Map<string, Chat>;
  listCursor: string | null;
  outbox: readonly Item[];
  unsentChanges: readonly ChangeItem[];
  /** My markers that the server does not have yet. */
  owed: Markers | null;
}

/** A request on its way: its answer may be of the moment in which it was asked, or of now. */
interface Request {
  /** The device answers by itself: it needs no network and does not fail. */
  readonly isLocal: boolean;
  readonly answer: (isStale: boolean) => void;
  readonly fail: () => void;
}

/** One device, one server and what is between them; nothing happens by itself. */
export interface ChatWorld {
  readonly server: ModelChatServer;
  readonly device: ModelDevice;
  chat(): ChatState;
  list(): ChatListState;
  /** Counts the tabs: the one that runs is the last. */
  tab: number;
  /** Client ids of what this tab has seen acknowledged. */
  acknowledged: string[];
  requests: Request[];
  /** What the server has told this tab and what has not arrived. */
  told: (() => void)[];
  timers: { readonly key: string; readonly fire: () => void }[];
  isUp: boolean;
  now: number;
  /** How far I have read, by what this device was told to mark. */
  read: number;
  dispatch(event: ChatEvent): void;
  dispatchList(event: ChatListEvent): void;
  /** The server tells all who are subscribed. */
  tell(message: Message): void;
  tellMarkers(): void;
  /** A message changed: those who have the chat open hear of it. */
  tellChange(message: Message): void;
  setUnsentChanges(items: readonly ChangeItem[]): void;
  setOutbox(outbox: readonly Item[]): void;
  connect(): void;
  disconnect(): void;
  openTab(): void;
  newId(): string;
}

export type ReduceChat = typeof reduceChat;
export type ReduceList = typeof reduceChatList;

export interface Faults extends ServerFaults {
  /** Planted in the reducers themselves. */
  readonly reduceChat?: ReduceChat;
  readonly reduceChatList?: ReduceList;
}

export function createChatWorld(faults: Faults = {}): ChatWorld {
  let chat: Engine<ChatState, ChatEvent>;
  let list: Engine<ChatListState, ChatListEvent>;
  let made = 0;
  const world: ChatWorld = {
    server: createModelChatServer(faults),
    device: {
      ...{ messages: new Map(), place: null, participants: [], chats: new Map(), listCursor: null },
      ...{ outbox: [], unsentChanges: [], owed: null },
    },
    ...{ tab: 0, acknowledged: [], requests: [], told: [], timers: [], isUp: true, now: 1_000_000, read: 0 },
    chat: () => chat.state(),
    list: () => list.state(),
    dispatch: (event) => chat.dispatch(event),
    dispatchList: (event) => list.dispatch(event),
    tell: (message) => tell(world, message),
    tellMarkers: () => tellMarkers(world),
    tellChange(message) {
      if (world.isUp) world.told.push(() => world.dispatch({ type: 'message-changed', message }));
    },
    setUnsentChanges(unsentChanges) {
      world.device.unsentChanges = unsentChanges;
      chat.dispatch({ type: 'unsent-changes-changed', unsentChanges });
    },
    setOutbox(outbox) {
      world.device.outbox = outbox;
      list.dispatch({ type: 'outbox-changed', outbox });
      chat.dispatch({ type: 'outbox-changed', outbox });
    },
    connect() {
      world.isUp = true;
      // Joined by this tab before, or as soon as it joins.
      if (joined.list) list.dispatch({ type: 'subscribed' });
      if (joined.chat) chat.dispatch(subscribedTo(world.server));
    },
    disconnect() {
      world.isUp = false;
      world.told = [];
      chat.dispatch({ type: 'disconnected' });
      list.dispatch({ type: 'unsubscribed' });
    },
    openTab() {
      world.tab += 1;
      Object.assign(joined, { chat: false, list: false });
      Object.assign(world, { acknowledged: [], requests: [], told: [], timers: [] });
      const mine = world.tab;
      const isMine = () => mine === world.tab;
      const { outbox, unsentChanges } = world.device;
      list = openList(world, faults, joined, isMine);
      chat = openChat(world, faults, joined, isMine);
      ask(world, true, () => ({ chats: [...world.device.chats.values()], cursor: world.device.listCursor }), {
        answer: (kept) => list.dispatch({ type: 'copy-read', ...kept }),
        fail: () => undefined,
      });
      chat.dispatch({ type: 'started', chat: list.state().chats.get(CHAT) ?? null, outbox, unsentChanges });
    },
    newId() {
      made += 1;
      return idOf(made);
    },
  };
  const joined = { chat: false, list: false };
  world.openTab();
  return world;
}

const subscribedTo = (server: ModelChatServer): ChatEvent => ({
  type: 'subscribed',
  head: server.head(),
  changeHead: server.changeHead(),
});

interface Answers<Value> {
  readonly answer: (value: Value) => void;
  readonly fail: () => void;
}

function ask<Value>(world: ChatWorld, isLocal: boolean, read: () => Value, { answer, fail }: Answers<Value>): void {
  const then = read();
  world.requests.push({ isLocal, answer: (isStale) => answer(isStale ? then : read()), fail });
}

function tell(world: ChatWorld, message: Message): void {
  if (!world.isUp) return;
  const head_seq = message.seq;
  const changes = { chat_id: CHAT, facility_id: FACILITY, head_seq, version: 1, last_message: excerptOf(message) };
  world.told.push(() => world.dispatch({ type: 'message-sent', message }));
  world.told.push(() => world.dispatchList({ type: 'chat-changed', change: changes }));
}

function tellMarkers(world: ChatWorld): void {
  if (!world.isUp) return;
  const markers = { chat_id: CHAT, user_id: ME, head_seq: world.server.head(), ...world.server.my() };
  world.told.push(() => world.dispatch({ type: 'markers-changed', markers }));
  world.told.push(() => world.dispatchList({ type: 'markers-changed', markers }));
}

interface JoinedChannels {
  chat: boolean;
  list: boolean;
}

function openList(world: ChatWorld, faults: Faults, joined: JoinedChannels, isMine: () => boolean) {
  const { device, server } = world;
  const engine: Engine<ChatListState, ChatListEvent> = createEngine({
    initial: initialChatList(ME, device.outbox),
    reduce: faults.reduceChatList ?? reduceChatList,
    onState(state) {
      if (isMine()) world.dispatch({ type: 'chat-changed', chat: state.chats.get(CHAT) ?? null });
    },
    onError: raise,
    run: runBy<ChatListEffect>({
      join() {
        joined.list = true;
        if (world.isUp) engine.dispatch({ type: 'subscribed' });
      },
      'fetch-page': ({ cursor }) =>
        ask(world, false, () => server.sync(cursor), {
          answer: (page) => engine.dispatch({ type: 'page-fetched', page }),
          fail: () => engine.dispatch({ type: 'page-failed', message: 'no network' }),
        }),
      'plan-sync': () => startTimer(world, 'sync', () => engine.dispatch({ type: 'sync-due' })),
      'cancel-sync': () => stopTimer(world, 'sync'),
      // It must all be there in the end without it.
      'plan-poll': () => undefined,
      'plan-retry': () => startTimer(world, 'sync-retry', () => engine.dispatch({ type: 'sync-due' })),
      'cancel-retry': () => stopTimer(world, 'sync-retry'),
      'reset-retry': () => stopTimer(world, 'sync-retry'),
      keep({ changes }) {
        for (const change of changes) keep(device, change);
      },
      'announce-removed': () => world.dispatch({ type: 'lost' }),
      'announce-reset': () => undefined,
      'announce-membership': () => undefined,
      'announce-added': () => undefined,
      end: () => undefined,
    }),
  });
  return engine;
}

function raise(error: unknown): never {
  throw error;
}

function keep(device: ModelDevice, change: StoreChange): void {
  if (change.type === 'put-chat') device.chats.set(change.chatId, change.value as Chat);
  if (change.type === 'wipe-chat') device.chats.delete(change.chatId);
  if (change.type === 'wipe-chats') device.chats.clear();
  if (change.type === 'put-meta') device.listCursor = String(change.value);
}

function startTimer(world: ChatWorld, key: string, fire: () => void): void {
  stopTimer(world, key);
  world.timers.push({ key, fire });
}

function stopTimer(world: ChatWorld, key: string): void {
  world.timers = world.timers.filter((timer) => timer.key !== key);
}

const timerKey = (timer: ChatTimer): string => JSON.stringify(timer);

const NO_NETWORK = { isLost: false, isTemporary: true, message: 'no network', error: new Error('no network') };

function openChat(world: ChatWorld, faults: Faults, joined: JoinedChannels, isMine: () => boolean) {
  const { device, server } = world;
  const engine: Engine<ChatState, ChatEvent> = createEngine({
    initial: initialChat({ chatId: CHAT, myId: ME, chat: null, outbox: device.outbox, unsentChanges: [] }),
    reduce: faults.reduceChat ?? reduceChat,
    onError: raise,
    run(effect: ChatEffect) {
      if (isMine()) run(effect);
    },
  });
  const run = runBy<ChatEffect>({
    ...chatRequests(world, (event) => engine.dispatch(event)),
    watch: () => undefined,
    join() {
      joined.chat = true;
      if (world.isUp) engine.dispatch(subscribedTo(server));
    },
    end() {
      joined.chat = false;
      world.timers = world.timers.filter(({ key }) => key.startsWith('sync'));
    },
    'start-timer': ({ timer }) => {
      const key = timerKey(timer);
      if (timer.type.endsWith('hint') && world.timers.some((one) => one.key === key)) return;
      startTimer(world, key, () => engine.dispatch({ type: 'timer-fired', timer }));
    },
    'stop-timer': ({ timer }) => stopTimer(world, timerKey(timer)),
    'plan-retry': () => startTimer(world, 'retry', () => engine.dispatch({ type: 'retry-due' })),
    'reset-retry': () => stopTimer(world, 'retry'),
    'put-chat': ({ chat }) => world.dispatchList({ type: 'chat-fetched', chat }),
    'keep-messages'({ messages, place, isUpdate }) {
      for (const message of messages) keepMessage(device, message, isUpdate);
      if (place !== null) device.place = place;
    },
    'keep-participants'({ participants }) {
      device.participants = participants;
    },
    'raise-markers'({ to, known }) {
      const read_seq = Math.max(device.owed?.read_seq ?? 0, to.read_seq ?? 0, known.read_seq);
      const delivered_seq = Math.max(device.owed?.delivered_seq ?? 0, to.delivered_seq ?? 0, known.delivered_seq);
      device.owed = { read_seq, delivered_seq: Math.max(delivered_seq, read_seq) };
      world.read = Math.max(world.read, read_seq);
    },
    'note-my-markers': ({ markers }) => world.dispatchList({ type: 'my-markers-raised', chatId: CHAT, markers }),
    purge: () => world.dispatchList({ type: 'lost', chatId: CHAT }),
    'tell-typing': () => undefined,
    'add-to-outbox'({ item }) {
      const order = (device.outbox.at(-1)?.order ?? 0) + 1;
      const added: Item = { ...NEW_ITEM, ...item, kind: 'message', order };
      world.setOutbox([...device.outbox, added]);
    },
    'add-change'({ item }) {
      const order = (device.unsentChanges.at(-1)?.order ?? 0) + 1;
      const added: ChangeItem = { ...NEW_ITEM, ...item, kind: 'message-change', order };
      world.setUnsentChanges([...device.unsentChanges, added]);
    },
    answer: () => undefined,
    warn: ({ error }) => raise(error),
  });
  return engine;
}

/** As the device's store does. */
export function keepMessage({ messages }: ModelDevice, message: Message, isUpdate: boolean): void {
  const kept = messages.get(message.seq);
  if (kept !== undefined || !isUpdate) messages.set(message.seq, newerOf(message, kept));
}

const NEW_ITEM = { userId: ME, attempts: 0, state: 'waiting', reason: null, refusal: null } as const;

type RequestEffect = 'read-copy' | 'fetch-chat' | 'fetch-page' | 'read-older' | 'fetch-participants';
type Requests = { readonly [Type in RequestEffect]: (effect: Extract<ChatEffect, { readonly type: Type }>) => void };

function chatRequests(world: ChatWorld, dispatch: (event: ChatEvent) => void): Requests {
  const { device, server } = world;
  const newest = (limit: number, before = Number.POSITIVE_INFINITY): Message[] =>
    [...device.messages.values()]
      .filter(({ seq }) => seq < before)
      .sort((a, b) => a.seq - b.seq)
      .slice(-limit);
  return {
    'read-copy': ({ run, limit }) =>
      ask(world, true, () => null, {
        answer() {
          const { place, participants } = device;
          const copy = place === null ? null : { messages: newest(limit), ...place, participants };
          dispatch({ type: 'copy-read', run, copy });
        },
        fail: () => undefined,
      }),
    'fetch-chat': ({ run }) =>
      ask(world, false, server.chat, {
        answer: (chat) => dispatch({ type: 'chat-fetched', run, chat }),
        fail: () => dispatch({ type: 'page-failed', run, purpose: { type: 'catch-up' }, failure: NO_NETWORK }),
      }),
    'fetch-page': ({ run, purpose, place }) =>
      ask(world, false, () => server.page(place), {
        answer: (page) => dispatch({ type: 'page-fetched', run, purpose, page }),
        fail: () => dispatch({ type: 'page-failed', run, purpose, failure: NO_NETWORK }),
      }),
    'read-older': ({ run, before, limit }) =>
      ask(world, true, () => newest(limit, before), {
        answer: (messages) => dispatch({ type: 'older-read', run, messages }),
        fail: () => undefined,
      }),
    'fetch-participants': ({ run }) =>
      ask(world, false, server.participants, {
        answer: (participants) => dispatch({ type: 'participants-fetched', run, participants }),
        fail: () => dispatch({ type: 'participants-failed', run, failure: NO_NETWORK }),
      }),
  };
}

/** Another person's message. */
export function say(world: ChatWorld, count: number, isHeard: boolean): void {
  for (let index = 0; index < count; index += 1) {
    const id = world.newId();
    const { message } = world.server.store(OTHER, id, `theirs ${id}`);
    if (isHeard) world.tell(message);
  }
}
