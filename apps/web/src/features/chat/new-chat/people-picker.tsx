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
import { type RoleChoice, RoleRows, useFoundRoles } from './role-rows.tsx';

interface PeoplePickerProps {
  readonly facilityId: string;
  readonly myId: string;
  readonly chosen: readonly Member[];
  readonly onChange: (chosen: readonly Member[]) => void;
  /** Ids of who is there already: shown, so that nobody looks for them in vain, but not to be chosen. */
  readonly alreadyIn?: readonly string[];
  /** Where on-call roles can be chosen too: the same search finds them. */
  readonly roles?: RoleChoice;
}

/** Chooses people of a facility, and perhaps on-call roles: search, pages, and the chosen as chips that can be taken off again. */
export function PeoplePicker({ facilityId, myId, chosen, onChange, alreadyIn = [], roles }: PeoplePickerProps) {
  const [search, setSearch] = useState('');
  const q = useDeferredValue(search.trim());
  const members = useMembers(facilityId, q);
  const { found, isPending } = useFoundRoles(facilityId, q, roles !== undefined);
  const others = members.data?.pages.flatMap((page) => page.data).filter((member) => member.user_id !== myId) ?? [];
  const isChosen = (member: Member) => chosen.some(({ user_id }) => user_id === member.user_id);
  const toggle = (member: Member) => {
    onChange(isChosen(member) ? chosen.filter(({ user_id }) => user_id !== member.user_id) : [...chosen, member]);
  };

  return (
    <fieldset className="people">
      <legend className="label">{roles ? 'People and on-call roles' : 'People'}</legend>
      <ChosenChips
        chosen={[...(roles?.chosen ?? []), ...chosen.map(({ user_id, name }) => ({ id: user_id, name }))]}
        onRemove={(id) => {
          if (chosen.some(({ user_id }) => user_id === id)) onChange(chosen.filter(({ user_id }) => user_id !== id));
          else roles?.onChange(roles.chosen.filter((role) => role.id !== id));
        }}
      />
      <SearchInput
        label={roles ? 'Search people and on-call roles' : 'Search people'}
        value={search}
        onValueChange={setSearch}
        maxLength={80}
      />
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
        {members.isSuccess && !isPending && others.length + found.length === 0 && (
          <p className="people-none muted" role="status">
            {q === ''
              ? 'No one else is in this facility yet.'
              : roles
                ? `No person or on-call role found for “${q}”.`
                : `No one found for “${q}”.`}
          </p>
        )}
        {roles && <RoleRows {...roles} found={found} />}
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
