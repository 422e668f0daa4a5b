import { createEngine, type EffectHandlers, runBy } from '@wardline/client/engine.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Joined, Realtime } from '@wardline/client/realtime/realtime.ts';
import { createRetryTimer } from '@wardline/client/retry-timer.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { Chat, type Markers, type Message, sync, userChannel } from '@wardline/contract/chat/chat.ts';
import type { MembershipChanged } from '@wardline/contract/facilities/facilities.ts';
import * as z from 'zod/mini';
import { isMentioned, isMuted, isUnread } from '#/features/chat/core/chat-labels.ts';
import type { ChatList, ChatListItem } from '#/features/chat/core/chat-view.ts';
import {
  type ChatListEffect,
  type ChatListEvent,
  type ChatListState,
  CURSOR,
  initialChatList,
  LIST_POLL_MS,
  reduceChatList,
  SYNC_DEBOUNCE_MS,
} from './chat-list-reducer.ts';
import { byActivity } from './merge-chats.ts';

export interface ChatListDeps {
  readonly userId: string;
  readonly call: Call;
  readonly realtime: Pick<Realtime, 'join'>;
  readonly store: DeviceStore;
  readonly outbox: Observable<readonly OutboxItem<unknown>[]>;
  readonly log: Log;
  /** A chat is not mine any more: whoever shows it must stop. */
  readonly onRemoved: (chatId: string) => void;
  /** The server has another database than the copies came from: open chats begin anew. */
  readonly onReset: () => void;
  /** Without one where it may have been told while nobody listened. */
  readonly onMembershipChanged: (event?: MembershipChanged) => void;
  /** Somebody else has just put me into a chat. */
  readonly onAdded?: ((chat: Chat) => void) | undefined;
  readonly random?: () => number;
}

/** My chats: the device's copy first, then what changed since, then live. */
export interface ChatListEngine extends Observable<ChatList> {
  start(): Promise<void>;
  stop(): void;
  /** Online, focus: asks what changed. */
  wake(): void;
  chat(id: string): Chat | null;
  /** A chat that was asked for by its address. */
  put(chat: Chat): void;
  noteMessage(message: Message): void;
  noteMyMarkers(chatId: string, markers: Partial<Markers>): void;
  /** Takes a chat and its copy off this device. */
  purge(chatId: string): void;
}

/** Runs the reducer of the list: `reduceChatList` decides, the handlers do. */
export function createChatList(deps: ChatListDeps): ChatListEngine {
  const { userId, outbox, log } = deps;
  const initial = initialChatList(userId, outbox.get());
  let published = initial;
  const retry = (): void => dispatch({ type: 'retry' });
  const shown = createSource<ChatList>({ ...toChatList(initial), retry });
  const undoOutbox = outbox.subscribe(() => dispatch({ type: 'outbox-changed', outbox: outbox.get() }));
  const engine = createEngine({
    initial,
    reduce: reduceChatList,
    onState(state) {
      if (!isSameList(state, published)) shown.set({ ...toChatList(state), retry });
      published = state;
    },
    run: runBy<ChatListEffect>(listHandlers(deps, (event) => dispatch(event), undoOutbox)),
    onError: (error) => log.error('The chats could not be kept up to date', error),
  });
  const { dispatch } = engine;

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    async start() {
      const kept = await loadCopy(deps.store).catch((failure) => {
        log.warn('The chats on this device could not be read', failure);
        return { chats: [], cursor: null };
      });
      dispatch({ type: 'copy-read', ...kept });
    },
    stop: () => dispatch({ type: 'stopped' }),
    wake: () => dispatch({ type: 'woken' }),
    chat: (id) => engine.state().chats.get(id) ?? null,
    put: (chat) => dispatch({ type: 'chat-fetched', chat }),
    noteMessage: (message) => dispatch({ type: 'message-stored', message }),
    noteMyMarkers: (chatId, markers) => dispatch({ type: 'my-markers-raised', chatId, markers }),
    purge: (chatId) => dispatch({ type: 'lost', chatId }),
  };
}

/** True where nothing changed that the list shows. */
function isSameList(one: ChatListState, other: ChatListState): boolean {
  const shown = ['chats', 'outbox', 'status', 'isFromDevice', 'error'] as const;
  return shown.every((key) => one[key] === other[key]);
}

