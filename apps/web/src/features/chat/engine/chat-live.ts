import type { Joined, JoinHandlers, Realtime } from '@wardline/client/realtime/realtime.ts';
import { chatChannel, type Message, privateChatChannel } from '@wardline/contract/chat/chat.ts';
import * as z from 'zod/mini';
import { toPeople } from './chat-people.ts';
import type { ChatEvent } from './chat-state.ts';

const SubscriptionAnswer = z.object({ head_seq: z.int(), head_change_seq: z.optional(z.int()) });

/** The Pusher protocol's code for a presence channel that has as many members as it may. */
const OVER_QUOTA = 4004;

/**
 * Joins the channel of a chat; what happens there comes as events. Past the limit of the presence channel the same events
 * come by a private one (F-U1), until there is room at a later reconnect.
 */
export function joinChat(
  realtime: Pick<Realtime, 'join'>,
  chatId: string,
  dispatch: (event: ChatEvent) => void,
): Joined {
  const handlers = chatHandlers(chatId, dispatch);
  let overflow: Joined | null = null;
  const joined = realtime.join(chatChannel, chatId, {
    ...handlers,
    onSubscribed(answer) {
      overflow?.leave();
      overflow = null;
      handlers.onSubscribed(answer);
    },
    onError(status) {
      if (status !== OVER_QUOTA) handlers.onError();
      else overflow ??= realtime.join(privateChatChannel, chatId, handlers);
    },
  });
  return {
    leave() {
      joined.leave();
      overflow?.leave();
    },
    whisper: (name, data) => (overflow ?? joined).whisper(name, data),
  };
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
