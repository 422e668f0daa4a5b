import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Member } from '@wardline/contract/facilities/members.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useDeferredValue, useState } from 'react';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { useMembers } from '#/shared/queries/use-members.ts';

const MemberDialog = lazyPart(async () => (await import('./member-dialog.tsx')).MemberDialog, {
  onMissing: closeMissing,
});

const DeletedMembers = lazyPart(async () => (await import('./deleted-members.tsx')).DeletedMembers, {
  onMissing: closeMissing,
});

interface MembersCardProps {
  readonly facility: Facility;
  readonly myId: string;
  readonly onOwnChange: () => Promise<void>;
}

/** The people of a facility with their roles. */
export function MembersCard({ facility, myId, onOwnChange }: MembersCardProps) {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Member | null>(null);
  const [isShowingDeleted, setIsShowingDeleted] = useState(false);
  const q = useDeferredValue(search.trim());
  const mayManage = facility.permissions.includes('members.manage');
  return (
    <Card isList>
      <div className="fs-search">
        <SearchInput label="Search people and roles" value={search} onValueChange={setSearch} maxLength={80} />
      </div>
      <MemberList facilityId={facility.id} q={q} onOpen={mayManage ? setOpen : null} />
      {mayManage && (
        <div className="fs-foot">
          <Button variant="link" onClick={() => setIsShowingDeleted(true)}>
            Deleted accounts
          </Button>
        </div>
      )}
      {isShowingDeleted && <DeletedMembers facility={facility} onClose={() => setIsShowingDeleted(false)} />}
      {open && (
        <MemberDialog
          key={open.user_id}
          facility={facility}
          member={open}
          isMe={open.user_id === myId}
          onOwnChange={onOwnChange}
          onClose={() => setOpen(null)}
        />
      )}
    </Card>
  );
}

interface MemberListProps {
  readonly facilityId: string;
  readonly q: string;
  /** Null for who may only read. */
  readonly onOpen: ((member: Member) => void) | null;
}

function MemberList({ facilityId, q, onOpen }: MemberListProps) {
  const members = useMembers(facilityId, q);
  if (members.data === undefined) {
    if (!members.isError) return <Skeleton count={3} label="Loading people" />;
    return (
      <ErrorState
        level={3}
        title="The people did not load"
        message={formatAction(members.error)}
        onRetry={() => void members.refetch()}
      />
    );
  }
  const people = members.data.pages.flatMap((page) => page.data);
  if (people.length === 0) {
    return (
      <EmptyState level={3} title={`No one found for “${q}”`}>
        Try part of a name, a title or a role.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="list" aria-label="People">
        {people.map((member) => (
          <li key={member.user_id}>
            <ListRow
              leading={<PersonAvatar name={member.name} url={member.avatar_url} size={40} />}
              title={member.name}
              text={member.roles.join(', ') || 'No role'}
              trailing={
                onOpen && (
                  <Button
                    variant="outline"
                    color="neutral"
                    size="sm"
                    label={`Roles of ${member.name}`}
                    onClick={() => onOpen(member)}
                  >
                    Roles
                  </Button>
                )
              }
            />
          </li>
        ))}
      </ul>
      <ShowMore list={members} />
    </>
  );
}
