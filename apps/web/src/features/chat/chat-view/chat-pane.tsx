import { useSearch } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Pane } from '@wardline/ui/panes/panes.tsx';
import { chatName } from '#/features/chat/core/chat-labels.ts';
import { messageIn } from '#/features/chat/core/chat-paths.ts';
import type { ChatView, Person } from '#/features/chat/core/chat-view.ts';
import { useChatView } from '#/features/chat/runtime/hooks.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { ChatScreen } from './chat-screen.tsx';
import { ChatFailed, ChatGone, ChatLoading } from './chat-states.tsx';
import { draftsOf } from './draft-store.ts';
import { readPlace } from './kept-place.ts';
import type { DrawAct } from './message-row.tsx';

interface ChatPaneProps {
  readonly chatId: string;
  readonly facility: Facility;
  readonly me: Person;
  readonly drawAct: DrawAct;
}

/** The open chat. */
export function ChatPane({ chatId, ...place }: ChatPaneProps) {
  const kept = readPlace(draftsOf(place.me.id), chatId);
  const ledToSeq = messageIn(useSearch({ strict: false }));
  return <ChatStates chatView={useChatView(chatId, kept?.seq ?? null)} {...place} ledToSeq={ledToSeq} />;
}

interface ChatStatesProps extends Omit<ChatPaneProps, 'chatId'> {
  readonly chatView: ChatView;
  /** The message that the address leads to. */
  readonly ledToSeq?: number | null;
}

/** The same over a chat that is given. */
export function ChatStates({ chatView, ...place }: ChatStatesProps) {
  const { facility, me } = place;
  const { chat } = chatView;
  usePageTitle(chat ? chatName(chat, me) : 'Chat');
  const isElsewhere = chat !== null && chat.facility_id !== facility.id;
  return (
    <Pane name="chat" label={chat ? `Chat: ${chatName(chat, me)}` : 'Chat'}>
      {chatView.status === 'not-found' || isElsewhere ? (
        <ChatGone facilityId={facility.id} />
      ) : chat ? (
        <ChatScreen chatView={chatView} chat={chat} {...place} />
      ) : chatView.status === 'failed' ? (
        <ChatFailed facilityId={facility.id} error={chatView.error} onRetry={chatView.retry} />
      ) : (
        <ChatLoading facilityId={facility.id} />
      )}
    </Pane>
  );
}
