import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formatList, formatOnCallAs } from '@wardline/format/names.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { useChatRoles } from './use-roles.ts';

interface InByRoleProps {
  readonly chat: Chat;
  readonly facility: Facility;
  readonly myId: string;
}

/** In the place of 'Leave chat' for who is in it by on-call roles alone: as what, until when, and how one leaves before that. */
export function InByRole({ chat, facility, myId }: InByRoleProps) {
  const roles = useChatRoles(chat.id, chat.head_seq).data?.data ?? [];
  const mine = roles.flatMap(({ name, holder }) => (holder?.user_id === myId ? [{ name, until: holder.until }] : []));
  const names = mine.map(({ name }) => name);
  const until = Math.max(...mine.map((role) => Date.parse(role.until)));
  return (
    <p className="t13 muted grow">
      You are in this chat because you are{' '}
      {names.length > 1 ? `on call (${formatList(names)})` : formatOnCallAs(names[0] ?? '')}
      {mine.length > 0 && ` until ${timeIn(facility.time_zone, until)}`}. To leave it before that,{' '}
      <Link href="/people?view=on-call">hand over the role</Link>.
    </p>
  );
}
