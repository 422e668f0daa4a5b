import { createEngine, createRequests } from '@wardline/client/engine.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import type { ChatView, Person } from '#/features/chat/core/chat-view.ts';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import { type ChatEffectDeps, createChatEffects, watchedOf } from './chat-effects.ts';
import { hasOlder } from './chat-history.ts';
import { timelineItems } from './chat-items.ts';
import { reduceChat } from './chat-reducer.ts';
import { type ChatState, initialChat } from './chat-state.ts';

export interface ChatEngineDeps extends Omit<ChatEffectDeps, 'dispatch' | 'settle'> {
  readonly userId: string;
  readonly newId: () => string;
  readonly now?: () => number;
  /** Resolves once these survive a reload. */
  readonly keepFiles?: ((files: readonly FileRef[]) => Promise<void>) | undefined;
  /** Where this tab left the chat. */
  readonly keptSeq?: number | null;
}

/** One open chat, kept true. */
export interface ChatEngine extends Observable<ChatView> {
  start(): void;
  stop(): void;
  /** My message is stored: shown in the same moment in which it stops being unsent. */
  deliver(message: Message): void;
  /** My change of a message is stored; the message as it stands. */
  deliverChange(message: Message): void;
  /** Online, focus: asks whether there is more. */
  wake(): void;
  /** The chat is not mine any more. */
  lose(): void;
}

/** Runs the reducer of one chat: `reduceChat` decides, `createChatEffects` does. */
export function createChatEngine(deps: ChatEngineDeps): ChatEngine {
  const { chatId, userId, outbox, log, newId, now = Date.now } = deps;
  const requests = createRequests();
  const initial = initialChat({ chatId, myId: userId, ...watchedOf(deps) });
  let published = initial;
  const engine = createEngine({
    initial,
    reduce: reduceChat,
    onState(state) {
      if (!isSameView(state, published)) shown.set(view(state));
      published = state;
    },
    run: createChatEffects({
      ...deps,
      dispatch: (event) => engine.dispatch(event),
      settle: (requestId, work) =>
        void work.then(
          () => requests.answer(requestId, null),
          (error) => requests.answer(requestId, { error }),
        ),
    }),
    onError: (error) => log.error('A chat could not be kept up to date', error),
  });
  const { dispatch } = engine;

  const stop = (): void => dispatch({ type: 'stopped' });
  const start = (): void => dispatch({ type: 'started', ...watchedOf(deps), keptSeq: deps.keptSeq ?? null });
  const actions: Pick<ChatView, ActionName> = {
    async send(body, { replyTo = null, mentions = [], files = [], citations = [] } = {}) {
      // Before it is unsent work: without them it could never be sent.
      if (files.length > 0) await deps.keepFiles?.(files);
      const { requestId, done } = requests.open();
      const writtenAt = new Date(now()).toISOString();
      const answers = replyTo && { id: replyTo.id, seq: replyTo.seq };
      const given = { body, replyTo: answers, mentions, files, citations };
      dispatch({ type: 'send', requestId, ...given, clientId: newId(), writtenAt });
      return await done;
    },
    show(seq) {
      const { requestId, done } = requests.open();
      dispatch({ type: 'show', requestId, seq });
      return done;
    },
    loadQuote: (seq) => dispatch({ type: 'load-quote', seq }),
    change(payload) {
      const { requestId, done } = requests.open();
      const writtenAt = new Date(now()).toISOString();
      dispatch({ type: 'change', requestId, payload, clientId: newId(), writtenAt });
      return done;
    },
    retrySend: (clientId) => outbox.retry(clientId),
    discard: (clientId) => outbox.discard(clientId),
    markRead: (seq) => dispatch({ type: 'mark-read', seq }),
    loadOlder: () => dispatch({ type: 'load-older' }),
    fillGap: (beforeSeq) => dispatch({ type: 'fill-gap', beforeSeq }),
    noteTyping: () => dispatch({ type: 'key-pressed', now: now() }),
    refreshPeople() {
      deps.list.wake();
      dispatch({ type: 'people-changed' });
    },
    retry() {
      stop();
      start();
    },
  };
  const view = (state: ChatState): ChatView => ({ ...toChatView(state), ...actions });
  const shown = createSource<ChatView>(view(initial));

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    start,
    stop,
    deliver: (message) => dispatch({ type: 'acknowledged', message }),
    deliverChange: (message) => dispatch({ type: 'message-changed', message }),
    wake: () => dispatch({ type: 'woken' }),
    lose: () => dispatch({ type: 'lost' }),
  };
}

type ActionName =
  | 'send'
  | 'change'
  | 'show'
  | 'loadQuote'
  | 'retrySend'
  | 'discard'
  | 'loadOlder'
  | 'fillGap'
  | 'markRead'
  | 'noteTyping'
  | 'refreshPeople'
  | 'retry';

const SHOWN = ['status', 'error', 'chat', 'messages', 'outbox', 'participants', 'history', 'opening'] as const;
const SHOWN_LIVE = ['unsentChanges', 'quotes', 'present', 'typing', 'isFromDevice'] as const;

/** True where nothing changed that the screens draw. */
function isSameView(one: ChatState, other: ChatState): boolean {
  return [...SHOWN, ...SHOWN_LIVE].every((key) => one[key] === other[key]);
}

/** What the screens draw of a chat. */
export function toChatView(state: ChatState): Omit<ChatView, ActionName> {
  const { status, error, chat, messages, outbox, unsentChanges, participants, history, opening, present, myId } = state;
  return {
    status,
    error,
    chat: status === 'not-found' ? null : chat,
    items: timelineItems({ messages, participants: participants.list, myId, outbox, unsentChanges }),
    hasOlder: hasOlder(history, messages),
    isLoadingOlder: history.older !== null,
    firstUnreadSeq: opening.firstUnreadSeq,
    participants: participants.list,
    present,
    typing: state.typing.flatMap((id) => findPerson(state, id) ?? []),
    isFromDevice: state.isFromDevice,
    quotes: state.quotes.found,
  };
}

function findPerson({ present, participants }: ChatState, id: string): Person | null {
  const here = present.find((person) => person.id === id);
  const known = participants.list.find((person) => person.user_id === id);
  return here ?? (known === undefined ? null : { id, name: known.name, title: known.title });
}
