import type { Chat } from '@wardline/contract/chat/chat.ts';
import { useEffect, useRef } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';

/** Keeps the chat as unread from a message on, or for null no longer. */
export type MarkUnread = (seq: number | null) => void;

/** The way to keep an open chat as unread; null where the back end knows of no such mark. It lasts until the chat is opened again. */
export function useUnreadMark({ id: chatId, my }: Chat, onChanged: () => void): MarkUnread | null {
  const call = useCall();
  const marked = my.marked_unread_seq;
  const opened = useRef('');
  const mark = (seq: number | null, isPressed = true) =>
    void import('./mark-unread.ts')
      .then(({ markUnread }) => markUnread({ call, chatId, seq, isPressed, onChanged }))
      .catch(() => undefined);
  useEffect(() => {
    if (marked === undefined || opened.current === chatId) return;
    opened.current = chatId;
    if (marked !== null) mark(null, false);
  });
  return marked === undefined ? null : mark;
}
