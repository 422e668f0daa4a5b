import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { CATCH_UP_PAGE } from './catch-up.ts';
import {
  catchUp,
  failPage,
  followChanges,
  loadParticipants,
  lose,
  note,
  prepared,
  reloadParticipants,
  scroll,
  showChanged,
  stop,
  stopTyping,
  takePage,
  withoutConnection,
} from './chat-messages.ts';
import { readsFrom, withChat, withFirstUnread } from './chat-opening.ts';
import { loadQuote, showMessage } from './chat-quotes.ts';
import type { ChatEvent, ChatTimer } from './chat-state.ts';
import { type ChatCopy, type ChatState, type ChatStep, chain, type EventOf, initialChat, only } from './chat-state.ts';
import { mergeMessages } from './merge-messages.ts';
import { mergeParticipants, raiseMarkersOf } from './participants/chat-participants.ts';
import { isTypingDue, TYPING_GONE_AFTER_MS } from './participants/typing.ts';
import type { MessagePayload } from './send-message.ts';

/** How long the socket may take before messages are fetched without it; it is caught up with when it comes. */
export const SUBSCRIBE_PATIENCE_MS = 2000;
/** While there is no subscription, what is new is asked for this often. */
export const POLL_MS = 15_000;
/** A hint that there is more than was told waits this long for the telling itself. */
export const HINT_PATIENCE_MS = 1500;

/** One open chat, kept true: the pure part. */
export function reduceChat(state: ChatState, event: ChatEvent): ChatStep {
  if ('run' in event && event.run !== state.run) return only(state);
  switch (event.type) {
    case 'started':
      return start(state, event);
    case 'stopped':
      return stop(state);
    case 'lost':
      return lose(state);
    case 'woken':
      // Before the device's copy is read nobody knows from where to ask.
      return state.isJoined ? ask(state, null) : only(state);
    case 'people-changed':
      return reloadParticipants(state);
    case 'chat-changed':
      return changeChat(state, event.chat);
    case 'outbox-changed':
      return only({ ...state, outbox: event.outbox });
    case 'unsent-changes-changed':
      return only({ ...state, unsentChanges: event.unsentChanges });
    case 'acknowledged':
    case 'message-sent':
    case 'message-changed':
      return takeMessage(state, event);
    case 'retry-due':
    case 'timer-fired':
      return takeTime(state, event);
    case 'show':
      return showMessage(state, event);
    case 'load-quote':
      return loadQuote(state, event.seq);
    case 'send':
    case 'change':
    case 'mark-read':
    case 'load-older':
    case 'fill-gap':
    case 'key-pressed':
      return act(state, event);
    case 'copy-read':
    case 'chat-fetched':
    case 'page-fetched':
    case 'page-failed':
    case 'older-read':
    case 'participants-fetched':
    case 'participants-failed':
      return takeAnswer(state, event);
    default:
      return takeChannel(state, event);
  }
}

function start(state: ChatState, { chat, outbox, unsentChanges, keptSeq = null }: EventOf<'started'>): ChatStep {
  const { chatId, myId, isFromDevice, toldTypingAt } = state;
  const run = state.run + 1;
  const initial = initialChat({ chatId, myId, chat, outbox, unsentChanges });
  const opening = { ...initial.opening, keptSeq };
  const fresh = { ...initial, opening, run, isRunning: true, isFromDevice, toldTypingAt };
  return only(fresh, { type: 'watch' }, { type: 'read-copy', run, limit: CATCH_UP_PAGE, around: keptSeq });
}

function changeChat(state: ChatState, chat: Chat | null): ChatStep {
  const changed = chat === state.chat ? state : { ...state, chat };
  if (chat === null || !state.opening.isOpen) return only(changed);
  return chain(changed, (now) => hint(now, chat.head_seq, chat.head_change_seq), loadParticipants);
}

/** Somewhere it was said that the chat goes up to this seq, and how often its messages have changed. */
function hint(state: ChatState, head: number, changeHead = 0): ChatStep {
  const timers: ChatTimer[] = [
    ...(head > (state.catchUp.cursor ?? 0) ? [{ type: 'hint', head } as const] : []),
    ...(changeHead > (state.changes.cursor ?? 0) ? [{ type: 'change-hint', head: changeHead } as const] : []),
  ];
  return only(state, ...timers.map((timer) => ({ type: 'start-timer', timer, ms: HINT_PATIENCE_MS }) as const));
}