function toChatList({ chats, outbox, status, isFromDevice, error }: ChatListState): Omit<ChatList, 'retry'> {
  const items = [...chats.values()].sort(byActivity).map((chat): ChatListItem => {
    const mine = outbox.filter((item) => item.lane === chat.id);
    const failed = mine.filter((item) => item.state === 'failed').length;
    return sameItem({ chat, pending: mine.length - failed, failed });
  });
  // A muted one stands in the list with what is unread, and asks for no attention.
  const now = serverNow();
  const unreadChats = items.filter(
    ({ chat }) => isUnread(chat) && !isMuted(chat, now) && (chat.my.notify !== 'mentions' || isMentioned(chat)),
  ).length;
  return { status, items, unreadChats, isFromDevice, error };
}

const shownItems = new WeakMap<Chat, ChatListItem>();

/** The item as it was where nothing of it changed: its row is not drawn again. */
function sameItem(item: ChatListItem): ChatListItem {
  const before = shownItems.get(item.chat);
  if (before?.pending === item.pending && before.failed === item.failed) return before;
  shownItems.set(item.chat, item);
  return item;
}

/** What the device keeps; where a chat of it cannot be read, the server is asked for all of them. */
async function loadCopy(store: DeviceStore): Promise<{ chats: readonly Chat[]; cursor: string | null }> {
  const [rows, kept] = await Promise.all([store.chats(), store.meta(CURSOR)]);
  const chats = rows.flatMap((value) => {
    const parsed = z.safeParse(Chat, value);
    return parsed.success ? [parsed.data] : [];
  });
  return { chats, cursor: typeof kept === 'string' && chats.length === rows.length ? kept : null };
}

function listHandlers(
  deps: ChatListDeps,
  dispatch: (event: ChatListEvent) => void,
  undoOutbox: () => void,
): EffectHandlers<ChatListEffect> {
  const { store, log } = deps;
  const stopped = new AbortController();
  const retryTimer = createRetryTimer(() => dispatch({ type: 'sync-due' }), deps.random);
  let planned: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setTimeout> | undefined;
  let joined: Joined | null = null;
  return {
    join() {
      joined = joinUser(deps, dispatch);
    },
    'fetch-page': ({ cursor }) => void fetchPage(deps.call, cursor, stopped.signal).then(dispatch),
    'plan-sync'() {
      planned = setTimeout(() => dispatch({ type: 'sync-due' }), SYNC_DEBOUNCE_MS);
    },
    'cancel-sync': () => clearTimeout(planned),
    'plan-poll'() {
      polling = setTimeout(() => dispatch({ type: 'poll-due' }), LIST_POLL_MS);
    },
    'plan-retry': () => retryTimer.plan(),
    'cancel-retry': () => retryTimer.cancel(),
    'reset-retry': () => retryTimer.succeed(),
    keep: ({ changes }) =>
      void store.write(changes).catch((failure) => log.error('The chats could not be kept on this device', failure)),
    'announce-removed': ({ chatId }) => deps.onRemoved(chatId),
    'announce-reset': () => deps.onReset(),
    'announce-membership': ({ change }) => deps.onMembershipChanged(change),
    'announce-added': ({ chat }) => deps.onAdded?.(chat),
    end() {
      stopped.abort();
      clearTimeout(planned);
      clearTimeout(polling);
      retryTimer.cancel();
      undoOutbox();
      joined?.leave();
    },
  };
}

function joinUser(
  { realtime, userId, onMembershipChanged }: ChatListDeps,
  dispatch: (event: ChatListEvent) => void,
): Joined {
  return realtime.join(userChannel, userId, {
    events: {
      ChatChanged: (change) => dispatch({ type: 'chat-changed', change }),
      MarkersChanged: (markers) => dispatch({ type: 'markers-changed', markers }),
      MembershipChanged: (change) => dispatch({ type: 'membership-changed', change }),
    },
    onDisconnected: () => dispatch({ type: 'unsubscribed' }),
    onError: () => dispatch({ type: 'unsubscribed' }),
    onSubscribed() {
      dispatch({ type: 'subscribed' });
      // Also the first time: what closed since the page was loaded was told to nobody here.
      onMembershipChanged();
    },
  });
}

async function fetchPage(call: Call, cursor: string | null, signal: AbortSignal): Promise<ChatListEvent> {
  try {
    const page = await call(sync, { query: cursor === null ? {} : { cursor }, signal });
    return { type: 'page-fetched', page };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The chats could not be loaded.';
    return { type: 'page-failed', message };
  }
}
