import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Pane } from '@wardline/ui/panes/panes.tsx';
import { chatName } from '#/features/chat/core/chat-labels.ts';
import type { ChatView, Person } from '#/features/chat/core/chat-view.ts';
import { draftsOf } from '#/features/chat/drafts/draft-store.ts';
import type { ChatRuntime } from '#/features/chat/runtime/chat-runtime.ts';
import { useChatRuntime } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import { useChatView } from '#/features/chat/runtime/hooks.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { ChatScreen } from './chat-screen.tsx';
import { ChatFailed, ChatGone, ChatLoading } from './chat-states.tsx';
import { readPlace } from './kept-place.ts';
import type { DrawAct } from './message-row.tsx';
import type { LinkedMessage } from './use-shown.ts';

interface ChatPaneProps {
  readonly chatId: string;
  readonly facility: Facility;
  readonly me: Person;
  readonly drawAct: DrawAct;
  /** The message that the address names. */
  readonly linked?: LinkedMessage | null;
  readonly uploads: ChatRuntime['uploads'];
}

/** The open chat. */
export function ChatPane({ chatId, ...place }: Omit<ChatPaneProps, 'uploads'>) {
  const kept = readPlace(draftsOf(place.me.id), chatId);
  const { uploads } = useChatRuntime();
  return (
    <ChatStates {...{ ...place, uploads }} chatView={useChatView(chatId, place.linked?.seq ?? kept?.seq ?? null)} />
  );
}

/** The same over a chat that is given. */
export function ChatStates({ chatView, ...place }: Omit<ChatPaneProps, 'chatId'> & { chatView: ChatView }) {
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
