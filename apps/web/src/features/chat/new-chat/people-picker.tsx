import type { Member } from '@wardline/contract/facilities/members.ts';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useDeferredValue, useState } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { useMembers } from '#/shared/queries/use-members.ts';
import { ChosenChips, PickerRow } from './picker.tsx';

interface PeoplePickerProps {
  readonly facilityId: string;
  readonly myId: string;
  readonly chosen: readonly Member[];
  readonly onChange: (chosen: readonly Member[]) => void;
  /** Ids of who is there already: shown, so that nobody looks for them in vain, but not to be chosen. */
  readonly alreadyIn?: readonly string[];
}

/** Chooses people of a facility: search, pages, and the chosen as chips that can be taken off again. */
export function PeoplePicker({ facilityId, myId, chosen, onChange, alreadyIn = [] }: PeoplePickerProps) {
  const [search, setSearch] = useState('');
  const q = useDeferredValue(search.trim());
  const members = useMembers(facilityId, q);
  const others = members.data?.pages.flatMap((page) => page.data).filter((member) => member.user_id !== myId) ?? [];
  const isChosen = (member: Member) => chosen.some(({ user_id }) => user_id === member.user_id);
  const toggle = (member: Member) => {
    onChange(isChosen(member) ? chosen.filter(({ user_id }) => user_id !== member.user_id) : [...chosen, member]);
  };

  return (
    <fieldset className="people">
      <legend className="label">People</legend>
      <ChosenChips
        chosen={chosen.map(({ user_id, name }) => ({ id: user_id, name }))}
        onRemove={(id) => onChange(chosen.filter(({ user_id }) => user_id !== id))}
      />
      <SearchInput label="Search people" value={search} onValueChange={setSearch} maxLength={80} />
      <div className="people-list" aria-busy={members.isFetching}>
        {members.isPending && <Skeleton count={3} label="Loading people" />}
        {members.isError && (
          <ErrorState
            title="The people did not load"
            level={3}
            message={formatFailure(members.error)}
            onRetry={() => void members.refetch()}
          />
        )}
        {members.isSuccess && others.length === 0 && (
          <p className="people-none muted">{q ? `No one found for “${q}”.` : 'No one else is in this facility yet.'}</p>
        )}
        <ul>
          {others.map((member) => {
            const isIn = alreadyIn.includes(member.user_id);
            const about = [member.title, isIn && 'already in this chat'].filter(Boolean).join(' · ');
            return (
              <PickerRow
                key={member.user_id}
                leading={<PersonAvatar name={member.name} url={member.avatar_url} />}
                name={member.name}
                about={about}
                isChosen={isChosen(member)}
                isDisabled={isIn}
                hasBox={!isIn}
                onToggle={() => toggle(member)}
              />
            );
          })}
        </ul>
        <ShowMore list={members} />
      </div>
    </fieldset>
  );
}
