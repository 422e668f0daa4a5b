import { isTemporary, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { Realtime } from '@wardline/client/realtime/realtime.ts';
import { createRetryTimer } from '@wardline/client/retry-timer.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { getChat, listMessages, type MarkersChanged, type Message } from '@wardline/contract/chat.ts';
import type { Person, Thread } from '#/features/chat/core/chat-view.ts';
import { CATCH_UP_PAGE, type CatchUp, createCatchUp, type MessagePage, type PagePlace } from './catch-up.ts';
import { createThreadActions } from './chat-actions.ts';
import { createThreadDeviceCopy } from './chat-device-copy.ts';
import { createThreadHistory, type ThreadHistory } from './chat-history.ts';
import { threadItems } from './chat-items.ts';
import type { ChatListEngine } from './chat-list.ts';
import { createThreadLive } from './chat-live.ts';
import { createThreadOpening } from './chat-opening.ts';
import { createThreadParticipants, type ThreadParticipants } from './chat-participants.ts';
import { mergeMessages } from './merge-messages.ts';
import type { MarkerSender } from './raise-markers.ts';
import type { MessagePayload } from './send-message.ts';

/** How long the socket may take before messages are fetched without it; it is caught up with when it comes. */
export const SUBSCRIBE_PATIENCE_MS = 2000;
/** While there is no subscription, what is new is asked for this often. */
export const POLL_MS = 15_000;
/** A hint that there is more than was told waits this long for the telling itself. */
export const HINT_PATIENCE_MS = 1500;

export interface ThreadDeps {
  readonly chatId: string;
  readonly userId: string;
  readonly call: Call;
  readonly realtime: Pick<Realtime, 'join'>;
  readonly store: DeviceStore;
  readonly outbox: UnsentWork<MessagePayload>;
  readonly list: ChatListEngine;
  readonly markers: MarkerSender;
  readonly log: Log;
  readonly newId: () => string;
  readonly random?: () => number;
  readonly now?: () => number;
}

/** One open chat, kept true. */
export interface ThreadEngine extends Observable<Thread> {
  start(): void;
  stop(): void;
  /** My message is stored: shown in the same moment in which it stops being unsent. */
  deliver(message: Message): void;
  /** Online, focus: asks whether there is more. */
  wake(): void;
  /** The chat is not mine any more. */
  lose(): void;
}

export function createThread(deps: ThreadDeps): ThreadEngine {
  const { chatId, userId, call, log, outbox, list, markers } = deps;
  const now = deps.now ?? Date.now;
  const copy = createThreadDeviceCopy(deps.store, chatId, log);
  const live = createThreadLive({
    chatId,
    userId,
    realtime: deps.realtime,
    now,
    onMessage: (message) => catchUp.live(message),
    onMarkers: (event) => onMarkers(event),
    onHead: (head) => hint(head),
    onSubscribed(head) {
      // Markers that rose while there was no subscription were told to nobody here.
      participants.doubt();
      if (opening.isOpen()) participants.load();
      catchUp.ask(head);
    },
    onRefused() {
      // A refusal alone proves nothing, a socket may have died under it: the messages are asked for, and only their
      // being refused means that the chat is lost.
      catchUp.ask(null);
    },
    onChange: () => publish(),
  });
  const retryTimer = createRetryTimer(() => catchUp.ask(null), deps.random);
  let messages: readonly Message[] = [];
  let participants: ThreadParticipants = newParticipants();
  let status: Thread['status'] = 'loading';
  let error: string | null = null;
  let isFromDevice = false;
  let opening = createThreadOpening(userId);
  let run = 0;
  let catchUp: CatchUp = newCatchUp();
  let history: ThreadHistory = newHistory();
  let undo: (() => void)[] = [];

  const fetchPage = (place: PagePlace): Promise<MessagePage> =>
    call(listMessages, { params: { chat: chatId }, query: place });

  function newCatchUp(): CatchUp {
    return createCatchUp({
      log,
      fetchPage: (place) => fetchPage(place),
      apply: show,
      placeToOpen: (head) => opening.placeToOpen(head, messages),
      prepare: async () => {
        if (list.chat(chatId) === null) list.put(await call(getChat, { params: { chat: chatId } }));
        opening.see(list.chat(chatId));
      },
      onDone() {
        retryTimer.succeed();
        status = 'ready';
        error = null;
        isFromDevice = false;
        opening.look(messages);
        opening.finish();
        noteDelivered();
        publish();
        participants.load();
      },
      onFailure: fail,
    });
  }
  function newHistory(): ThreadHistory {
    return createThreadHistory({
      held: () => messages,
      fetchPage: (place) => fetchPage(place),
      olderHere: copy.older,
      apply(page, isFromServer) {
        if (isFromServer) copy.keep(page, null);
        messages = mergeMessages(messages, page);
      },
      firstUnreadSeq: () => opening.firstUnreadSeq(),
      onChange: () => publish(),
      onFailure: (failure) => note('Older messages could not be fetched', failure),
    });
  }

  function newParticipants(): ThreadParticipants {
    return createThreadParticipants({
      call,
      chatId,
      version: () => `${list.chat(chatId)?.version}/${list.chat(chatId)?.participant_count}`,
      keep: copy.keepParticipants,
      onChange: () => publish(),
      onFailure: (failure) => note('The people of a chat could not be fetched', failure),
    });
  }

  function show(page: readonly Message[], cursor: number | null): void {
    messages = mergeMessages(messages, page);
    copy.keep(page, cursor);
    for (const message of page) live.stoppedTyping(message.sender.id);
    if (opening.isOpen()) noteDelivered();
    publish();
  }

  /** What passes by itself, such as a network that is away, is nothing for the log. */
  function note(line: string, failure: unknown): void {
    if (isLost(failure)) lose();
    else if (!isTemporary(failure)) log.warn(line, failure);
  }

  function fail(failure: unknown): void {
    note('The messages of a chat could not be fetched', failure);
    if (isLost(failure)) return;
    error = failure instanceof Error ? failure.message : 'The messages could not be loaded.';
    if (status === 'loading') status = 'failed';
    retryTimer.plan();
    publish();
  }

  const noteDelivered = (): void => {
    const chat = list.chat(chatId);
    const cursor = catchUp.cursor();
    if (chat !== null && cursor !== null) markers.raise(chatId, { delivered_seq: cursor }, chat.my);
  };

  const hint = (head: number): void => {
    const mine = run;
    if (head <= (catchUp.cursor() ?? 0)) return;
    setTimeout(() => mine === run && catchUp.ask(head), HINT_PATIENCE_MS);
  };
  const onMarkers = (event: MarkersChanged): void => {
    if (event.user_id === userId) list.noteMyMarkers(chatId, event);
    participants.raise(event);
    hint(event.head_seq);
    publish();
  };

  const personOf = (id: string): Person | null => {
    const here = live.present().find((person) => person.id === id);
    const known = participants.list().find((person) => person.user_id === id);
    return here ?? (known === undefined ? null : { id, name: known.name, title: known.title });
  };

  const actions = {
    ...createThreadActions({
      chatId,
      outbox,
      list,
      markers,
      now,
      newId: deps.newId,
      lastSeq: () => messages.at(-1)?.seq ?? 0,
    }),
    loadOlder: () => history.loadOlder(),
    fillGap: (beforeSeq: number) => history.fillGap(beforeSeq),
    noteTyping(): void {
      live.noteTyping(list.chat(chatId)?.participant_count ?? participants.list().length);
    },
    retry(): void {
      stop();
      start();
    },
  };

  const view = (): Thread => ({
    status,
    error,
    chat: status === 'not-found' ? null : list.chat(chatId),
    items: threadItems({
      messages,
      participants: participants.list(),
      myId: userId,
      outbox: outbox.get().filter((item) => item.lane === chatId),
    }),
    hasOlder: history.hasOlder(),
    isLoadingOlder: history.isLoadingOlder(),
    firstUnreadSeq: opening.firstUnreadSeq(),
    participants: participants.list(),
    present: live.present(),
    typing: live.typing().flatMap((id) => personOf(id) ?? []),
    isFromDevice,
    ...actions,
  });
  const shown = createSource<Thread>(view());
  function publish(): void {
    shown.set(view());
  }

  function lose(): void {
    if (status === 'not-found') return;
    stop();
    messages = [];
    participants = newParticipants();
    opening = createThreadOpening(userId);
    status = 'not-found';
    markers.forget(chatId);
    list.purge(chatId);
    publish();
  }

  const open = async (mine: number): Promise<void> => {
    const kept = await copy.load(CATCH_UP_PAGE).catch((failure) => {
      log.warn('The messages on this device could not be read', failure);
      return null;
    });
    if (mine !== run) return;
    if (kept !== null) {
      messages = mergeMessages(messages, kept.messages);
      participants.begin(kept.participants);
      catchUp.begin(kept.cursor);
      isFromDevice = true;
      opening.see(list.chat(chatId));
      opening.look(messages);
      if (list.chat(chatId) !== null && messages.length > 0) status = 'ready';
      publish();
    }
    live.join();
    const patience = setTimeout(() => catchUp.ask(null), SUBSCRIBE_PATIENCE_MS);
    const poll = setInterval(() => !live.isSubscribed() && catchUp.ask(null), POLL_MS);
    undo.push(
      () => clearTimeout(patience),
      () => clearInterval(poll),
    );
  };

  const onListChanged = (): void => {
    const chat = list.chat(chatId);
    if (chat !== null && opening.isOpen()) {
      hint(chat.head_seq);
      participants.load();
    }
    publish();
  };

  function start(): void {
    run += 1;
    messages = [];
    status = 'loading';
    error = null;
    opening = createThreadOpening(userId);
    participants = newParticipants();
    catchUp = newCatchUp();
    history = newHistory();
    undo = [outbox.subscribe(publish), list.subscribe(onListChanged)];
    publish();
    void open(run);
  }
  function stop(): void {
    run += 1;
    catchUp.stop();
    participants.stop();
    retryTimer.succeed();
    for (const end of undo) end();
    undo = [];
    live.leave();
  }

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    start,
    stop,
    deliver: (message) => catchUp.acknowledged(message),
    wake: () => {
      // Before the device's copy is read nobody knows from where to ask.
      if (live.isJoined()) catchUp.ask(null);
    },
    lose,
  };
}

function isLost(failure: unknown): boolean {
  const status = statusOf(failure);
  return status === 403 || status === 404;
}
