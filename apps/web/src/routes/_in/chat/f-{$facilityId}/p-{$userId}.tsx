import { createFileRoute } from '@tanstack/react-router';
import { messageSearch, requireIds } from '#/app/router/guards.ts';
import { meAt } from '#/app/services/person.ts';
import { drawAct } from '#/app/shell/draw-act.tsx';
import { useUser } from '#/features/auth/index.ts';
import { BrokenChat, DirectPane } from '#/features/chat/index.ts';
import { useFacility } from '#/features/facilities/index.ts';

/** The chat with a person, whether there is one already or not. */
export const Route = createFileRoute('/_in/chat/f-{$facilityId}/p-{$userId}')({
  validateSearch: messageSearch,
  beforeLoad: ({ params }) => requireIds(params.facilityId, params.userId),
  component: PersonPage,
  errorComponent: BrokenChat,
});

function PersonPage() {
  const { facilityId, userId } = Route.useParams();
  const facility = useFacility(facilityId);
  const me = meAt(useUser(), facilityId);
  return facility && <DirectPane key={userId} {...{ facility, userId, me, drawAct }} />;
}
