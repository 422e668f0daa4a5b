import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { ImportDialog } from '#/features/chat/chat-menu/import-dialog.tsx';
import { MoveDialog } from '#/features/chat/chat-menu/move-dialog.tsx';
import { RecordDialog } from '#/features/chat/chat-menu/record-dialog.tsx';
import { RenameDialog } from '#/features/chat/chat-menu/rename-dialog.tsx';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { ForwardDialog } from '#/features/chat/forwards/forward-dialog.tsx';
import { DayDialog, type DayDialogProps } from '#/features/chat/message-acts/day-dialog.tsx';
import { DeleteDialog } from '#/features/chat/message-acts/delete-dialog.tsx';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { VersionsDialog } from '#/features/chat/message-acts/versions-dialog.tsx';

/** What is asked over a chat, one at a time. */
export type ChatDialog =
  | { readonly type: 'delete' | 'versions' | 'forward'; readonly message: Message }
  /** The day from which one goes. */
  | { readonly type: 'day'; readonly day: string }
  /** Its title, or the state that it is to have. */
  | { readonly type: 'rename' }
  /** Reports from a file. */
  | { readonly type: 'import' }
  /** How it is kept. */
  | { readonly type: 'record' }
  | { readonly type: 'move'; readonly to: Chat['state'] };

interface ChatDialogsProps extends Omit<DayDialogProps, 'day' | 'onShow'> {
  readonly me: Person;
  readonly dialog: ChatDialog;
  readonly acts: MessageActs;
  /** The chat has another title or state. */
  readonly onChanged: () => void;
}

/** The dialogs of an open chat, whose code comes with the first of them. */
export function ChatDialogs({ dialog, acts, me, onChanged, ...props }: ChatDialogsProps) {
  const { chat, timeZone, onClose } = props;
  switch (dialog.type) {
    case 'day':
      return <DayDialog {...props} day={dialog.day} onShow={acts.onShow} />;
    case 'versions':
      return <VersionsDialog message={dialog.message} {...{ timeZone, onClose }} />;
    case 'forward':
      return <ForwardDialog message={dialog.message} {...{ chat, me, timeZone, onClose }} />;
    case 'rename':
      return <RenameDialog {...{ chat, onChanged, onClose }} />;
    case 'import':
      return <ImportDialog {...{ chat, timeZone, onClose }} />;
    case 'record':
      return <RecordDialog {...{ chat, timeZone, onClose }} />;
    case 'move':
      return <MoveDialog to={dialog.to} {...{ chat, onChanged, onClose }} />;
    case 'delete': {
      const { message } = dialog;
      const remove = (reason: string) => acts.change({ type: 'delete', messageId: message.id, reason });
      return <DeleteDialog {...{ message, onClose }} onDelete={remove} />;
    }
  }
}