function ask(state: ChatState, head: number | null): ChatStep {
  return state.isRunning ? catchUp(state, { type: 'ask', head }) : only(state);
}

function takeMessage(state: ChatState, event: EventOf<'acknowledged' | 'message-sent' | 'message-changed'>): ChatStep {
  if (!state.isRunning) return only(state);
  if (event.type === 'message-changed') {
    const change = event.message.change_seq ?? 0;
    return showChanged(state, [event.message], { type: 'changed', change });
  }
  return catchUp(state, { type: event.type === 'acknowledged' ? 'acknowledged' : 'live', message: event.message });
}

type Answer = EventOf<
  | 'copy-read'
  | 'chat-fetched'
  | 'page-fetched'
  | 'page-failed'
  | 'older-read'
  | 'participants-fetched'
  | 'participants-failed'
>;

function takeAnswer(state: ChatState, event: Answer): ChatStep {
  switch (event.type) {
    case 'copy-read':
      return takeCopy(state, event.copy);
    case 'chat-fetched': {
      const chat = state.chat ?? event.chat;
      return chain(
        { ...state, chat },
        (now) => only(now, { type: 'put-chat', chat: event.chat }),
        (now) => prepared(now, chat),
      );
    }
    case 'page-fetched':
      return takePage(state, event);
    case 'page-failed':
      return failPage(state, event);
    case 'older-read':
      return scroll(state, { type: 'older-read', messages: event.messages }, null);
    case 'participants-fetched': {
      const participants = mergeParticipants(state.participants, event.participants);
      return only({ ...state, participants }, { type: 'keep-participants', participants: participants.list });
    }
    case 'participants-failed':
      return note(
        { ...state, participants: { ...state.participants, version: '' } },
        'The people of a chat could not be fetched',
        event.failure,
      );
  }
}

function takeCopy(state: ChatState, copy: ChatCopy | null): ChatStep {
  return chain(
    state,
    (now) => (copy === null ? only(now) : showCopy(now, copy)),
    (now) =>
      only(
        { ...now, isJoined: true },
        { type: 'join' },
        { type: 'start-timer', timer: { type: 'patience' }, ms: SUBSCRIBE_PATIENCE_MS },
        { type: 'start-timer', timer: { type: 'poll' }, ms: POLL_MS },
      ),
  );
}

function showCopy(state: ChatState, copy: ChatCopy): ChatStep {
  const messages = mergeMessages(state.messages, copy.messages);
  const participants = { ...state.participants, list: copy.participants };
  return chain(
    { ...state, messages, participants, isFromDevice: true },
    (now) => followChanges(now, { type: 'begin', cursor: copy.changeCursor }),
    (now) => catchUp(now, { type: 'begin', cursor: copy.cursor }),
    (now) => {
      const opening = withFirstUnread(withChat(now.opening, now.chat), now.messages, now.myId);
      const isReady = now.chat !== null && now.messages.length > 0;
      return only({ ...now, opening, status: isReady ? 'ready' : now.status });
    },
  );
}

type ChannelEvent = EventOf<
  | 'subscribed'
  | 'subscription-refused'
  | 'disconnected'
  | 'markers-changed'
  | 'head-announced'
  | 'people-here'
  | 'people-joined'
  | 'person-left'
  | 'typing-heard'
>;

function takeChannel(state: ChatState, event: ChannelEvent): ChatStep {
  switch (event.type) {
    case 'subscribed':
      return subscribe(state, event);
    case 'subscription-refused':
      // A refusal alone proves nothing, a socket may have died under it: the messages are asked for, and only their
      // being refused means that the chat is lost.
      return ask({ ...state, isSubscribed: false }, null);
    case 'disconnected':
      return chain(
        state,
        (now) => stopTyping(now, now.typing),
        (now) => only(withoutConnection(now)),
      );
    case 'markers-changed':
      return raise(state, event);
    case 'head-announced':
      return hint(state, event.head, event.changeHead);
    case 'people-here':
      return only({ ...state, present: others(state, event.people) });
    case 'people-joined': {
      const people = others(state, event.people);
      const rest = state.present.filter(({ id }) => !people.some((person) => person.id === id));
      return only({ ...state, present: [...rest, ...people] });
    }
    case 'person-left': {
      const present = state.present.filter(({ id }) => id !== event.userId);
      return stopTyping({ ...state, present }, [event.userId]);
    }
    case 'typing-heard':
      return hearTyping(state, event.userId);
  }
}

