import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Pane, PaneHead, Panes } from '@wardline/ui/panes/panes.tsx';
import type { ReactNode } from 'react';
import { chatName } from '#/features/chat/core/chat-labels.ts';
import { chatPath } from '#/features/chat/core/chat-paths.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';

interface ChatPanesProps {
  readonly facility: Facility;
  readonly openChatId: string | null;
  /** A direct chat stands open that has no message yet. */
  readonly isChatOpen?: boolean;
  readonly me: Person;
  readonly list: ReactNode;
  /** The open page: what breaks in it is its route's own to say. */
  readonly chat: ReactNode;
  /** What stands beside the open chat. */
  readonly detail?: ReactNode;
}

/** List and chat side by side; on the phone the list, or the open chat. */
export function ChatPanes({ facility, openChatId, isChatOpen, me, list, chat, detail }: ChatPanesProps) {
  const open = useChats().items.find(({ chat }) => chat.id === openChatId);
  return (
    <Panes
      title={open ? chatName(open.chat, me) : facility.name}
      active={openChatId === null && !isChatOpen ? 'list' : detail ? 'detail' : 'chat'}
      list={
        <PanelBoundary of={facility.id} frame={(failure) => <BrokenList facility={facility} failure={failure} />}>
          {list}
        </PanelBoundary>
      }
      chat={chat}
      detail={
        detail &&
        openChatId !== null && (
          <PanelBoundary
            of={openChatId}
            frame={(failure) => (
              <BrokenDetail back={chatPath({ id: openChatId, facility_id: facility.id })} failure={failure} />
            )}
          >
            {detail}
          </PanelBoundary>
        )
      }
    />
  );
}

/** With the way on: on the phone the head of this pane is the only one. */
function BrokenList({ facility, failure }: { facility: Facility; failure: ReactNode }) {
  return (
    <Pane name="list" label={`Chats of ${facility.name}`}>
      <PaneHead title={facility.name} actions={useShellActions()} />
      {failure}
    </Pane>
  );
}

function BrokenDetail({ back, failure }: { back: string; failure: ReactNode }) {
  return (
    <Pane name="detail" label="Examination">
      <PaneHead title="Examination" back={{ href: back, label: 'Back to the chat' }} />
      {failure}
    </Pane>
  );
}
