import { createFileRoute, useLocation } from '@tanstack/react-router';
import { messageSearch, requireIds } from '#/app/router/guards.ts';
import { meAt } from '#/app/services/person.ts';
import { drawAct } from '#/app/shell/draw-act.tsx';
import { useUser } from '#/features/auth/index.ts';
import { BrokenChat, ChatPane } from '#/features/chat/index.ts';
import { useFacility } from '#/features/facilities/index.ts';

export const Route = createFileRoute('/_in/chat/f-{$facilityId}/c-{$chatId}')({
  validateSearch: messageSearch,
  beforeLoad: ({ params }) => requireIds(params.facilityId, params.chatId),
  component: ChatPage,
  errorComponent: BrokenChat,
});

function ChatPage() {
  const { facilityId, chatId } = Route.useParams();
  const { message = null } = Route.useSearch();
  const visit = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const facility = useFacility(facilityId);
  const me = meAt(useUser(), facilityId);
  const linked = message === null ? null : { seq: message, visit };
  return facility && <ChatPane key={chatId} {...{ chatId, facility, me, drawAct, linked }} />;
}
