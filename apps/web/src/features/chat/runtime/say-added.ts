import type { AnyRouter } from '@tanstack/react-router';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import { MessagesSquare } from 'lucide-react';
import { chatName, fullChatName } from '#/features/chat/core/chat-labels.ts';
import { chatPath } from '#/features/chat/core/chat-paths.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { pageToasts, showToast } from '#/shared/contexts/show-toast.ts';

interface SayAddedDeps {
  readonly me: Pick<Person, 'name'>;
  readonly router: Pick<AnyRouter, 'navigate' | 'subscribe' | 'state'>;
}

/** Says that somebody has put me into a chat. It stands in the list too, so whoever misses it misses nothing. */
export async function sayAdded(chat: Chat, { me, router }: SayAddedDeps): Promise<void> {
  const path = chatPath(chat);
  const isOpened = () => router.state.location.pathname.startsWith(path);
  if (isOpened()) return;
  const { id } = await showToast({
    type: 'background',
    title:
      chat.kind === 'direct' ? `${chatName(chat, me)} wrote to you` : `You were added to ${fullChatName(chat, me)}`,
    icon: MessagesSquare,
    actions: [
      {
        label: 'Open',
        altText: 'Open it from your chats',
        onClick: () => void router.navigate({ href: path }),
      },
    ],
  });
  // Whoever has opened the chat from the list needs no way to it, which would stand over the box on a phone.
  const unsubscribe = router.subscribe('onResolved', () => {
    const toasts = pageToasts.get();
    if (isOpened()) toasts?.close(id);
    if (!toasts?.get().some((toast) => toast.id === id && toast.open)) unsubscribe();
  });
}
