import { type ErrorComponentProps, useParams } from '@tanstack/react-router';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useBackToChats } from '#/features/chat/core/chat-origin.ts';
import { PanelError } from '#/shared/errors/panel-failure.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** Few ever see it, and only once the server has answered. */
export const ChatGone = lazyPart(async () => (await import('./chat-gone.tsx')).ChatGone);

export function ChatLoading({ facilityId }: { facilityId: string }) {
  return (
    <>
      <PaneHead title="Chat" back={useBackToChats(facilityId)} />
      <Skeleton shape="messages" count={6} label="Loading messages" />
    </>
  );
}

export function ChatFailed(props: { facilityId: string; error: string | null; onRetry: () => void }) {
  return (
    <>
      <PaneHead title="Chat" back={useBackToChats(props.facilityId)} />
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

/** In the place of a chat whose page broke. */
export function BrokenChat(props: ErrorComponentProps) {
  const { facilityId = '' } = useParams({ strict: false });
  return (
    <Pane name="chat" label="Chat">
      <PaneHead title="Chat" back={useBackToChats(facilityId)} />
      <PanelError {...props} />
    </Pane>
  );
}
