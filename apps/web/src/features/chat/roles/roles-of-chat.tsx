import type { Chat } from '@wardline/contract/chat/chat.ts';
import { type ChatRole, removeChatRole } from '@wardline/contract/chat/chat-roles.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Button } from '@wardline/ui/button/button.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Headset, X } from 'lucide-react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { RoleLink } from './role-link.tsx';
import { useChatRoles } from './use-roles.ts';

interface RolesOfChatProps {
  readonly chat: Chat;
  readonly facility: Facility;
  readonly mayRemove: boolean;
  readonly onChanged: (said: string) => void;
}

/** The on-call roles of a chat, with who holds each now; nothing where there are none. */
export function RolesOfChat({ chat, facility, mayRemove, onChanged }: RolesOfChatProps) {
  const call = useCall();
  const confirm = useConfirm();
  const roles = useChatRoles(chat.id, chat.head_seq).data?.data ?? [];
  if (roles.length === 0) return null;
  const remove = ({ role_id, name }: ChatRole) =>
    void confirm({
      title: `Remove ${name}?`,
      description:
        'Whoever holds it does not see this chat any more, unless they were added themselves. Everybody in it sees this.',
      confirmLabel: 'Remove',
      onConfirm: async () => {
        await call(removeChatRole, { params: { chat: chat.id, role: role_id } });
        onChanged(`${name} removed.`);
      },
    });
  return (
    <ul className="list dialog-list" aria-label="On-call roles">
      {roles.map((role) => (
        <li key={role.role_id}>
          <ListRow
            leading={<Avatar alt="" size={40} icon={Headset} />}
            title={<RoleLink facilityId={facility.id} role={{ id: role.role_id, name: role.name }} />}
            mark={
              <>
                <Badge>On-call role</Badge>
                {role.access === 'read' && <Badge>Read only</Badge>}
              </>
            }
            isTextWhole
            text={describe(role, facility.time_zone)}
            trailing={
              mayRemove &&
              chat.kind !== 'direct' && (
                <Button
                  variant="ghost"
                  color="neutral"
                  iconOnly
                  icon={X}
                  label={`Remove ${role.name}`}
                  onClick={() => remove(role)}
                />
              )
            }
          />
        </li>
      ))}
    </ul>
  );
}

function describe({ holder, joined_seq }: ChatRole, zone: string): string {
  const now = holder ? `${holder.name} until ${timeIn(zone, Date.parse(holder.until))}` : 'nobody is on call now';
  return joined_seq > 0 ? `${now} · sees messages since it was added` : now;
}
