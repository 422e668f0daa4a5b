import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { PaneHead } from '@wardline/ui/panes/panes.tsx';
import { MessageSquareOff } from 'lucide-react';
import { useBackToChats } from '#/features/chat/core/chat-origin.ts';
import { facilityPath } from '#/features/chat/core/chat-paths.ts';

/** A chat that is not there, or not for this person: which of both is not said. */
export function ChatGone({ facilityId }: { facilityId: string }) {
  return (
    <>
      <PaneHead title="Chat" back={useBackToChats(facilityId)} />
      <EmptyState
        icon={MessageSquareOff}
        title="You don’t have access to this chat"
        action={
          <Button asChild variant="outline" color="neutral">
            <Link href={facilityPath(facilityId)}>All chats here</Link>
          </Button>
        }
      >
        It does not exist, or you are no longer in it.
      </EmptyState>
    </>
  );
}
