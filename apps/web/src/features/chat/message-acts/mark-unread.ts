import type { Call } from '@wardline/client/http/call.ts';
import { setUnreadMark } from '@wardline/contract/chat/chat-management.ts';
import { CircleAlert } from 'lucide-react';
import { sayDone, showToast } from '#/shared/contexts/show-toast.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';

interface Marking {
  readonly call: Call;
  readonly chatId: string;
  /** From which message on; null where the mark is taken away. */
  readonly seq: number | null;
  /** Somebody asked for it, and is told what became of it. */
  readonly isPressed: boolean;
  readonly onChanged: () => void;
}

/** Keeps a chat as unread, or no longer. Without a network a mark that the opening takes away stays until the next one. */
export async function markUnread({ call, chatId, seq, isPressed, onChanged }: Marking): Promise<void> {
  try {
    await call(setUnreadMark, { params: { chat: chatId }, body: { marked_unread_seq: seq } });
    onChanged();
    if (isPressed && seq !== null) sayDone('Unread for you until you open the chat again');
  } catch (error) {
    if (!isPressed) return;
    const title = seq === null ? 'Not marked as read' : 'Not marked as unread';
    await showToast({ title, description: formatAction(error), icon: CircleAlert, colour: 'error' });
  }
}
