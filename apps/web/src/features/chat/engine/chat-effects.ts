import { type EffectHandlers, runBy } from '@wardline/client/engine.ts';
import { isTemporary, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { Joined, Realtime } from '@wardline/client/realtime/realtime.ts';
import { createRetryTimer } from '@wardline/client/retry-timer.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { getChat, listMessages } from '@wardline/contract/chat/chat.ts';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';
import { createChatDeviceCopy } from './chat-device-copy.ts';
import type { ChatListEngine } from './chat-list/chat-list.ts';
import { joinChat } from './chat-live.ts';
import type { ChatEffect, ChatEvent, ChatFailure, ChatTimer } from './chat-state.ts';
import { listAllParticipants } from './participants/list-participants.ts';
import type { MarkerSender } from './raise-markers.ts';
import type { MessagePayload } from './send-message.ts';

export interface ChatEffectDeps {
  readonly chatId: string;
  readonly call: Call;
  readonly realtime: Pick<Realtime, 'join'>;
  readonly store: DeviceStore;
  readonly outbox: UnsentWork<MessagePayload>;
  readonly unsentChanges: UnsentWork<MessageChange>;
  readonly list: ChatListEngine;
  readonly markers: MarkerSender;
  readonly log: Log;
  readonly random?: () => number;
  /** What comes of an effect. */
  readonly dispatch: (event: ChatEvent) => void;
  /** The work of one who waits for it: it is done when this is. */
  readonly settle: (requestId: number, work: Promise<void>) => void;
}

type Handlers<Type extends ChatEffect['type']> = EffectHandlers<Extract<ChatEffect, { readonly type: Type }>>;

/** Does what the reducer of an open chat asks for. */
export function createChatEffects(deps: ChatEffectDeps): (effect: ChatEffect) => void {
  return runBy<ChatEffect>({ ...networkHandlers(deps), ...deviceHandlers(deps), ...liveHandlers(deps) });
}

type NetworkEffect = 'fetch-chat' | 'fetch-page' | 'fetch-participants' | 'add-to-outbox' | 'add-change' | 'answer';

function networkHandlers({
  chatId,
  call,
  outbox,
  unsentChanges,
  dispatch,
  settle,
}: ChatEffectDeps): Handlers<NetworkEffect> {
  const params = { chat: chatId };
  return {
    'fetch-chat': ({ run }) =>
      void call(getChat, { params }).then(
        (chat) => dispatch({ type: 'chat-fetched', run, chat }),
        (error) => dispatch({ type: 'page-failed', run, purpose: { type: 'catch-up' }, failure: toFailure(error) }),
      ),
    'fetch-page': ({ run, purpose, place }) =>
      void call(listMessages, { params, query: place }).then(
        (page) => dispatch({ type: 'page-fetched', run, purpose, page }),
        (error) => dispatch({ type: 'page-failed', run, purpose, failure: toFailure(error) }),
      ),
    'fetch-participants': ({ run }) =>
      void listAllParticipants(call, chatId).then(
        (participants) => dispatch({ type: 'participants-fetched', run, participants }),
        (error) => dispatch({ type: 'participants-failed', run, failure: toFailure(error) }),
      ),
    'add-to-outbox': ({ requestId, item }) => settle(requestId, outbox.add(item)),
    'add-change': ({ requestId, item }) => settle(requestId, unsentChanges.add(item)),
    answer: ({ requestId, error }) =>
      settle(requestId, error === undefined ? Promise.resolve() : Promise.reject(error)),
  };
}

type DeviceEffect =
  | 'read-copy'
  | 'read-older'
  | 'keep-messages'
  | 'keep-participants'
  | 'put-chat'
  | 'raise-markers'
  | 'note-my-markers'
  | 'purge'
  | 'warn';

function deviceHandlers({ chatId, store, list, markers, log, dispatch }: ChatEffectDeps): Handlers<DeviceEffect> {
  const copy = createChatDeviceCopy(store, chatId, log);
  return {
    'read-copy': ({ run, limit, around }) =>
      void copy
        .load(limit, around)
        .catch((failure) => {
          log.warn('The messages on this device could not be read', failure);
          return null;
        })
        .then((kept) => dispatch({ type: 'copy-read', run, copy: kept })),
    'read-older': ({ run, before, limit }) =>
      void copy.older(before, limit).then(
        (messages) => dispatch({ type: 'older-read', run, messages }),
        (error) => dispatch({ type: 'page-failed', run, purpose: { type: 'older' }, failure: toFailure(error) }),
      ),
    'keep-messages': ({ messages, place, isUpdate }) => copy.keep(messages, place, isUpdate),
    'keep-participants': ({ participants }) => copy.keepParticipants(participants),
    'put-chat': ({ chat }) => list.put(chat),
    'raise-markers': ({ to, known }) => markers.raise(chatId, to, known),
    'note-my-markers': (effect) => list.noteMyMarkers(chatId, effect.markers),
    purge() {
      markers.forget(chatId);
      list.purge(chatId);
    },
    warn: ({ line, error }) => log.warn(line, error),
  };
}

/** What a chat is told of by those who hold it: the list and the outbox. */
export function watchedOf({
  chatId,
  list,
  outbox,
  unsentChanges,
}: Pick<ChatEffectDeps, 'chatId' | 'list' | 'outbox' | 'unsentChanges'>) {
  const isOfChat = ({ lane }: { readonly lane: string }) => lane === chatId;
  return {
    chat: list.chat(chatId),
    outbox: outbox.get().filter(isOfChat),
    unsentChanges: unsentChanges.get().filter(isOfChat),
  };
}

type LiveEffect =
  | 'watch'
  | 'join'
  | 'end'
  | 'tell-typing'
  | 'start-timer'
  | 'stop-timer'
  | 'plan-retry'
  | 'reset-retry';

function liveHandlers(deps: ChatEffectDeps): Handlers<LiveEffect> {
  const { chatId, realtime, outbox, unsentChanges, list, random, dispatch } = deps;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const retryTimer = createRetryTimer(() => dispatch({ type: 'retry-due' }), random);
  let joined: Joined | null = null;
  let undo: readonly (() => void)[] = [];
  const stop = (name: string): void => {
    clearTimeout(timers.get(name));
    timers.delete(name);
  };
  return {
    watch() {
      undo = [
        outbox.subscribe(() => dispatch({ type: 'outbox-changed', outbox: watchedOf(deps).outbox })),
        unsentChanges.subscribe(() => {
          dispatch({ type: 'unsent-changes-changed', unsentChanges: watchedOf(deps).unsentChanges });
        }),
        list.subscribe(() => dispatch({ type: 'chat-changed', chat: watchedOf(deps).chat })),
      ];
    },
    join() {
      joined ??= joinChat(realtime, chatId, dispatch);
    },
    end() {
      for (const name of [...timers.keys()]) stop(name);
      joined?.leave();
      joined = null;
      for (const end of undo) end();
      undo = [];
    },
    'tell-typing': () => joined?.whisper('typing', {}),
    'start-timer'({ timer, ms }) {
      const name = nameOf(timer);
      if (timer.type.endsWith('hint') && timers.has(name)) return;
      stop(name);
      const fire = (): void => {
        timers.delete(name);
        dispatch({ type: 'timer-fired', timer });
      };
      timers.set(name, setTimeout(fire, ms));
    },
    'stop-timer': ({ timer }) => stop(nameOf(timer)),
    'plan-retry': () => retryTimer.plan(),
    'reset-retry': () => retryTimer.succeed(),
  };
}

function nameOf(timer: ChatTimer): string {
  if ('head' in timer) return `${timer.type}/${timer.head}`;
  return timer.type === 'typing' ? `typing/${timer.userId}` : timer.type;
}

function toFailure(error: unknown): ChatFailure {
  const status = statusOf(error);
  const message = error instanceof Error ? error.message : 'The messages could not be loaded.';
  return { isLost: status === 403 || status === 404, isTemporary: isTemporary(error), message, error };
}
