import type { Step } from '@wardline/client/engine.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { StoreChange } from '@wardline/client/store/device-store.ts';
import type { Chat, ChatChanged, Markers, MarkersChanged, Message, sync } from '@wardline/contract/chat/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { MembershipChanged } from '@wardline/contract/facilities/facilities.ts';
import type { LoadStatus } from '#/features/chat/core/chat-view.ts';
import { applyChatChanged, applyMessage, applyMyMarkers, mergeChat } from './merge-chats.ts';

export type SyncPage = ReplyOf<typeof sync>;
/** Many reasons in a row to ask what changed make one run. */
export const SYNC_DEBOUNCE_MS = 300;
/** While nothing is told live, what changed is asked for this often: a network may let no socket through for a whole shift. */
export const LIST_POLL_MS = 30_000;
/** The name under which the device keeps how far the copies go; another one where chats say more than the copies have. */
export const CURSOR = 'sync-cursor-2';

export interface ChatListState {
  readonly myId: string;
  readonly chats: ReadonlyMap<string, Chat>;
  readonly outbox: readonly OutboxItem<unknown>[];
  /** Chats I was put into just now, until the server has said what they are. */
  readonly added: ReadonlySet<string>;
  readonly cursor: string | null;
  readonly status: LoadStatus;
  readonly isFromDevice: boolean;
  readonly error: string | null;
  readonly isStopped: boolean;
  /** What changes is told live. */
  readonly isLive: boolean;
  /** A run asks page by page until there is no more. */
  readonly isSyncing: boolean;
  /** Another run follows: something happened that its pages may not have. */
  readonly isSyncWanted: boolean;
  readonly isSyncPlanned: boolean;
}

export type ChatListEvent =
  | { readonly type: 'copy-read'; readonly chats: readonly Chat[]; readonly cursor: string | null }
  /** The channel is subscribed: what happened before is in the next page, what happens after it is told live. */
  | { readonly type: 'subscribed' }
  /** The socket is gone, or the channel was refused. */
  | { readonly type: 'unsubscribed' }
  | { readonly type: 'poll-due' }
  | { readonly type: 'retry' }
  /** Online, focus. */
  | { readonly type: 'woken' }
  | { readonly type: 'sync-due' }
  | { readonly type: 'page-fetched'; readonly page: SyncPage }
  | { readonly type: 'page-failed'; readonly message: string }
  | { readonly type: 'outbox-changed'; readonly outbox: readonly OutboxItem<unknown>[] }
  | { readonly type: 'chat-changed'; readonly change: ChatChanged }
  | { readonly type: 'markers-changed'; readonly markers: MarkersChanged }
  | { readonly type: 'membership-changed'; readonly change: MembershipChanged }
  /** A chat that was asked for by its address. */
  | { readonly type: 'chat-fetched'; readonly chat: Chat }
  /** A message whose whole text is here. */
  | { readonly type: 'message-stored'; readonly message: Message }
  | { readonly type: 'my-markers-raised'; readonly chatId: string; readonly markers: Partial<Markers> }
  /** A chat is not mine any more. */
  | { readonly type: 'lost'; readonly chatId: string }
  | { readonly type: 'stopped' };

export type ChatListEffect =
  | { readonly type: 'join' }
  | { readonly type: 'fetch-page'; readonly cursor: string | null }
  | { readonly type: 'plan-sync' }
  | { readonly type: 'cancel-sync' }
  | { readonly type: 'plan-poll' }
  /** Asks again later, at the pace of RTA-6. */
  | { readonly type: 'plan-retry' }
  | { readonly type: 'cancel-retry' }
  | { readonly type: 'reset-retry' }
  | { readonly type: 'keep'; readonly changes: readonly StoreChange[] }
  /** Whoever shows this chat must stop. */
  | { readonly type: 'announce-removed'; readonly chatId: string }
  /** The server has another database than the copies came from. */
  | { readonly type: 'announce-reset' }
  | { readonly type: 'announce-membership'; readonly change: MembershipChanged }
  /** Somebody else has just put me into a chat. */
  | { readonly type: 'announce-added'; readonly chat: Chat }
  | { readonly type: 'end' };

type ListStep = Step<ChatListState, ChatListEffect>;

export function initialChatList(myId: string, outbox: readonly OutboxItem<unknown>[]): ChatListState {
  return {
    ...{ myId, outbox, chats: new Map(), added: new Set(), cursor: null, status: 'loading', isFromDevice: false },
    ...{ error: null, isStopped: false, isLive: false, isSyncing: false, isSyncWanted: false, isSyncPlanned: false },
  };
}

