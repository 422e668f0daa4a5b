import type { Facility } from '@wardline/contract/facilities.ts';
import { Pane } from '@wardline/ui/panes/panes.tsx';
import { chatName } from '#/features/chat/core/chat-labels.ts';
import type { Person, Thread } from '#/features/chat/core/chat-view.ts';
import { useThread } from '#/features/chat/runtime/hooks.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { ThreadScreen } from './chat-screen.tsx';
import { ThreadFailed, ThreadGone, ThreadLoading } from './chat-states.tsx';
import type { DrawAct } from './message-row.tsx';

interface ThreadPaneProps {
  readonly chatId: string;
  readonly facility: Facility;
  readonly me: Person;
  readonly drawAct: DrawAct;
}

/** The open chat. */
export function ThreadPane({ chatId, ...place }: ThreadPaneProps) {
  return <ThreadView thread={useThread(chatId)} {...place} />;
}

/** The same over a thread that is given. */
export function ThreadView({ thread, ...place }: Omit<ThreadPaneProps, 'chatId'> & { thread: Thread }) {
  const { facility, me } = place;
  const { chat } = thread;
  usePageTitle(chat ? chatName(chat, me) : 'Chat');
  const isElsewhere = chat !== null && chat.facility_id !== facility.id;
  return (
    <Pane name="thread" label={chat ? `Chat: ${chatName(chat, me)}` : 'Chat'}>
      {thread.status === 'not-found' || isElsewhere ? (
        <ThreadGone facilityId={facility.id} />
      ) : chat ? (
        <ThreadScreen thread={thread} chat={chat} {...place} />
      ) : thread.status === 'failed' ? (
        <ThreadFailed facilityId={facility.id} error={thread.error} onRetry={thread.retry} />
      ) : (
        <ThreadLoading facilityId={facility.id} />
      )}
    </Pane>
  );
}
