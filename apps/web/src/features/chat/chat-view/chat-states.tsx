import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { PaneHead } from '@wardline/ui/panes/panes.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { MessageSquareOff } from 'lucide-react';
import { facilityPath } from '#/features/chat/core/chat-paths.ts';

const back = (facilityId: string) => ({ href: facilityPath(facilityId), label: 'Back to chats' });

export function ChatLoading({ facilityId }: { facilityId: string }) {
  return (
    <>
      <PaneHead title="Chat" back={back(facilityId)} />
      <Skeleton shape="thread" count={6} label="Loading messages" />
    </>
  );
}

export function ChatFailed(props: { facilityId: string; error: string | null; onRetry: () => void }) {
  return (
    <>
      <PaneHead title="Chat" back={back(props.facilityId)} />
      <LoadFailed {...props} />
    </>
  );
}

export function LoadFailed({ error, onRetry }: { error: string | null; onRetry: () => void }) {
  return (
    <ErrorState
      title="This chat did not load"
      message={error ?? 'The server did not answer. What you wrote is kept.'}
      onRetry={onRetry}
    />
  );
}

export function ChatGone({ facilityId }: { facilityId: string }) {
  return (
    <>
      <PaneHead title="Chat" back={back(facilityId)} />
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
