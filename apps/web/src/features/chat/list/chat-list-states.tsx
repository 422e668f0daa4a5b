import { Button } from '@wardline/ui/button/button.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { MessagesSquare, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ChatList, ChatListItem } from '#/features/chat/core/chat-view.ts';

interface ChatListStatesProps {
  readonly list: ChatList;
  readonly shown: readonly ChatListItem[];
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
  readonly newChat: ReactNode;
  /** What follows the list where archived chats are not left out. */
  readonly archive: ReactNode;
  readonly children: ReactNode;
}

/** The list, or what stands in its place: loading, failed, nothing yet, nothing that fits. */
export function ChatListStates({ list, shown, isNarrowed, onClear, newChat, archive, children }: ChatListStatesProps) {
  if (list.status === 'ready' && archive !== null) {
    return (
      <>
        {shown.length > 0 && children}
        {archive}
      </>
    );
  }
  if (shown.length > 0) return children;
  if (list.status === 'loading') return <Skeleton count={6} label="Loading chats" />;
  if (list.status === 'failed') {
    return (
      <ErrorState
        title="The chats did not load"
        message={list.error ?? 'The server did not answer.'}
        onRetry={() => list.retry()}
      />
    );
  }
  if (isNarrowed || list.items.length > 0) {
    return (
      <EmptyState
        icon={Search}
        title="No matching data"
        action={
          <Button variant="outline" color="neutral" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        No matching chats.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={MessagesSquare} title="No chats yet" action={newChat}>
      Your patient and team chats show here.
    </EmptyState>
  );
}
