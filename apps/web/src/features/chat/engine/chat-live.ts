import type { Joined, Realtime } from '@wardline/client/realtime/realtime.ts';
import { chatChannel, type MarkersChanged, type Message } from '@wardline/contract/chat.ts';
import * as z from 'zod/mini';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { createPresentPeople } from './chat-people.ts';
import { createTyping } from './typing.ts';

interface ThreadLiveDeps {
  readonly chatId: string;
  readonly userId: string;
  readonly realtime: Pick<Realtime, 'join'>;
  readonly now: () => number;
  readonly onMessage: (message: Message) => void;
  readonly onMarkers: (event: MarkersChanged) => void;
  /** Somewhere it was said that the chat goes up to this seq. */
  readonly onHead: (head: number) => void;
  /** Subscribed, perhaps again; null where the answer does not say how far the chat goes. */
  readonly onSubscribed: (head: number | null) => void;
  readonly onRefused: () => void;
  readonly onChange: () => void;
}

/** The live side of an open chat: its channel, who is here and who types. */
export interface ThreadLive {
  join(): void;
  leave(): void;
  isJoined(): boolean;
  isSubscribed(): boolean;
  present(): readonly Person[];
  /** Ids of who types, without me. */
  typing(): readonly string[];
  stoppedTyping(userId: string): void;
  noteTyping(participantCount: number): void;
}

const SubscriptionAnswer = z.object({ head_seq: z.int() });

export function createThreadLive(deps: ThreadLiveDeps): ThreadLive {
  const { chatId, userId, onChange } = deps;
  const people = createPresentPeople(userId);
  const typing = createTyping(() => joined?.whisper('typing', {}), deps.now);
  let joined: Joined | null = null;
  let isSubscribed = false;
  typing.subscribe(onChange);

  const enter = (): Joined =>
    deps.realtime.join(chatChannel, chatId, {
      events: {
        MessageSent: ({ message }) => {
          if (message.chat_id === chatId) deps.onMessage(message);
        },
        MarkersChanged: deps.onMarkers,
        ChatChanged: (event) => deps.onHead(event.head_seq),
      },
      onSubscribed(answer) {
        isSubscribed = true;
        const parsed = z.safeParse(SubscriptionAnswer, answer);
        deps.onSubscribed(parsed.success ? parsed.data.head_seq : null);
      },
      onError() {
        isSubscribed = false;
        deps.onRefused();
      },
      onHere(members) {
        people.here(members);
        // Nobody, not even me: the socket is gone.
        if (members.length === 0) {
          isSubscribed = false;
          typing.clear();
        }
        onChange();
      },
      onJoining(member) {
        people.joining(member);
        onChange();
      },
      onLeaving(member) {
        people.leaving(member);
        typing.stopped(member.id);
        onChange();
      },
      whispers: {
        typing: (_data, from) => {
          if (from !== null && from !== userId) typing.heard(from);
        },
      },
    });

  return {
    join() {
      joined ??= enter();
    },
    leave() {
      joined?.leave();
      joined = null;
      isSubscribed = false;
      people.here([]);
      typing.clear();
    },
    isJoined: () => joined !== null,
    isSubscribed: () => isSubscribed,
    present: people.list,
    typing: typing.get,
    stoppedTyping: typing.stopped,
    noteTyping(participantCount) {
      // Before the subscription nobody would hear it, and the next key would be too early for another.
      if (isSubscribed) typing.note(participantCount);
    },
  };
}
