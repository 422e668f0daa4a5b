import type { Facility } from '@wardline/contract/facilities.ts';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Pane, Panes } from '@wardline/ui/panes/panes.tsx';
import { MessageSquareDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { chatName } from './chat-words.ts';
import { useChats } from './hooks.ts';
import type { Person } from './thread-view.ts';

interface ChatPanesProps {
  readonly facility: Facility;
  readonly openChatId: string | null;
  readonly me: Person;
  readonly list: ReactNode;
  readonly thread: ReactNode;
  /** What stands beside the open chat. */
  readonly detail?: ReactNode;
}

/** List and thread side by side; on the phone the list, or the open chat. */
export function ChatPanes({ facility, openChatId, me, list, thread, detail }: ChatPanesProps) {
  const open = useChats().items.find(({ chat }) => chat.id === openChatId);
  return (
    <Panes
      title={open ? chatName(open.chat, me) : facility.name}
      active={openChatId === null ? 'list' : detail ? 'detail' : 'thread'}
      list={list}
      thread={thread}
      detail={detail}
    />
  );
}

/** The place of the thread while no chat is open. */
export function EmptyThread({ facility }: { facility: Facility }) {
  const mayCreate = facility.permissions.includes('chats.create');
  return (
    <Pane name="thread" label="No chat is open">
      <div className="thread-empty">
        <EmptyState icon={MessageSquareDashed} title="Choose a chat">
          {mayCreate
            ? 'Pick one from the list, or start one with the plus above it.'
            : 'Pick one from the list beside this.'}
        </EmptyState>
      </div>
    </Pane>
  );
}