const others = ({ myId }: ChatState, people: readonly Person[]): Person[] => people.filter(({ id }) => id !== myId);

function subscribe(state: ChatState, { head, changeHead }: EventOf<'subscribed'>): ChatStep {
  // Markers that rose while there was no subscription were told to nobody here.
  const participants = { ...state.participants, version: '' };
  return chain(
    { ...state, isSubscribed: true, participants },
    (now) => (now.opening.isOpen ? loadParticipants(now) : only(now)),
    (now) => ask(now, head),
    (now) => followChanges(now, { type: 'told', head: changeHead ?? 0 }),
  );
}

function raise(state: ChatState, { markers }: EventOf<'markers-changed'>): ChatStep {
  const participants = raiseMarkersOf(state.participants, markers);
  const isMine = markers.user_id === state.myId;
  return chain(
    { ...state, participants },
    (now) => (isMine ? only(now, { type: 'note-my-markers', markers }) : only(now)),
    (now) => hint(now, markers.head_seq),
  );
}

function hearTyping(state: ChatState, userId: string): ChatStep {
  if (userId === state.myId) return only(state);
  const typing = state.typing.includes(userId) ? state.typing : [...state.typing, userId];
  return only(
    { ...state, typing },
    { type: 'start-timer', timer: { type: 'typing', userId }, ms: TYPING_GONE_AFTER_MS },
  );
}

function takeTime(state: ChatState, event: EventOf<'retry-due' | 'timer-fired'>): ChatStep {
  if (event.type === 'retry-due') return ask(state, null);
  const { timer } = event;
  switch (timer.type) {
    case 'patience':
      return ask(state, null);
    case 'poll':
      return chain(
        state,
        (now) => only(now, { type: 'start-timer', timer, ms: POLL_MS }),
        (now) => (now.isSubscribed ? only(now) : ask(now, null)),
      );
    case 'hint':
      return ask(state, timer.head);
    case 'change-hint':
      return followChanges(state, { type: 'told', head: timer.head });
    case 'typing':
      return only({ ...state, typing: state.typing.filter((id) => id !== timer.userId) });
  }
}

type Act = EventOf<'send' | 'change' | 'mark-read' | 'load-older' | 'fill-gap' | 'key-pressed'>;

function act(state: ChatState, event: Act): ChatStep {
  const { messages: held, chat } = state;
  switch (event.type) {
    case 'send':
      return send(state, event);
    case 'change': {
      const { requestId, payload, clientId, writtenAt } = event;
      return only(state, { type: 'add-change', requestId, item: { clientId, lane: state.chatId, payload, writtenAt } });
    }
    case 'mark-read': {
      const read_seq = Math.min(event.seq, held.at(-1)?.seq ?? 0);
      if (chat === null || read_seq <= chat.my.read_seq) return only(state);
      const to = { read_seq };
      return only(state, { type: 'raise-markers', to, known: chat.my }, { type: 'note-my-markers', markers: to });
    }
    case 'load-older':
      return scroll(state, { type: 'load-older', held }, null);
    case 'fill-gap': {
      const fromSeq = readsFrom(state.opening);
      return scroll(state, { type: 'fill-gap', beforeSeq: event.beforeSeq, held, fromSeq }, null);
    }
    case 'key-pressed': {
      const count = chat?.participant_count ?? state.participants.list.length;
      // Before the subscription nobody would hear it, and the next key would be too early for another.
      if (!state.isSubscribed || !isTypingDue(state.toldTypingAt, event.now, count)) return only(state);
      return only({ ...state, toldTypingAt: event.now }, { type: 'tell-typing' });
    }
  }
}

function send(state: ChatState, event: EventOf<'send'>): ChatStep {
  const { requestId, body, replyTo, mentions = [], files = [], citations = [], clientId, writtenAt } = event;
  const text = body.trim();
  const hasFiles = files.length > 0;
  if (text === '' && !hasFiles) return only(state, { type: 'answer', requestId });
  const payload: MessagePayload = {
    body: hasFiles || citations[0] ? '' : text,
    replyTo,
    ...(mentions.length > 0 && { mentions }),
    ...(hasFiles && { files: { body: text, list: files } }),
    ...(citations[0] && { cites: { body: text, list: citations } }),
  };
  const item = { clientId, lane: state.chatId, payload, writtenAt };
  return only(state, { type: 'add-to-outbox', requestId, item });
}
