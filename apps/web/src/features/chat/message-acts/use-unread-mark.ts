import type { Chat } from '@wardline/contract/chat/chat.ts';
import { setUnreadMark } from '@wardline/contract/chat/chat-management.ts';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone, showToast } from '#/shared/contexts/show-toast.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';

/** Keeps the chat as unread from a message on, or for null no longer. */
export type MarkUnread = (seq: number | null) => void;

/** The way to keep an open chat as unread; null where the back end knows of no such mark. It lasts until the chat is opened again. */
export function useUnreadMark(chat: Chat, onChanged: () => void): MarkUnread | null {
  const call = useCall();
  const marked = chat.my.marked_unread_seq;
  const set = async (marked_unread_seq: number | null) => {
    await call(setUnreadMark, { params: { chat: chat.id }, body: { marked_unread_seq } });
    onChanged();
  };
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (marked === undefined || opened.current === chat.id) return;
    opened.current = chat.id;
    // Without a network it stays until the next opening.
    if (marked !== null) set(null).catch(() => undefined);
  });
  if (marked === undefined) return null;
  const mark = async (seq: number | null) => {
    try {
      await set(seq);
      if (seq !== null) sayDone('Unread for you until you open the chat again');
    } catch (error) {
      const title = seq === null ? 'Not marked as read' : 'Not marked as unread';
      await showToast({ title, description: formatAction(error), icon: CircleAlert, colour: 'error' });
    }
  };
  return (seq) => void mark(seq).catch(() => undefined);
}
