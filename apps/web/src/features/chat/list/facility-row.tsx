import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { isUnread } from '#/features/chat/core/chat-labels.ts';
import { facilityPath } from '#/features/chat/core/chat-paths.ts';
import type { ChatList } from '#/features/chat/core/chat-view.ts';

/** A facility of mine, with its chats and how many of them are unread; no number before it is known. */
export function FacilityRow({ facility, list }: { facility: Facility; list: Pick<ChatList, 'status' | 'items'> }) {
  const here = list.items.filter(({ chat }) => chat.facility_id === facility.id);
  const unread = here.filter(({ chat }) => isUnread(chat)).length;
  return (
    <ListRow
      href={facilityPath(facility.id)}
      leading={
        <span className="fac-code" aria-hidden="true">
          {facility.code}
        </span>
      }
      title={facility.name}
      text={[list.status === 'ready' && formatChats(here.length), formatUnit(facility.unit_count)]
        .filter(Boolean)
        .join(' · ')}
      {...(unread > 0 ? { count: <Pill count={unread} label={`${unread} unread chats`} />, isUnread: true } : {})}
    />
  );
}

function formatChats(count: number): string {
  return count === 1 ? '1 chat' : `${count} chats`;
}

export function formatUnit(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 unit' : `${count} units`;
}
