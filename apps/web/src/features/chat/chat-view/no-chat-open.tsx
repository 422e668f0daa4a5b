import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Pane } from '@wardline/ui/panes/panes.tsx';
import { MessageSquareDashed } from 'lucide-react';

/** The place of the chat while no chat is open. */
export function NoChatOpen({ facility }: { facility: Facility }) {
  const mayCreate = facility.permissions.includes('chats.create');
  return (
    <Pane name="chat" label="No chat is open">
      <div className="chat-view-empty">
        <EmptyState icon={MessageSquareDashed} title="Choose a chat">
          {mayCreate ? 'Pick one from the list, or start a new chat.' : 'Pick one from the list.'}
        </EmptyState>
      </div>
    </Pane>
  );
}
