import type { Step } from '@wardline/client/engine.ts';
import type { NewOutboxItem } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { Chat, Markers, MarkersChanged, Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { ChatView, MessageChange, Person } from '#/features/chat/core/chat-view.ts';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import { type CatchUpState, type MessagePage, NO_CATCH_UP, type PagePlace } from './catch-up.ts';
import { type ChangesState, NO_CHANGES } from './changes.ts';
import { type HistoryState, NO_HISTORY } from './chat-history.ts';
import { NOT_OPEN, type Opening } from './chat-opening.ts';
import { NO_PARTICIPANTS, type ParticipantsState } from './participants/chat-participants.ts';
import type { MessagePayload } from './send-message.ts';

/** Messages that are quoted by others and not held themselves. */
export interface QuotesState {
  /** Null: there is none for me at this place, it was said before I came. */
  readonly found: ReadonlyMap<number, Message | null>;
  readonly asked: ReadonlySet<number>;
}

const NO_QUOTES: QuotesState = { found: new Map(), asked: new Set() };

/** One open chat as this tab knows it. */
export interface ChatState {
  readonly chatId: string;
  readonly myId: string;
  /** Counts starts and stops: what was asked for in an earlier run is answered to nobody. */
  readonly run: number;
  readonly isRunning: boolean;
  readonly status: ChatView['status'];
  readonly error: string | null;
  readonly isFromDevice: boolean;
  /** As the chat list has it. */
  readonly chat: Chat | null;
  /** Mine of this chat, in order. */
  readonly outbox: readonly OutboxItem<MessagePayload>[];
  /** My changes of its messages that the server does not have yet, in order. */
  readonly unsentChanges: readonly OutboxItem<MessageChange>[];
  readonly messages: readonly Message[];
  readonly catchUp: CatchUpState;
  readonly changes: ChangesState;
  readonly history: HistoryState;
  readonly quotes: QuotesState;
  readonly opening: Opening;
  readonly participants: ParticipantsState;
  readonly isJoined: boolean;
  readonly isSubscribed: boolean;
  /** Who has the chat open now, without me. */
  readonly present: readonly Person[];
  /** Ids of who types, without me. */
  readonly typing: readonly string[];
  /** When the others were last told that I type. */
  readonly toldTypingAt: number;
}

/** Why something was not answered. */
export interface ChatFailure {
  /** Refused in a way that means: this chat is not mine any more. */
  readonly isLost: boolean;
  readonly isTemporary: boolean;
  readonly message: string;
  readonly error: unknown;
}

/** Older messages and gaps are for whoever scrolls back. */
export type PagePurpose =
  | { readonly type: 'catch-up' }
  | { readonly type: 'changes' }
  /** A message that another one quotes. */
  | { readonly type: 'quote'; readonly seq: number }
  /** The surroundings of a message that somebody is led to. */
  | { readonly type: 'around'; readonly requestId: number; readonly seq: number }
  | { readonly type: 'older' }
  | { readonly type: 'gap'; readonly beforeSeq: number };

export type ChatTimer =
  | { readonly type: 'patience' }
  | { readonly type: 'poll' }
  | { readonly type: 'hint'; readonly head: number }
  | { readonly type: 'change-hint'; readonly head: number }
  | { readonly type: 'typing'; readonly userId: string };

/** What the device keeps of a chat. */
export interface ChatCopy {
  readonly messages: readonly Message[];
  readonly cursor: number;
  /** The messages are as they stood after this change. */
  readonly changeCursor: number;
  readonly participants: readonly Participant[];
}

/** How far a device's copy goes: written together with the messages that it speaks of. */
export type CopyPlace = Pick<ChatCopy, 'cursor' | 'changeCursor'>;

interface Answered {
  /** The run in which it was asked. */
  readonly run: number;
}

export type ChatEvent =
  | {
      readonly type: 'started';
      readonly chat: Chat | null;
      readonly outbox: ChatState['outbox'];
      readonly unsentChanges: ChatState['unsentChanges'];
      /** Where this tab left the chat. */
      readonly keptSeq?: number | null;
    }
  | { readonly type: 'stopped' }
  /** The chat is not mine any more. */
  | { readonly type: 'lost' }
  /** Online, focus: there may be more. */
  | { readonly type: 'woken' }
  /** Something was done here about the people of the chat. */
  | { readonly type: 'people-changed' }
  | { readonly type: 'chat-changed'; readonly chat: Chat | null }
  | { readonly type: 'outbox-changed'; readonly outbox: ChatState['outbox'] }
  | { readonly type: 'unsent-changes-changed'; readonly unsentChanges: ChatState['unsentChanges'] }
  /** My message is stored. */
  | { readonly type: 'acknowledged'; readonly message: Message }
  /** A message as it stands now: an event, or the answer to my change. */
  | { readonly type: 'message-changed'; readonly message: Message }
  // What the channel says.
  | { readonly type: 'subscribed'; readonly head: number | null; readonly changeHead: number | null }
  | { readonly type: 'subscription-refused' }
  | { readonly type: 'disconnected' }
  | { readonly type: 'message-sent'; readonly message: Message }
  | { readonly type: 'markers-changed'; readonly markers: MarkersChanged }
  | { readonly type: 'head-announced'; readonly head: number; readonly changeHead: number }
  | { readonly type: 'people-here'; readonly people: readonly Person[] }
  | { readonly type: 'people-joined'; readonly people: readonly Person[] }
  | { readonly type: 'person-left'; readonly userId: string }
  | { readonly type: 'typing-heard'; readonly userId: string }
  // What was asked for.
  | ({ readonly type: 'copy-read'; readonly copy: ChatCopy | null } & Answered)
  | ({ readonly type: 'chat-fetched'; readonly chat: Chat } & Answered)
  | ({ readonly type: 'page-fetched'; readonly purpose: PagePurpose; readonly page: MessagePage } & Answered)
  | ({ readonly type: 'page-failed'; readonly purpose: PagePurpose; readonly failure: ChatFailure } & Answered)
  | ({ readonly type: 'older-read'; readonly messages: readonly Message[] } & Answered)
  | ({ readonly type: 'participants-fetched'; readonly participants: readonly Participant[] } & Answered)
  | ({ readonly type: 'participants-failed'; readonly failure: ChatFailure } & Answered)
  // What time brings.
  | { readonly type: 'timer-fired'; readonly timer: ChatTimer }
  | { readonly type: 'retry-due' }
  // What a person does; none of it waits for the network.
  | {
      readonly type: 'send';
      readonly requestId: number;
      readonly body: string;
      readonly replyTo: MessagePayload['replyTo'];
      readonly mentions?: MessagePayload['mentions'];
      readonly files?: readonly FileRef[];
      readonly citations?: NonNullable<MessagePayload['cites']>['list'];
      readonly clientId: string;
      readonly writtenAt: string;
    }
  | { readonly type: 'show'; readonly requestId: number; readonly seq: number }
  | { readonly type: 'load-quote'; readonly seq: number }
  | {
      readonly type: 'change';
      readonly requestId: number;
      readonly payload: MessageChange;
      readonly clientId: string;
      readonly writtenAt: string;
    }
  | { readonly type: 'mark-read'; readonly seq: number }
  | { readonly type: 'load-older' }
  | { readonly type: 'fill-gap'; readonly beforeSeq: number }
  | { readonly type: 'key-pressed'; readonly now: number };

export type ChatEffect =
  | ({ readonly type: 'read-copy'; readonly limit: number; readonly around: number | null } & Answered)
  /** Follows the outbox and the chat list. */
  | { readonly type: 'watch' }
  | { readonly type: 'join' }
  /** Leaves the channel, ends all timers and follows nobody: nothing comes any more until the next start. */
  | { readonly type: 'end' }
  /** A timer of the same name begins anew, save a hint, which stays as it is. */
  | { readonly type: 'start-timer'; readonly timer: ChatTimer; readonly ms: number }
  | { readonly type: 'stop-timer'; readonly timer: ChatTimer }
  | { readonly type: 'plan-retry' }
  | { readonly type: 'reset-retry' }
  | ({ readonly type: 'fetch-chat' } & Answered)
  | { readonly type: 'put-chat'; readonly chat: Chat }
  | ({ readonly type: 'fetch-page'; readonly purpose: PagePurpose; readonly place: PagePlace } & Answered)
  | ({ readonly type: 'read-older'; readonly before: number; readonly limit: number } & Answered)
  | ({ readonly type: 'fetch-participants' } & Answered)
  | {
      readonly type: 'keep-messages';
      readonly messages: readonly Message[];
      readonly place: CopyPlace | null;
      /** Only in the place of those that are kept. */
      readonly isUpdate: boolean;
    }
  | { readonly type: 'keep-participants'; readonly participants: readonly Participant[] }
  | { readonly type: 'raise-markers'; readonly to: Partial<Markers>; readonly known: Markers }
  | { readonly type: 'note-my-markers'; readonly markers: Partial<Markers> }
  /** Takes the chat off this device. */
  | { readonly type: 'purge' }
  | { readonly type: 'tell-typing' }
  | { readonly type: 'add-to-outbox'; readonly requestId: number; readonly item: NewOutboxItem<MessagePayload> }
  | { readonly type: 'add-change'; readonly requestId: number; readonly item: NewOutboxItem<MessageChange> }
  /** Nothing was left to do, or it could not be done. */
  | { readonly type: 'answer'; readonly requestId: number; readonly error?: unknown }
  | { readonly type: 'warn'; readonly line: string; readonly error: unknown };

export type ChatStep = Step<ChatState, ChatEffect>;

export function initialChat(
  given: Pick<ChatState, 'chatId' | 'myId' | 'chat' | 'outbox' | 'unsentChanges'>,
): ChatState {
  return {
    ...{ ...given, run: 0, isRunning: false, status: 'loading', error: null, isFromDevice: false },
    ...{
      changes: NO_CHANGES,
      messages: [],
      catchUp: NO_CATCH_UP,
      history: NO_HISTORY,
      quotes: NO_QUOTES,
      opening: NOT_OPEN,
      participants: NO_PARTICIPANTS,
    },
    ...{ isJoined: false, isSubscribed: false, present: [], typing: [], toldTypingAt: Number.NEGATIVE_INFINITY },
  };
}

export type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: Type }>;

export const only = (state: ChatState, ...effects: readonly ChatEffect[]): ChatStep => ({ state, effects });

/** One step after the other, their effects in order. */
export function chain(state: ChatState, ...parts: readonly ((state: ChatState) => ChatStep)[]): ChatStep {
  return parts.reduce<ChatStep>((step, part) => {
    const next = part(step.state);
    return { state: next.state, effects: [...step.effects, ...next.effects] };
  }, only(state));
}
