import { listMembers } from '@wardline/contract/facilities/members.ts';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { useDeferredValue, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { keepPreviousData, useQuery } from '#/shared/queries/use-query.ts';

const MOST_SHOWN = 20;

interface Person {
  readonly id: string;
  readonly name: string;
}

interface MemberSearchProps {
  readonly facilityId: string;
  readonly chosen: readonly Person[];
  readonly onToggle: (person: Person) => void;
}

/** Finds members of the facility by a part of their name, to put them on or take them off. */
export function MemberSearch({ facilityId, chosen, onToggle }: MemberSearchProps) {
  const call = useCall();
  const [search, setSearch] = useState('');
  const q = useDeferredValue(search.trim());
  const found = useQuery({
    queryKey: ['members', facilityId, 'census-settings', q],
    enabled: q !== '',
    queryFn: ({ signal }) =>
      call(listMembers, { params: { facility: facilityId }, query: { q, limit: MOST_SHOWN }, signal }),
    placeholderData: keepPreviousData,
  });
  const members = q === '' ? [] : (found.data?.data ?? []);
  return (
    <div className="stack">
      <SearchInput
        label="Search people to add"
        value={search}
        onValueChange={setSearch}
        maxLength={80}
        // Enter in a search does not save what stands around it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {q !== '' && found.isError && <p className="t13 muted">{formatFailure(found.error)}</p>}
      {q !== '' && found.isSuccess && members.length === 0 && (
        <p className="t13 muted" role="status">
          No one found for “{q}”.
        </p>
      )}
      {members.length > 0 && (
        <ul className="cs-members" aria-label="Found" aria-busy={found.isFetching}>
          {members.map(({ user_id: id, name, title }) => (
            <li key={id}>
              <Checkbox
                label={
                  <>
                    <span className="strong">{name}</span> {title && <span className="t12 muted">{title}</span>}
                  </>
                }
                checked={chosen.some((person) => person.id === id)}
                onChange={() => onToggle({ id, name })}
              />
            </li>
          ))}
        </ul>
      )}
      {found.data?.next_cursor && q !== '' && <p className="t12 muted">More people match: type more of the name.</p>}
    </div>
  );
}
