import type { Joined, JoinHandlers, Realtime } from '@wardline/client/realtime/realtime.ts';
import type { chatChannel, Message } from '@wardline/contract/chat/chat.ts';
import * as z from 'zod/mini';
import { joinOpenChat } from '#/shared/contexts/join-chat.ts';
import type { ChatEvent } from './chat-state.ts';
import { toPeople } from './participants/chat-people.ts';

const SubscriptionAnswer = z.object({ head_seq: z.int(), head_change_seq: z.optional(z.int()) });

/** Joins the channel of a chat; what happens there comes as events. */
export function joinChat(
  realtime: Pick<Realtime, 'join'>,
  chatId: string,
  dispatch: (event: ChatEvent) => void,
): Joined {
  return joinOpenChat(realtime, chatId, chatHandlers(chatId, dispatch));
}

function chatHandlers(chatId: string, dispatch: (event: ChatEvent) => void) {
  const changed = (message: Message): void => {
    if (message.chat_id === chatId) dispatch({ type: 'message-changed', message });
  };
  return {
    events: {
      MessageSent: ({ message }) => {
        if (message.chat_id === chatId) dispatch({ type: 'message-sent', message });
      },
      ReactionsChanged: ({ message }) => changed(message),
      MessageEdited: ({ message }) => changed(message),
      MessageDeleted: ({ message }) => changed(message),
      MessagePinned: ({ message }) => changed(message),
      UrgentMessageChanged: ({ message }) => changed(message),
      CitationsChanged: ({ message }) => changed(message),
      MarkersChanged: (markers) => dispatch({ type: 'markers-changed', markers }),
      ChatChanged: ({ head_seq, head_change_seq = 0 }) =>
        dispatch({ type: 'head-announced', head: head_seq, changeHead: head_change_seq }),
    },
    onSubscribed(answer) {
      const { head_seq = null, head_change_seq = null } = z.safeParse(SubscriptionAnswer, answer).data ?? {};
      dispatch({ type: 'subscribed', head: head_seq, changeHead: head_change_seq });
    },
    onError: () => dispatch({ type: 'subscription-refused' }),
    onDisconnected: () => dispatch({ type: 'disconnected' }),
    onHere: (members) => dispatch({ type: 'people-here', people: toPeople(members) }),
    onJoining: (member) => dispatch({ type: 'people-joined', people: toPeople([member]) }),
    onLeaving: ({ id }) => dispatch({ type: 'person-left', userId: id }),
    whispers: {
      typing: (_data, from) => {
        if (from !== null) dispatch({ type: 'typing-heard', userId: from });
      },
    },
  } satisfies JoinHandlers<typeof chatChannel>;
}
