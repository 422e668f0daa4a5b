import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
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
      text={[list.status === 'ready' && counted(here.length, 'chat'), formatUnit(facility.unit_count)]
        .filter(Boolean)
        .join(' · ')}
      {...(unread > 0 ? { count: <Pill count={unread} label={counted(unread, 'unread chat')} />, isUnread: true } : {})}
    />
  );
}

export function formatUnit(count: number): string {
  return count === 0 ? '' : counted(count, 'unit');
}