/** My chats: the device's copy first, then what changed since, then live. The pure part. */
export function reduceChatList(state: ChatListState, event: ChatListEvent): ListStep {
  if (state.isStopped) return only(state);
  switch (event.type) {
    case 'copy-read':
      return chain(
        showCopy(state, event.chats, event.cursor),
        (now) => only(now, { type: 'join' }, { type: 'plan-poll' }),
        syncNow,
      );
    case 'subscribed':
      return syncNow({ ...state, isLive: true });
    case 'unsubscribed':
      return only({ ...state, isLive: false });
    case 'poll-due':
      // After a failure it is asked again anyway.
      return chain(
        state,
        (now) => only(now, { type: 'plan-poll' }),
        (now) => (now.isLive || now.error !== null ? only(now) : syncNow(now)),
      );
    case 'sync-due':
      return syncNow(state);
    case 'retry':
      return syncNow(state.status === 'failed' ? { ...state, status: 'loading' } : state);
    case 'woken':
      return syncSoon(state);
    case 'page-fetched':
      return chain(
        state,
        (now) => takePage(now, event.page),
        (now) => goOn(now, event.page.has_more),
      );
    case 'page-failed': {
      const status = state.status === 'loading' ? 'failed' : state.status;
      return only({ ...state, isSyncing: false, status, error: event.message }, { type: 'plan-retry' });
    }
    case 'outbox-changed':
      return only({ ...state, outbox: event.outbox });
    case 'stopped':
      return only({ ...state, isStopped: true }, { type: 'end' });
    default:
      return takeChanges(state, event);
  }
}

type EventOf<Type extends ChatListEvent['type']> = Extract<ChatListEvent, { readonly type: Type }>;
type News = EventOf<
  | 'chat-changed'
  | 'markers-changed'
  | 'membership-changed'
  | 'chat-fetched'
  | 'message-stored'
  | 'my-markers-raised'
  | 'lost'
>;

function takeChanges(state: ChatListState, event: News): ListStep {
  switch (event.type) {
    case 'chat-changed': {
      const held = state.chats.get(event.change.chat_id);
      if (held === undefined) return syncSoon(state);
      return update(state, applyChatChanged(held, event.change, state.myId));
    }
    case 'markers-changed': {
      const { user_id, chat_id } = event.markers;
      return user_id === state.myId ? raise(state, chat_id, event.markers) : only(state);
    }
    case 'membership-changed':
      return changeMembership(state, event.change);
    case 'chat-fetched':
      return put(state, mergeChat(state.chats.get(event.chat.id), event.chat));
    case 'message-stored': {
      const held = state.chats.get(event.message.chat_id);
      return held === undefined ? only(state) : put(state, applyMessage(held, event.message));
    }
    case 'my-markers-raised':
      return raise(state, event.chatId, event.markers);
    case 'lost':
      return purge(state, event.chatId);
  }
}

const only = (state: ChatListState, ...effects: readonly ChatListEffect[]): ListStep => ({ state, effects });

/** One step after the other, their effects in order. */
function chain(state: ChatListState, ...parts: readonly ((state: ChatListState) => ListStep)[]): ListStep {
  return parts.reduce<ListStep>((step, part) => {
    const next = part(step.state);
    return { state: next.state, effects: [...step.effects, ...next.effects] };
  }, only(state));
}

function showCopy(state: ChatListState, chats: readonly Chat[], cursor: string | null): ChatListState {
  const all = new Map(chats.map((chat) => [chat.id, chat] as const));
  // What was told before the copy was read is newer, but for markers that the server does not have yet.
  for (const [id, told] of state.chats) all.set(id, mergeChat(all.get(id), told));
  const known = { ...state, chats: all, cursor: cursor ?? state.cursor };
  return all.size === 0 ? known : { ...known, status: 'ready', isFromDevice: true };
}

/** Asks what changed; one run at a time, and once more where one is under way. */
function syncNow(state: ChatListState): ListStep {
  const due: ChatListState = { ...state, isSyncPlanned: false };
  const cancel: ChatListEffect[] = state.isSyncPlanned ? [{ type: 'cancel-sync' }] : [];
  if (state.isSyncing) return only({ ...due, isSyncWanted: true }, ...cancel);
  const asking = { ...due, isSyncing: true, isSyncWanted: false };
  return only(asking, ...cancel, { type: 'cancel-retry' }, { type: 'fetch-page', cursor: state.cursor });
}

function syncSoon(state: ChatListState): ListStep {
  return state.isSyncPlanned ? only(state) : only({ ...state, isSyncPlanned: true }, { type: 'plan-sync' });
}

function goOn(state: ChatListState, hasMore: boolean): ListStep {
  const next: ChatListEffect = { type: 'fetch-page', cursor: state.cursor };
  if (hasMore) return only(state, next);
  if (state.isSyncWanted) return only({ ...state, isSyncWanted: false }, next);
  return only(
    { ...state, isSyncing: false, status: 'ready', isFromDevice: false, error: null },
    { type: 'reset-retry' },
  );
}

