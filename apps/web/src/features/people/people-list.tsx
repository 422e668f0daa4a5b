import { useWindowVirtualizer } from '@tanstack/react-virtual';
import type { Member } from '@wardline/contract/facilities/members.ts';
import type { Presence } from '@wardline/contract/facilities/presence.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { PresenceMark } from '#/shared/presence/presence-mark.tsx';
import { useOwnDuty } from '#/shared/presence/use-own-duty.ts';
import { usePresences } from '#/shared/presence/use-presences.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { useMembers } from '#/shared/queries/use-members.ts';
import { type NamePlace, PersonName, PhoneLink, PhoneText } from './person-name.tsx';

const ROW_PX = 65;

const PhoneDialog = lazyPart(async () => (await import('./phone-dialog.tsx')).PhoneDialog, { onMissing: closeMissing });

interface PeopleListProps extends NamePlace {
  /** Parts of names, titles, roles, and of what people are on call for. */
  readonly q: string;
}

/** The people of a facility by name; more come as one scrolls, and only the rows near the window exist. */
export function PeopleList({ q, ...place }: PeopleListProps) {
  const members = useMembers(place.facility.id, q);
  const isOnline = useOnline();
  const people = members.data?.pages.flatMap((page) => page.data) ?? [];
  const presences = usePresences(
    place.facility.id,
    people.map(({ user_id }) => user_id),
  );
  const [numbered, setNumbered] = useState<Member | null>(null);
  if (members.isPending && !isOnline)
    return <EmptyState title="You’re offline">People show once you’re back online.</EmptyState>;
  if (members.isPending) return <Skeleton count={8} label="Loading people" />;
  if (members.isError && !members.data) {
    return (
      <ErrorState
        title="The people did not load"
        message={formatFailure(members.error)}
        onRetry={() => void members.refetch()}
      />
    );
  }
  if (people.length === 0)
    return <EmptyState title={`No one found for “${q}”`}>Try part of a name, a title or a unit.</EmptyState>;
  return (
    <>
      <VirtualRows
        people={people}
        hasMore={members.hasNextPage}
        onEnd={() => {
          if (members.hasNextPage && !members.isFetching) void members.fetchNextPage();
        }}
      >
        {(person) => (
          <PersonRow
            {...place}
            person={person}
            presence={presences.get(person.user_id)}
            onNumber={() => setNumbered(person)}
          />
        )}
      </VirtualRows>
      {members.isFetchNextPageError && <ShowMore list={members} />}
      {numbered && <PhoneDialog facility={place.facility} person={numbered} onClose={() => setNumbered(null)} />}
    </>
  );
}

interface PersonRowProps extends NamePlace {
  readonly person: Member;
  readonly presence: Presence | undefined;
  readonly onNumber: () => void;
}

function PersonRow({ person, presence, onNumber, ...place }: PersonRowProps) {
  const { name, title, avatar_url, phone = null, on_call = [] } = person;
  const isMe = person.user_id === place.myId;
  const showDuty = useOwnDuty(place.myId);
  const known = [title, ...on_call].filter(Boolean).join(' · ');
  const text = known === '' ? person.roles.join(', ') : known;
  const isSettable = isMe || place.facility.permissions.includes('members.manage');
  return (
    <ListRow
      leading={<PersonAvatar name={name} url={avatar_url} size={40} />}
      title={<PersonName {...place} person={person} />}
      mark={on_call.length > 0 && <Badge tone="primary">On call</Badge>}
      isTextWhole
      text={
        <>
          {text}
          {presence && text !== '' && ' · '}
          <PresenceMark presence={presence} zone={place.facility.time_zone} />
        </>
      }
      trailing={
        <>
          {phone !== null && (isMe ? <PhoneText phone={phone} /> : <PhoneLink of={name} phone={phone} />)}
          {isMe && (
            <Button variant="outline" color="neutral" size="sm" onClick={() => showDuty([place.facility])}>
              Your duty
            </Button>
          )}
          {isMe && phone === null && (
            <Button variant="outline" color="neutral" size="sm" onClick={onNumber}>
              Add phone number
            </Button>
          )}
          {isSettable && !(isMe && phone === null) && (
            <Button
              variant="ghost"
              color="neutral"
              size="sm"
              iconOnly
              icon={Pencil}
              label={`Edit phone number of ${isMe ? 'you' : name}`}
              onClick={onNumber}
            />
          )}
        </>
      }
    />
  );
}

interface VirtualRowsProps {
  readonly people: readonly Member[];
  readonly hasMore: boolean;
  /** The end of what is there has come into view. */
  readonly onEnd: () => void;
  readonly children: (person: Member) => ReactNode;
}

function VirtualRows({ people, hasMore, onEnd, children }: VirtualRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  // What stands above may change height with every render: a banner, a second line.
  useLayoutEffect(() => {
    setMargin(list.current ? Math.round(list.current.getBoundingClientRect().top + window.scrollY) : 0);
  });
  const virtualizer = useWindowVirtualizer({
    count: people.length,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => people[index]?.user_id ?? index,
    overscan: 10,
    scrollMargin: margin,
  });
  const rows = virtualizer.getVirtualItems();
  const isAtEnd = (rows.at(-1)?.index ?? -1) >= people.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  return (
    <ul className="people-rows" aria-label="People" ref={list} style={{ height: virtualizer.getTotalSize() }}>
      {rows.map(({ index, key, start }) => {
        const person = people[index];
        return (
          person && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={hasMore ? -1 : people.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              {children(person)}
            </li>
          )
        );
      })}
    </ul>
  );
}
