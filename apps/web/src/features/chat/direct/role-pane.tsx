import { Navigate } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Pane } from '@wardline/ui/panes/panes.tsx';
import { v5 } from 'uuid';
import { ChatFailed, ChatLoading } from '#/features/chat/chat-view/chat-states.tsx';
import type { DrawAct } from '#/features/chat/chat-view/message-row.tsx';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { rolePath } from '#/features/chat/roles/role-path.ts';
import { useFacilityRoles } from '#/features/chat/roles/use-roles.ts';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { FirstMessageTo, NobodyThere } from './direct-pane.tsx';

interface RolePaneProps {
  readonly facility: Facility;
  readonly roleId: string;
  readonly me: Person;
  readonly drawAct: DrawAct;
}

/** The chat with whoever holds an on-call role: leads to mine with it where there is one, else waits for the message that makes it. */
export function RolePane({ facility, roleId, me, drawAct }: RolePaneProps) {
  const list = useChats();
  const roles = useFacilityRoles(facility.id);
  const role = roles.data?.data.find(({ id }) => id === roleId);
  const known = list.items.find(({ chat: { direct_role } }) => direct_role?.role_id === roleId && !direct_role.person);
  usePageTitle(role?.name ?? 'Chat');
  if (known) {
    const params = { facilityId: facility.id, chatId: known.chat.id };
    return <Navigate to="/chat/f-{$facilityId}/c-{$chatId}" params={params} search={(search) => search} replace />;
  }
  return (
    <Pane name="chat" label={role ? `Chat: ${role.name}` : 'Chat'}>
      {list.status === 'loading' || roles.isPending ? (
        <ChatLoading facilityId={facility.id} />
      ) : roles.data === undefined ? (
        <ChatFailed facilityId={facility.id} error={formatFailure(roles.error)} onRetry={() => void roles.refetch()} />
      ) : role === undefined ? (
        <NobodyThere facility={facility} title="No one to write to here">
          There is no such on-call role in this facility any more.
        </NobodyThere>
      ) : role.now?.person.user_id === me.id ? (
        <NobodyThere facility={facility} title={role.name}>
          You are on call as this role yourself.
        </NobodyThere>
      ) : (
        <FirstMessageTo
          {...{ facility, me, drawAct, name: role.name }}
          // As the server names it (decision 075): what is kept here for the chat is the chat's before and after its first message.
          chatId={v5(`${me.id} ${roleId}`, facility.id)}
          to={{ facilityId: facility.id, roleId, name: role.name, path: rolePath(facility.id, roleId) }}
          chat={{
            direct_role: { role_id: roleId, name: role.name, person: null },
            participant_count: role.now ? 2 : 1,
          }}
        />
      )}
    </Pane>
  );
}
