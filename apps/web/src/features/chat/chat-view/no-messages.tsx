import type { Chat } from '@wardline/contract/chat/chat.ts';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { MessageSquare } from 'lucide-react';
import { formatPeople } from '#/features/chat/core/chat-labels.ts';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { LoadFailed } from './chat-states.tsx';

interface NoMessagesProps {
  readonly chatView: Pick<ChatView, 'status' | 'error' | 'retry'>;
  readonly chat: Chat;
}

/** Where the messages of a chat would stand: they did not come, or there are none. */
export function NoMessages({ chatView, chat }: NoMessagesProps) {
  return (
    <div className="pane-scroll chat-view-empty">
      {chatView.status === 'failed' ? (
        <LoadFailed error={chatView.error} onRetry={chatView.retry} />
      ) : (
        <EmptyState icon={MessageSquare} title="No messages yet">
          {chat.direct_role
            ? 'Only you and whoever holds the role see what is written here.'
            : chat.kind === 'direct'
              ? 'Only the two of you see what is written here.'
              : `Messages here are seen by ${formatPeople(chat.participant_count)}.`}
        </EmptyState>
      )}
    </div>
  );
}
