import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Joined, Realtime } from '@wardline/client/realtime/realtime.ts';
import type { DeviceStore, StoreChange } from '@wardline/client/store/device-store.ts';
import {
  Chat,
  type ChatChanged,
  type Markers,
  type MarkersChanged,
  type Message,
  userChannel,
} from '@wardline/contract/chat.ts';
import type { MembershipChanged } from '@wardline/contract/facilities.ts';
import * as z from 'zod/mini';
import type { ChatList, ChatListItem, LoadStatus } from '#/features/chat/core/chat-view.ts';
import { applyChatChanged, applyMessage, applyMyMarkers, byActivity, mergeChat } from './merge-chats.ts';
import { createChatSync, type SyncPage } from './sync-chats.ts';

export interface ChatListDeps {
  readonly userId: string;
  readonly call: Call;
  readonly realtime: Pick<Realtime, 'join'>;
  readonly store: DeviceStore;
  readonly outbox: Observable<readonly OutboxItem<unknown>[]>;
  readonly log: Log;
  /** A chat is not mine any more: whoever shows it must stop. */
  readonly onRemoved: (chatId: string) => void;
  /** The server has another database than the copies came from: open threads begin anew. */
  readonly onReset: () => void;
  readonly onMembershipChanged: (event: MembershipChanged) => void;
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

const CURSOR = 'sync-cursor';

export function createChatList(deps: ChatListDeps): ChatListEngine {
  const { userId, call, store, log } = deps;
  const chats = new Map<string, Chat>();
  /** Chats I was put into just now, until the server has said what they are. */
  const news = new Set<string>();
  let cursor: string | null = null;
  let status: LoadStatus = 'loading';
  let isFromDevice = false;
  let error: string | null = null;
  let joined: Joined | null = null;
  let isStopped = false;

  const sync = createChatSync({
    call,
    cursor: () => cursor,
    apply: (page) => applyPage(page),
    onDone() {
      status = 'ready';
      isFromDevice = false;
      error = null;
      publish();
    },
    onFailure(failure) {
      error = failure instanceof Error ? failure.message : 'The chats could not be loaded.';
      if (status === 'loading') status = 'failed';
      publish();
    },
    ...(deps.random === undefined ? {} : { random: deps.random }),
  });

  const view = (): ChatList => {
    const items = [...chats.values()].sort(byActivity).map((chat): ChatListItem => {
      const mine = deps.outbox.get().filter((item) => item.lane === chat.id);
      const failed = mine.filter((item) => item.state === 'failed').length;
      return { chat, pending: mine.length - failed, failed };
    });
    const unreadChats = items.filter(({ chat }) => chat.my.unread > 0).length;
    return { status, items, unreadChats, isFromDevice, error, retry };
  };
  const retry = (): void => {
    if (status === 'failed') {
      status = 'loading';
      publish();
    }
    sync.now();
  };
  const shown = createSource<ChatList>({ status, items: [], unreadChats: 0, isFromDevice, error, retry });
  const publish = (): void => {
    if (!isStopped) shown.set(view());
  };

  const keep = (changes: readonly StoreChange[]): void => {
    if (isStopped) return;
    store.write(changes).catch((failure) => log.error('The chats could not be kept on this device', failure));
  };
  const row = (chat: Chat): StoreChange => ({
    type: 'put-chat',
    chatId: chat.id,
    facilityId: chat.facility_id,
    value: chat,
  });
  const set = (chat: Chat): void => {
    chats.set(chat.id, chat);
    keep([row(chat)]);
    publish();
  };

  const applyPage = (page: SyncPage): void => {
    if (page.reset) chats.clear();
    const gone = page.removed_chat_ids.filter((id) => !page.chats.some((chat) => chat.id === id));
    for (const id of gone) forget(id);
    const merged = page.chats.map((chat) => mergeChat(chats.get(chat.id), chat));
    for (const chat of merged) chats.set(chat.id, chat);
    cursor = page.cursor;
    keep([
      ...(page.reset ? [{ type: 'wipe-chats' } as const] : []),
      ...gone.map((chatId) => ({ type: 'wipe-chat', chatId }) as const),
      ...merged.map(row),
      { type: 'put-meta', name: CURSOR, value: cursor, isCache: true },
    ]);
    publish();
    if (page.reset) deps.onReset();
    // What I did myself, in another tab or on another device, is no news: the last line is mine.
    for (const chat of merged)
      if (news.delete(chat.id) && chat.last_message?.sender_id !== userId) deps.onAdded?.(chat);
  };
  const forget = (chatId: string): void => {
    chats.delete(chatId);
    deps.onRemoved(chatId);
  };
  const purge = (chatId: string): void => {
    forget(chatId);
    keep([{ type: 'wipe-chat', chatId }]);
    publish();
  };

  const onChatChanged = (event: ChatChanged): void => {
    const held = chats.get(event.chat_id);
    if (held === undefined) {
      sync.soon();
      return;
    }
    const { chat, isUnclear } = applyChatChanged(held, event, userId);
    set(chat);
    if (isUnclear) sync.soon();
  };
  const onMarkersChanged = (event: MarkersChanged): void => {
    if (event.user_id === userId) noteMyMarkers(event.chat_id, event);
  };
  const noteMyMarkers = (chatId: string, markers: Partial<Markers>): void => {
    const held = chats.get(chatId);
    if (held === undefined) return;
    const { chat, isUnclear } = applyMyMarkers(held, markers);
    if (chat.my.read_seq === held.my.read_seq && chat.my.delivered_seq === held.my.delivered_seq) return;
    set(chat);
    if (isUnclear) sync.soon();
  };
  const onMembershipChanged = (event: MembershipChanged): void => {
    if (event.change === 'removed') {
      if (event.chat_id !== null) purge(event.chat_id);
      else leaveFacility(event.facility_id);
    }
    if (event.change === 'added' && event.chat_id !== null && !chats.has(event.chat_id)) news.add(event.chat_id);
    // Also after a removal: a page that was on its way may have brought the chat back.
    sync.soon();
    deps.onMembershipChanged(event);
  };
  const leaveFacility = (facilityId: string): void => {
    for (const chat of [...chats.values()]) if (chat.facility_id === facilityId) purge(chat.id);
    keep([{ type: 'wipe-facility', facilityId }]);
  };

  const loadCopy = async (): Promise<void> => {
    const [rows, kept] = await Promise.all([store.chats(), store.meta(CURSOR)]);
    for (const value of rows) {
      const parsed = z.safeParse(Chat, value);
      if (parsed.success) chats.set(parsed.data.id, parsed.data);
    }
    if (typeof kept === 'string' && chats.size === rows.length) cursor = kept;
    if (chats.size === 0) return;
    status = 'ready';
    isFromDevice = true;
    publish();
  };
  const undoOutbox = deps.outbox.subscribe(() => publish());

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    async start() {
      await loadCopy().catch((failure) => log.warn('The chats on this device could not be read', failure));
      if (isStopped) return;
      joined = deps.realtime.join(userChannel, userId, {
        events: {
          ChatChanged: onChatChanged,
          MarkersChanged: onMarkersChanged,
          MembershipChanged: onMembershipChanged,
        },
        // What happened before this moment is in the next page, what happens after it is told live.
        onSubscribed: () => sync.now(),
      });
      sync.now();
    },
    stop() {
      isStopped = true;
      undoOutbox();
      joined?.leave();
      sync.stop();
    },
    wake: () => sync.soon(),
    chat: (id) => chats.get(id) ?? null,
    put: (chat) => set(mergeChat(chats.get(chat.id), chat)),
    noteMessage(message) {
      const held = chats.get(message.chat_id);
      if (held !== undefined) set(applyMessage(held, message));
    },
    noteMyMarkers,
    purge,
  };
}
