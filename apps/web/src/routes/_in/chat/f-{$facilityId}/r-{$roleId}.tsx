import { createFileRoute } from '@tanstack/react-router';
import { requireIds } from '#/app/router/guards.ts';
import { meAt } from '#/app/services/person.ts';
import { drawAct } from '#/app/shell/draw-act.tsx';
import { useUser } from '#/features/auth/index.ts';
import { BrokenChat, RolePane } from '#/features/chat/index.ts';
import { useFacility } from '#/features/facilities/index.ts';

/** The chat with an on-call role, whether there is one already or not. */
export const Route = createFileRoute('/_in/chat/f-{$facilityId}/r-{$roleId}')({
  beforeLoad: ({ params }) => requireIds(params.facilityId, params.roleId),
  component: RolePage,
  errorComponent: BrokenChat,
});

function RolePage() {
  const { facilityId, roleId } = Route.useParams();
  const facility = useFacility(facilityId);
  const me = meAt(useUser(), facilityId);
  return facility && <RolePane key={roleId} {...{ facility, roleId, me, drawAct }} />;
}