const row = (chat: Chat): StoreChange => ({
  type: 'put-chat',
  chatId: chat.id,
  facilityId: chat.facility_id,
  value: chat,
});

function put(state: ChatListState, chat: Chat): ListStep {
  const chats = new Map(state.chats).set(chat.id, chat);
  return only({ ...state, chats }, { type: 'keep', changes: [row(chat)] });
}

function update(state: ChatListState, { chat, isUnclear }: { chat: Chat; isUnclear: boolean }): ListStep {
  return chain(
    state,
    (now) => put(now, chat),
    (now) => (isUnclear ? syncSoon(now) : only(now)),
  );
}

function raise(state: ChatListState, chatId: string, markers: Partial<MarkersChanged>): ListStep {
  const held = state.chats.get(chatId);
  if (held === undefined) return only(state);
  const raised = applyMyMarkers(held, markers);
  const { read_seq, delivered_seq, mention_seq = 0 } = raised.chat.my;
  const isSame =
    read_seq === held.my.read_seq &&
    delivered_seq === held.my.delivered_seq &&
    mention_seq === (held.my.mention_seq ?? 0);
  return isSame ? only(state) : update(state, raised);
}

function without(state: ChatListState, ids: readonly string[]): ListStep {
  const chats = new Map([...state.chats].filter(([id]) => !ids.includes(id)));
  return only({ ...state, chats }, ...ids.map((chatId): ChatListEffect => ({ type: 'announce-removed', chatId })));
}

/** Takes a chat and its copy off this device. */
function purge(state: ChatListState, chatId: string): ListStep {
  return chain(
    state,
    (now) => without(now, [chatId]),
    (now) => only(now, { type: 'keep', changes: [{ type: 'wipe-chat', chatId }] }),
  );
}

/** Shows and keeps a page together with its cursor. */
function takePage(state: ChatListState, page: SyncPage): ListStep {
  const gone = page.removed_chat_ids.filter((id) => !page.chats.some((chat) => chat.id === id));
  const held = page.reset ? { ...state, chats: new Map<string, Chat>() } : state;
  const merged = page.chats.map((chat) => mergeChat(held.chats.get(chat.id), chat));
  const changes: StoreChange[] = [
    ...(page.reset ? [{ type: 'wipe-chats' } as const] : []),
    ...gone.map((chatId) => ({ type: 'wipe-chat', chatId }) as const),
    ...merged.map(row),
    { type: 'put-meta', name: CURSOR, value: page.cursor, isCache: true },
  ];
  return chain(
    { ...held, cursor: page.cursor },
    (now) => without(now, gone),
    (now) => {
      const chats = new Map([...now.chats, ...merged.map((chat) => [chat.id, chat] as const)]);
      return only({ ...now, chats }, { type: 'keep', changes });
    },
    (now) => (page.reset ? only(now, { type: 'announce-reset' }) : only(now)),
    (now) => announceAdded(now, merged),
  );
}

/** What I did myself, in another tab or on another device, is no news: the last line is mine. */
function announceAdded(state: ChatListState, chats: readonly Chat[]): ListStep {
  const mine = chats.filter(({ id }) => state.added.has(id));
  if (mine.length === 0) return only(state);
  const added = new Set([...state.added].filter((id) => !mine.some((chat) => chat.id === id)));
  const effects = mine
    .filter(({ last_message }) => last_message?.sender_id !== state.myId)
    .map((chat): ChatListEffect => ({ type: 'announce-added', chat }));
  return only({ ...state, added }, ...effects);
}

function changeMembership(state: ChatListState, event: MembershipChanged): ListStep {
  return chain(
    state,
    (now) => (event.change === 'removed' ? leave(now, event) : only(now)),
    (now) => {
      const isNew = event.change === 'added' && event.chat_id !== null && !now.chats.has(event.chat_id);
      return only(isNew ? { ...now, added: new Set([...now.added, event.chat_id ?? '']) } : now);
    },
    // Also after a removal: a page that was on its way may have brought the chat back.
    syncSoon,
    (now) => only(now, { type: 'announce-membership', change: event }),
  );
}

function leave(state: ChatListState, { chat_id, facility_id }: MembershipChanged): ListStep {
  if (chat_id !== null) return purge(state, chat_id);
  const ids = [...state.chats.values()].filter((chat) => chat.facility_id === facility_id).map(({ id }) => id);
  return chain(state, ...ids.map((id) => (now: ChatListState) => purge(now, id)), (now) =>
    only(now, { type: 'keep', changes: [{ type: 'wipe-facility', facilityId: facility_id }] }),
  );
}
