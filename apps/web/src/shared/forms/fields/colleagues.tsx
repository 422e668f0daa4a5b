import { listMembers, type Member } from '@wardline/contract/facilities/members.ts';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { useDeferredValue, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { keepPreviousData, useQuery } from '#/shared/queries/use-query.ts';

interface ColleaguesProps {
  readonly facilityId: string;
  /** Who is not offered. */
  readonly without?: readonly (string | undefined)[];
  /** Offers only those who may do this. */
  readonly may?: 'on_call.take';
  readonly chosen: string;
  readonly onChoose: (userId: string) => void;
  readonly error?: string | undefined;
}

const SHOWN = 5;

/** Whom to put on call: found by name, title or role, and chosen. */
export function Colleagues({ facilityId, without = [], may, chosen, onChoose, error }: ColleaguesProps) {
  const call = useCall();
  const [search, setSearch] = useState('');
  const q = useDeferredValue(search.trim());
  const members = useQuery({
    queryKey: ['members', facilityId, 'colleagues', q, may],
    queryFn: ({ signal }) =>
      call(listMembers, {
        params: { facility: facilityId },
        query: { limit: SHOWN + without.length, ...(q ? { q } : {}), ...(may ? { may } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const found = (members.data?.data ?? []).filter(({ user_id }) => !without.includes(user_id));
  const people = found.slice(0, SHOWN);
  const hasMore = found.length > people.length || members.data?.next_cursor != null;
  const said = members.isError
    ? 'The people did not load.'
    : members.isPending
      ? 'Loading people…'
      : q === ''
        ? 'No one here can be chosen.'
        : `No one found for “${q}”.`;
  return (
    <div className="stack stack-3">
      <SearchInput label="Search people" value={search} onValueChange={setSearch} maxLength={80} />
      {people.length === 0 ? (
        <p className="t13 muted" role="status">
          {said}
        </p>
      ) : (
        <>
          <RadioGroup
            label="Who"
            value={chosen}
            onValueChange={onChoose}
            choices={people.map(toChoice)}
            error={error}
          />
          {hasMore && <p className="t13 muted">Search to find others.</p>}
        </>
      )}
    </div>
  );
}

function toChoice({ user_id, name, title }: Member) {
  return { value: user_id, label: title === null ? name : `${name}, ${title}` };
}
