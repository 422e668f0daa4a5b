import type { JoinHandlers, Realtime } from '@wardline/client/realtime/realtime.ts';
import { chatChannel, privateChatChannel } from '@wardline/contract/chat/chat.ts';

/** The Pusher protocol's code for a presence channel that has as many members as it may. */
const OVER_QUOTA = 4004;

interface ChatHandlers {
  readonly events: JoinHandlers<typeof privateChatChannel>['events'];
  /** After each time without a connection: any event may have been missed. */
  readonly onAgain: () => void;
}

/** Hears the events of a chat; the answer stops it. */
export function joinChat(
  realtime: Pick<Realtime, 'join'> | null,
  chatId: string,
  { events, onAgain }: ChatHandlers,
): () => void {
  let overflow: ReturnType<Realtime['join']> | undefined;
  let hasBegun = false;
  const handlers = {
    ...(events && { events }),
    onSubscribed: () => {
      if (hasBegun) onAgain();
      hasBegun = true;
    },
  };
  const joined = realtime?.join(chatChannel, chatId, {
    ...handlers,
    onError: (status) => {
      if (status === OVER_QUOTA) overflow ??= realtime.join(privateChatChannel, chatId, handlers);
    },
  });
  return () => {
    joined?.leave();
    overflow?.leave();
  };
}
