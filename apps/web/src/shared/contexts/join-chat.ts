import type { Joined, JoinHandlers, Realtime } from '@wardline/client/realtime/realtime.ts';
import { chatChannel, privateChatChannel } from '@wardline/contract/chat/chat.ts';

/** The Pusher protocol's code for a presence channel that has as many members as it may. */
const OVER_QUOTA = 4004;

/**
 * Joins the channel of a chat. Past the limit of the presence channel the same events come by a private one (F-U1), until there
 * is room at a later reconnect.
 */
export function joinOpenChat(
  realtime: Pick<Realtime, 'join'>,
  chatId: string,
  handlers: JoinHandlers<typeof chatChannel>,
): Joined {
  let overflow: Joined | null = null;
  const joined = realtime.join(chatChannel, chatId, {
    ...handlers,
    onSubscribed(answer) {
      overflow?.leave();
      overflow = null;
      handlers.onSubscribed?.(answer);
    },
    onError(status) {
      if (status !== OVER_QUOTA) handlers.onError?.(status);
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

interface ChatHandlers {
  readonly events: NonNullable<JoinHandlers<typeof chatChannel>['events']>;
  /** After each time without a connection: any event may have been missed. */
  readonly onAgain: () => void;
}

/** Hears the events of a chat; the answer stops it. */
export function joinChat(
  realtime: Pick<Realtime, 'join'> | null,
  chatId: string,
  { events, onAgain }: ChatHandlers,
): () => void {
  let hasBegun = false;
  const onSubscribed = () => {
    if (hasBegun) onAgain();
    hasBegun = true;
  };
  const joined = realtime && joinOpenChat(realtime, chatId, { events, onSubscribed });
  return () => joined?.leave();
}
