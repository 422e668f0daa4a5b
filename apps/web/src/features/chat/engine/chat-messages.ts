import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { tellsOfPeople } from '#/features/chat/core/chat-labels.ts';
import { type CatchUpEffect, type CatchUpEvent, reduceCatchUp } from './catch-up.ts';
import { applyChanges, asKnown, type ChangesEvent, reduceChanges } from './changes.ts';
import { type HistoryEffect, type HistoryEvent, reduceHistory } from './chat-history.ts';
import { NOT_OPEN, placeToOpen, withChat, withFirstUnread } from './chat-opening.ts';
import { changeQuotes, failQuote, isHeld, takeQuote } from './chat-quotes.ts';
import {
  type ChatEffect,
  type ChatFailure,
  type ChatState,
  type ChatStep,
  chain,
  type EventOf,
  only,
} from './chat-state.ts';
import { mergeMessages } from './merge-messages.ts';
import { NO_PARTICIPANTS } from './participants/chat-participants.ts';

export function catchUp(state: ChatState, event: CatchUpEvent): ChatStep {
  const reduced = reduceCatchUp(state.catchUp, event);
  const parts = reduced.effects.map((effect) => (now: ChatState) => takeCatchUp(now, effect));
  return chain({ ...state, catchUp: reduced.state }, ...parts);
}

function takeCatchUp(state: ChatState, effect: CatchUpEffect): ChatStep {
  const { run, chat } = state;
  switch (effect.type) {
    case 'prepare':
      return chat === null ? only(state, { type: 'fetch-chat', run }) : prepared(state, chat);
    case 'fetch':
      return only(state, { type: 'fetch-page', run, purpose: { type: 'catch-up' }, place: effect.place });
    case 'apply':
      return show(state, effect.messages);
    case 'done':
      return finish(state);
    case 'withheld':
      return missPage(state, failureOf(new Error('The server did not return the missing messages.')));
  }
}

export function prepared(state: ChatState, chat: Chat): ChatStep {
  return catchUp({ ...state, opening: withChat(state.opening, chat) }, { type: 'prepared' });
}

function show(state: ChatState, given: readonly Message[]): ChatStep {
  const page = asKnown(state.changes, given);
  const senders = page.map(({ sender }) => sender.id);
  const shown = { ...state, messages: mergeMessages(state.messages, page) };
  return chain(
    shown,
    (now) => only(now, keep(now, page)),
    (now) => stopTyping(now, senders),
    (now) => (now.opening.isOpen ? only(now, ...delivered(now)) : only(now)),
    (now) =>
      now.opening.isOpen && page.some(({ kind, body }) => tellsOfPeople(kind, body))
        ? reloadParticipants(now)
        : only(now),
  );
}

/** Keeps messages on the device, always with how far its copy goes: two tabs write it, and one may be behind. */
function keep({ catchUp: { cursor }, changes }: ChatState, messages: readonly Message[], isUpdate = false): ChatEffect {
  const place = cursor === null || changes.cursor === null ? null : { cursor, changeCursor: changes.cursor };
  return { type: 'keep-messages', messages, place, isUpdate };
}

/** Messages that changed, each as it stands now. */
export function showChanged(state: ChatState, changed: readonly Message[], event: ChangesEvent): ChatStep {
  const { messages, unheld } = applyChanges(state.changes, state.messages, changed);
  const quotes = changeQuotes(state.quotes, changed);
  return chain(
    { ...state, messages, quotes, changes: { ...state.changes, unheld } },
    (now) => followChanges(now, event),
    (now) => (changed.length > 0 ? only(now, keep(now, changed, true)) : only(now)),
  );
}

export function followChanges(state: ChatState, event: ChangesEvent): ChatStep {
  if (!state.isRunning) return only(state);
  const { state: changes, effects } = reduceChanges(state.changes, event);
  const next = changes === state.changes ? state : { ...state, changes };
  const purpose = { type: 'changes' } as const;
  return only(
    next,
    ...effects.map(({ place }): ChatEffect => ({ type: 'fetch-page', run: state.run, purpose, place })),
  );
}

/** Everything that is known of is here: the chat is open. */
function finish(state: ChatState): ChatStep {
  const opening = { ...withFirstUnread(state.opening, state.messages, state.myId), isOpen: true };
  const ready: ChatState = { ...state, status: 'ready', error: null, isFromDevice: false, opening };
  return chain(ready, (now) => only(now, { type: 'reset-retry' }, ...delivered(now)), loadParticipants);
}

function delivered({ chat, catchUp: { cursor } }: ChatState): ChatEffect[] {
  if (chat === null || cursor === null) return [];
  return [{ type: 'raise-markers', to: { delivered_seq: cursor }, known: chat.my }];
}

/** Asks who is in the chat where that may have changed since it was asked last. */
export function loadParticipants(state: ChatState): ChatStep {
  const version = `${state.chat?.version}/${state.chat?.participant_count}`;
  if (version === state.participants.version || !state.isRunning) return only(state);
  const participants = { ...state.participants, version };
  return only({ ...state, participants }, { type: 'fetch-participants', run: state.run });
}

/** Asks who is in the chat, whatever is known of them. */
export function reloadParticipants(state: ChatState): ChatStep {
  return loadParticipants({ ...state, participants: { ...state.participants, version: '' } });
}

