import { createFileRoute, type ErrorComponentProps, useLocation } from '@tanstack/react-router';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { messageSearch, requireIds } from '#/app/router/guards.ts';
import { meAt } from '#/app/services/person.ts';
import { drawAct } from '#/app/shell/draw-act.tsx';
import { useUser } from '#/features/auth/index.ts';
import { ChatPane } from '#/features/chat/index.ts';
import { useFacility } from '#/features/facilities/index.ts';
import { PanelError } from '#/shared/errors/panel-failure.tsx';

export const Route = createFileRoute('/_in/chat/f-{$facilityId}/c-{$chatId}')({
  validateSearch: messageSearch,
  beforeLoad: ({ params }) => requireIds(params.facilityId, params.chatId),
  component: ChatPage,
  errorComponent: BrokenChat,
});

function BrokenChat(props: ErrorComponentProps) {
  const { facilityId } = Route.useParams();
  return (
    <Pane name="chat" label="Chat">
      <PaneHead title="Chat" back={{ href: `/chat/f-${facilityId}`, label: 'Back to chats' }} />
      <PanelError {...props} />
    </Pane>
  );
}

function ChatPage() {
  const { facilityId, chatId } = Route.useParams();
  const { message = null } = Route.useSearch();
  const visit = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const facility = useFacility(facilityId);
  const me = meAt(useUser(), facilityId);
  const linked = message === null ? null : { seq: message, visit };
  return facility && <ChatPane key={chatId} {...{ chatId, facility, me, drawAct, linked }} />;
}
