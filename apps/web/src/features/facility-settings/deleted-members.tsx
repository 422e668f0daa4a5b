import { serverNow } from '@wardline/client/server-clock.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listDeletedMembers } from '@wardline/contract/facilities/members.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { usePages } from '#/shared/queries/use-pages.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';

interface DeletedMembersProps {
  readonly facility: Facility;
  readonly onClose: () => void;
}

/** Who of the facility has deleted their account, and what they were. */
export function DeletedMembers({ facility, onClose }: DeletedMembersProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Deleted accounts"
      description={`People of ${facility.name} who deleted their account. What they signed and wrote stays under their name.`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <DeletedList facilityId={facility.id} />
    </Dialog>
  );
}

function DeletedList({ facilityId }: { readonly facilityId: string }) {
  const call = useCall();
  const list = usePages({
    queryKey: ['members', facilityId, 'deleted'],
    load: ({ query, signal }) => call(listDeletedMembers, { params: { facility: facilityId }, query, signal }),
  });
  if (list.data === undefined) {
    if (!list.isError) return <Skeleton count={3} label="Loading deleted accounts" />;
    return (
      <ErrorState
        level={3}
        title="The deleted accounts did not load"
        message={formatAction(list.error)}
        onRetry={() => void list.refetch()}
      />
    );
  }
  const people = list.data.pages.flatMap((page) => page.data);
  if (people.length === 0) return <EmptyState level={3} title="No one has deleted their account" />;
  const zone = deviceZone();
  return (
    <>
      <ul className="list" aria-label="Deleted accounts">
        {people.map(({ user_id, name, title, roles, deleted_at }) => (
          <li key={user_id}>
            <ListRow
              title={name}
              text={[
                formatDay(dayIn(zone, Date.parse(deleted_at)), dayIn(zone, serverNow())),
                title ?? 'Member',
                roles.join(', ') || 'No role',
              ].join(' · ')}
              isTextWhole
            />
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </>
  );
}
