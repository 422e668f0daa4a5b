import './log-view.css';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useDeferredValue, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { keepPreviousData, useQuery } from '#/shared/queries/use-query.ts';

interface PersonDialogProps {
  readonly facilityId: string;
  readonly description: string;
  readonly onChoose: (userId: string) => void;
  readonly onClose: () => void;
}

const SHOWN = 50;

/** Chooses the person whose entries are shown. */
export function PersonDialog({ facilityId, description, onChoose, onClose }: PersonDialogProps) {
  const call = useCall();
  const [search, setSearch] = useState('');
  const q = useDeferredValue(search.trim());
  const members = useQuery({
    queryKey: ['members', facilityId, 'log', q],
    queryFn: ({ signal }) =>
      call(listMembers, { params: { facility: facilityId }, query: { limit: SHOWN, ...(q ? { q } : {}) }, signal }),
    placeholderData: keepPreviousData,
  });
  const people = members.data?.data ?? [];
  return (
    <Dialog open onOpenChange={onClose} title="Person" description={description} closeLabel="Close">
      <div className="stack stack-3">
        <SearchInput label="Search people" value={search} onValueChange={setSearch} maxLength={80} />
        {members.isPending && <Skeleton count={4} label="Loading people" />}
        {members.isError && (
          <ErrorState
            title="The people did not load"
            level={3}
            message={formatFailure(members.error)}
            onRetry={() => void members.refetch()}
          />
        )}
        {members.isSuccess && people.length === 0 && <p className="muted">No one found for “{q}”.</p>}
        <ul className="list log-people">
          {people.map(({ user_id, name, title, avatar_url }) => (
            <li key={user_id}>
              <ListRow
                leading={<PersonAvatar name={name} url={avatar_url} />}
                title={name}
                text={title ?? undefined}
                onClick={() => {
                  onChoose(user_id);
                  onClose();
                }}
              />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
