import type { Joined, Realtime } from '@wardline/client/realtime/realtime.ts';
import { chatChannel } from '@wardline/contract/chat.ts';
import * as z from 'zod/mini';
import { toPeople } from './chat-people.ts';
import type { ChatEvent } from './chat-state.ts';

const SubscriptionAnswer = z.object({ head_seq: z.int() });

/** Joins the channel of a chat; what happens there comes as events. */
export function joinChat(
  realtime: Pick<Realtime, 'join'>,
  chatId: string,
  dispatch: (event: ChatEvent) => void,
): Joined {
  return realtime.join(chatChannel, chatId, {
    events: {
      MessageSent: ({ message }) => {
        if (message.chat_id === chatId) dispatch({ type: 'message-sent', message });
      },
      MarkersChanged: (markers) => dispatch({ type: 'markers-changed', markers }),
      ChatChanged: ({ head_seq }) => dispatch({ type: 'head-announced', head: head_seq }),
    },
    onSubscribed(answer) {
      const parsed = z.safeParse(SubscriptionAnswer, answer);
      dispatch({ type: 'subscribed', head: parsed.success ? parsed.data.head_seq : null });
    },
    onError: () => dispatch({ type: 'subscription-refused' }),
    // Nobody, not even me: the socket is gone.
    onHere: (members) =>
      dispatch(members.length === 0 ? { type: 'disconnected' } : { type: 'people-here', people: toPeople(members) }),
    onJoining: (member) => dispatch({ type: 'people-joined', people: toPeople([member]) }),
    onLeaving: ({ id }) => dispatch({ type: 'person-left', userId: id }),
    whispers: {
      typing: (_data, from) => {
        if (from !== null) dispatch({ type: 'typing-heard', userId: from });
      },
    },
  });
}
