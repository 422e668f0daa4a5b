import { whenTrue } from '@wardline/client/browser/when-true.ts';
import { transportError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { ConnectionState, Realtime } from '@wardline/client/realtime/realtime.ts';
import type { Session } from '@wardline/client/session/session.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { v7 as uuidv7 } from 'uuid';
import { filesLabel } from '#/features/chat/core/chat-labels.ts';
import { chatPath, personPath } from '#/features/chat/core/chat-paths.ts';
import type { ChatList, ChatView, MessageChange } from '#/features/chat/core/chat-view.ts';
import { draftsOf } from '#/features/chat/drafts/draft-store.ts';
import type { DraftSync } from '#/features/chat/drafts/draft-sync.ts';
import { createChatEngine } from '#/features/chat/engine/chat.ts';
import { messageRow } from '#/features/chat/engine/chat-device-copy.ts';
import { createChatList } from '#/features/chat/engine/chat-list/chat-list.ts';
import { createChatRegistry } from '#/features/chat/engine/chat-registry.ts';
import { createMarkerSender } from '#/features/chat/engine/raise-markers.ts';
import {
  describeSendFailure,
  directTargetOf,
  type MessagePayload,
  sendMessage,
} from '#/features/chat/engine/send-message.ts';
import { describeChange, describeChangeFailure } from '#/features/chat/engine/unsent-changes.ts';
import type { Uploads } from '#/features/chat/uploads/uploads.ts';

/** The kind of messages in the outbox; what was kept before there were kinds is one. */
export const MESSAGES = 'message';
/** The kind of changes of messages; they leave in one order with the messages of their chat. */
export const MESSAGE_CHANGES = 'message-change';

export interface ChatRuntimeDeps {
  /** Whose copy `store` is; the runtime ends itself when the session has another one or none (A34). */
  readonly session: Pick<Session, 'subscribe' | 'store' | 'refresh'>;
  readonly store: DeviceStore;
  /** Of the same person; whoever made it opens and ends it. */
  readonly unsent: Pick<SharedOutbox, 'of'>;
  readonly call: Call;
  readonly realtime: Realtime;
  readonly online: Observable<boolean>;
  readonly focus: Observable<boolean>;
  readonly log: Log;
  /** Somebody else has just put me into a chat. */
  readonly onAdded?: (chat: Chat) => void;
  readonly newId?: () => string;
  readonly random?: () => number;
  readonly now?: () => number;
}

export interface ConnectionView {
  readonly state: ConnectionState;
  readonly isOnline: boolean;
}

/** Everything of chats that goes on for one signed-in person; the one place where its parts meet. */
export interface ChatRuntime {
  readonly chats: Observable<ChatList>;
  readonly connection: Observable<ConnectionView>;
  /** My messages that wait on this device, those to people with whom I have no chat yet among them. */
  readonly unsent: UnsentWork<MessagePayload>;
  /** My changes of messages that wait on this device, among them what I did about urgent ones. */
  readonly unsentChanges: UnsentWork<MessageChange>;
  /** My files on their way; their code comes with the first. */
  uploads(): Promise<Uploads>;
  /** One engine per chat; it runs while somebody watches it. */
  chatView(chatId: string, keptSeq?: number | null): Observable<ChatView>;
  start(): Promise<void>;
  stop(): void;
}

export function createChatRuntime(deps: ChatRuntimeDeps): ChatRuntime {
  const { session, store, realtime, online, focus, log } = deps;
  const { outbox, unsentChanges, markers, list, shelf, loadUploads, stopUploads, startDrafts, stopDrafts } =
    createDeps(deps);
  const connectionView = createSource<ConnectionView>({ state: realtime.connection.get(), isOnline: online.get() });
  const updateConnection = (): void => connectionView.set({ state: realtime.connection.get(), isOnline: online.get() });
  const undo: (() => void)[] = [];
  let isStarted = false;
  let stateBefore = realtime.connection.get();

  /** There is reason to believe that the network is there: everything that waits for it goes at once (RTA-6). */
  const wake = (): void => {
    realtime.wake();
    markers.flush();
    list.wake();
    shelf.wakeAll();
  };
  const onConnection = (): void => {
    const state = realtime.connection.get();
    // Discussions and the list catch up by themselves when their channels are subscribed again.
    if (state === 'connected' && stateBefore !== 'connected') {
      outbox.flush();
      markers.flush();
    }
    stateBefore = state;
    updateConnection();
  };

  const stop = (): void => {
    for (const end of undo.splice(0)) end();
    markers.stop();
    stopUploads();
    stopDrafts();
    shelf.stopAll();
    list.stop();
  };

  return {
    chats: list,
    connection: connectionView,
    unsent: outbox,
    unsentChanges,
    uploads: loadUploads,
    chatView: (chatId, keptSeq) => shelf.chatView(chatId, keptSeq),
    async start() {
      if (isStarted) return;
      isStarted = true;
      undo.push(
        session.subscribe(() => {
          if (session.store() !== store) stop();
        }),
        realtime.connection.subscribe(onConnection),
        online.subscribe(updateConnection),
        whenTrue(online, wake),
        whenTrue(focus, wake),
      );
      await Promise.all([
        markers.open().catch((error) => log.warn('The markers on this device could not be read', error)),
        list.start(),
      ]);
      startDrafts();
    },
    stop,
  };
}

/** Comes with the first of what is not a plain message; while it does not come, it waits as it does without a network. */
async function loadSending() {
  try {
    return await import('#/features/chat/message-acts/send-acts.ts');
  } catch (cause) {
    throw transportError('network', 'A part of this page did not load.', cause);
  }
}

/** The outbox, the markers, the list and the chats, each of which needs some of the others. */
function createDeps(deps: ChatRuntimeDeps) {
  const { session, store, call, realtime, log, newId = () => uuidv7(), now = Date.now } = deps;
  const { userId } = store;
  const pace = deps.random === undefined ? {} : { random: deps.random };
  const outbox = deps.unsent.of<MessagePayload, Message>(MESSAGES, {
    async send(item, signal) {
      const { body, files, forward } = item.payload;
      const attachments = files && (await (await loadUploads()).ready(item, signal));
      const to = forward ? null : directTargetOf(item.payload, list.chat(item.lane));
      // What needs more than its words has no body.
      if (to === null && body === '' && !files) return (await loadSending()).sendBodiless(call, item, signal);
      if (to === null) return sendMessage(call, item, signal, attachments);
      const { chat, message } = await (await loadSending()).sendToPerson(call, { item, to, signal, attachments });
      list.put(chat);
      return message;
    },
    deliver(message, item) {
      // At once: of what is unsent no more without it, the files would be taken back. Another tab's files are with that tab.
      if (item) uploads?.sent(item.payload);
      shelf.deliver(message);
      list.noteMessage(message);
      draftSync?.noteSent(message);
      return [messageRow(message)];
    },
    describeFailure: describeSendFailure,
    describe({ lane, payload }) {
      const chat = list.chat(lane);
      const { direct, forward, urgent, files } = payload;
      const href = chat
        ? chatPath(chat)
        : direct
          ? 'path' in direct
            ? direct.path
            : personPath(direct.facilityId, direct.userId)
          : null;
      const text = (forward ?? urgent ?? files ?? payload).body || (files ? filesLabel(files.list) : '');
      return { title: chat?.title ?? direct?.name ?? 'A chat', text, href };
    },
  });
  const unsentChanges = deps.unsent.of<MessageChange, Message>(MESSAGE_CHANGES, {
    send: async (item, signal) => (await loadSending()).sendChange(call, item, signal),
    deliver(message) {
      shelf.deliverChange(message);
      list.noteMessage(message);
      return [messageRow(message, true)];
    },
    describeFailure: describeChangeFailure,
    describe({ lane, payload }) {
      const chat = list.chat(lane);
      return { title: chat?.title ?? 'A chat', text: describeChange(payload), href: chat && chatPath(chat) };
    },
  });
  const markers = createMarkerSender({ call, store, log, ...pace });
  const list = createChatList({
    userId,
    call,
    realtime,
    store,
    outbox,
    log,
    onRemoved(chatId) {
      shelf.lose(chatId);
      draftSync?.forget(chatId);
    },
    onReset: () => shelf.restartAll(),
    // The identity carries the memberships and what one may do.
    onMembershipChanged: () => void session.refresh(),
    onAdded: deps.onAdded,
    ...pace,
  });
  let draftSync: DraftSync | null = null;
  let areDraftsStopped = false;
  /** Comes once the chats are there; until then, and where it does not come, drafts are this tab's alone. */
  const startDrafts = (): void => {
    void import('#/features/chat/drafts/draft-sync.ts').then(
      ({ createDraftSync }) => {
        if (areDraftsStopped) return;
        const drafts = draftsOf(userId);
        draftSync = createDraftSync({
          userId,
          drafts,
          call,
          realtime,
          focus: deps.focus,
          chats: list,
          log,
          newId,
          ...pace,
        });
      },
      (error) => log.warn('Drafts stay on this device', error),
    );
  };
  const stopDrafts = (): void => {
    areDraftsStopped = true;
    draftSync?.stop();
  };
  let uploads: Uploads | null = null;
  let loading: Promise<Uploads> | null = null;
  /** Comes with the first file. */
  const loadUploads = (): Promise<Uploads> => {
    loading ??= import('#/features/chat/uploads/uploads.ts').then(
      ({ createUploads }) => {
        uploads = createUploads({ store, call, log, unsent: outbox, online: deps.online, newId, ...pace });
        return uploads;
      },
      (cause) => {
        loading = null;
        throw transportError('network', 'A part of this page did not load.', cause);
      },
    );
    return loading;
  };
  const stopUploads = (): void => {
    void loading?.then((made) => made.stop()).catch(() => undefined);
    [uploads, loading] = [null, null];
  };
  const shelf = createChatRegistry((chatId, keptSeq) =>
    createChatEngine({
      chatId,
      keptSeq,
      userId,
      call,
      realtime,
      store,
      outbox,
      unsentChanges,
      list,
      markers,
      log,
      newId,
      now,
      keepFiles: async (files) => (await loadUploads()).keep(files),
      ...pace,
    }),
  );
  return { outbox, unsentChanges, markers, list, shelf, loadUploads, stopUploads, startDrafts, stopDrafts };
}