export function takePage(state: ChatState, { purpose, page }: EventOf<'page-fetched'>): ChatStep {
  if (purpose.type === 'older') return scroll(state, { type: 'older-page', page }, null);
  if (purpose.type === 'gap') return scroll(state, { type: 'gap-page', beforeSeq: purpose.beforeSeq, page }, null);
  if (purpose.type === 'changes') return showChanged(state, page.data, { type: 'page', page });
  if (purpose.type === 'quote') {
    return takeQuote(state, purpose.seq, { ...page, data: asKnown(state.changes, page.data) });
  }
  if (purpose.type === 'around') {
    const { requestId, seq } = purpose;
    return chain(
      state,
      (now) => takeHistory(now, { type: 'apply', messages: page.data, isFromServer: true }, null),
      (now) => only(now, { type: 'answer', requestId, ...(isHeld(now, seq) ? {} : { error: 'no such message' }) }),
    );
  }
  const place = placeToOpen(state.opening, page.head_seq, state.messages);
  const head = page.head_change_seq ?? 0;
  // The first page is as it stands; what was held before it, such as a message of mine, may have changed since.
  const cursor = state.messages.length === 0 ? head : 0;
  return chain(
    state,
    (now) => followChanges(now, { type: 'begin', cursor }),
    (now) => catchUp(now, { type: 'page', page, place }),
    (now) => followChanges(now, { type: 'told', head }),
  );
}

export function failPage(state: ChatState, { purpose, failure }: EventOf<'page-failed'>): ChatStep {
  const { isTemporary } = failure;
  if (purpose.type === 'older') return scroll(state, { type: 'older-failed', isTemporary }, failure);
  if (purpose.type === 'gap') return scroll(state, { type: 'gap-failed', beforeSeq: purpose.beforeSeq }, failure);
  if (purpose.type === 'quote')
    return note(failQuote(state, purpose.seq).state, 'A quote could not be fetched', failure);
  if (purpose.type === 'around') {
    const { requestId } = purpose;
    return only(state, { type: 'answer', requestId, error: failure.error });
  }
  if (purpose.type === 'changes')
    return chain(
      state,
      (now) => followChanges(now, { type: 'fail' }),
      (now) => missPage(now, failure),
    );
  return chain(
    state,
    (now) => catchUp(now, { type: 'fail' }),
    (now) => missPage(now, failure),
  );
}

/** The messages did not come: that is said, and tried again. */
function missPage(state: ChatState, failure: ChatFailure): ChatStep {
  return chain(
    state,
    (now) => note(now, 'The messages of a chat could not be fetched', failure),
    (now) => {
      if (failure.isLost) return only(now);
      const status = now.status === 'loading' ? 'failed' : now.status;
      return only({ ...now, status, error: failure.message }, { type: 'plan-retry' });
    },
  );
}

/** What passes by itself, such as a network that is away, is nothing for the log. */
export function note(state: ChatState, line: string, failure: ChatFailure): ChatStep {
  if (failure.isLost) return lose(state);
  return failure.isTemporary ? only(state) : only(state, { type: 'warn', line, error: failure.error });
}

function failureOf(error: Error): ChatFailure {
  return { isLost: false, isTemporary: false, message: error.message, error };
}

export function scroll(state: ChatState, event: HistoryEvent, failure: ChatFailure | null): ChatStep {
  const reduced = reduceHistory(state.history, event);
  const parts = reduced.effects.map((effect) => (now: ChatState) => takeHistory(now, effect, failure));
  const changed = reduced.state === state.history ? state : { ...state, history: reduced.state };
  return chain(changed, ...parts);
}

function takeHistory(state: ChatState, effect: HistoryEffect, failure: ChatFailure | null): ChatStep {
  const { run } = state;
  switch (effect.type) {
    case 'read-older':
      return only(state, { type: 'read-older', run, before: effect.before, limit: effect.limit });
    case 'fetch-older':
      return only(state, { type: 'fetch-page', run, purpose: { type: 'older' }, place: effect.place });
    case 'fetch-gap': {
      const purpose = { type: 'gap', beforeSeq: effect.beforeSeq } as const;
      return only(state, { type: 'fetch-page', run, purpose, place: effect.place });
    }
    case 'apply': {
      const messages = asKnown(state.changes, effect.messages);
      const kept: ChatEffect[] = effect.isFromServer ? [keep(state, messages)] : [];
      return only({ ...state, messages: mergeMessages(state.messages, messages) }, ...kept);
    }
    case 'missed':
      return failure === null ? only(state) : note(state, 'Older messages could not be fetched', failure);
  }
}

export function stop(state: ChatState): ChatStep {
  const ended = { ...state, run: state.run + 1, isRunning: false, isJoined: false };
  return only(withoutConnection(ended), { type: 'reset-retry' }, { type: 'end' });
}

export function lose(state: ChatState): ChatStep {
  if (state.status === 'not-found') return only(state);
  return chain(state, stop, (ended) =>
    only(
      { ...ended, messages: [], participants: NO_PARTICIPANTS, opening: NOT_OPEN, status: 'not-found' },
      { type: 'purge' },
    ),
  );
}

export const withoutConnection = (state: ChatState): ChatState => ({
  ...state,
  isSubscribed: false,
  present: [],
  typing: [],
});

/** These do not type any more: their message came, or they left. */
export function stopTyping(state: ChatState, ids: readonly string[]): ChatStep {
  const gone = state.typing.filter((id) => ids.includes(id));
  if (gone.length === 0) return only(state);
  const typing = state.typing.filter((id) => !ids.includes(id));
  const timers = gone.map((userId): ChatEffect => ({ type: 'stop-timer', timer: { type: 'typing', userId } }));
  return only({ ...state, typing }, ...timers);
}
