import type { Chat } from '@wardline/contract/chat/chat.ts';
import { MessagesSquare } from 'lucide-react';
import { chatName } from '#/features/chat/core/chat-labels.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { showToast } from '#/shared/contexts/show-toast.ts';

/** Says that somebody has put me into a chat. It stands in the list too, so whoever misses it misses nothing. */
export function sayAdded(chat: Chat, { me, open }: { me: Pick<Person, 'name'>; open: () => void }): void {
  showToast({
    type: 'background',
    title: chat.kind === 'direct' ? `${chatName(chat, me)} wrote to you` : `You were added to ${chatName(chat, me)}`,
    icon: MessagesSquare,
    actions: [{ label: 'Open', altText: 'Open it from your chats', onClick: open }],
  }).catch(() => undefined);
}
