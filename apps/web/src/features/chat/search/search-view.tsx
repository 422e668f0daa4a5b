import './search.css';
import type { Chat } from '@wardline/contract/chat.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { SEARCH_TEXT_MAX } from '@wardline/contract/search.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { CloudOff, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { PageList } from '#/features/chat/list/virtual-list.tsx';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { useNow } from '#/shared/time/use-now.ts';
import { FoundChatRow, FoundMessageRow, FoundPersonRow } from './found-rows.tsx';
import { isOfMessages, type SearchFilter } from './search-address.ts';
import { SearchFilters } from './search-filters.tsx';
import { useSearch } from './use-search.ts';

interface SearchViewProps {
  readonly me: Person;
  readonly facilities: readonly Facility[];
  /** Mine, to narrow the search to one. */
  readonly chats: readonly Chat[];
  /** As they are typed. */
  readonly text: string;
  /** As they are searched for: a moment later. */
  readonly searched: string;
  readonly onText: (text: string) => void;
  readonly filter: SearchFilter;
  readonly onFilter: (filter: SearchFilter) => void;
}

/** The field, what it is narrowed to, and what was found. */
export function SearchView(props: SearchViewProps) {
  const { me, facilities, chats, text, searched, onText, filter, onFilter } = props;
  const search = useSearch(searched, filter);
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => page.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus(), []);
  return (
    <>
      <TopBar title="Search" context="Messages, patients, chats and people" actions={useShellActions()} />
      <PageContent>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows walk over what can be reached by Tab as well */}
        <div className="search-page" ref={page} onKeyDown={walkRows}>
          <SearchInput
            className="search-find"
            label="Search messages, patients, chats and people"
            placeholder="Words, a name, an MRN, K, “in this order”"
            maxLength={SEARCH_TEXT_MAX}
            value={text}
            onValueChange={onText}
          />
          <SearchFilters
            filter={filter}
            me={me}
            chats={chats}
            senders={search.messages.map(({ sender }) => sender)}
            onChange={onFilter}
          />
          <p className="sr" role="status">
            {search.isAsked && !search.isFetching && search.data && formatFound(search)}
          </p>
          <SearchStates search={search} searched={searched}>
            <Results {...{ me, facilities, filter, search }} />
          </SearchStates>
        </div>
      </PageContent>
    </>
  );
}

type Found = ReturnType<typeof useSearch>;

function formatFound({ messages, chats, people, hasNextPage }: Found): string {
  const count = messages.length + chats.length + people.length;
  if (count === 0) return 'Nothing found';
  return count === 1 ? '1 found' : `${hasNextPage ? 'More than ' : ''}${count} found`;
}

/** The results, or what stands in their place. */
function SearchStates({ search, searched, children }: { search: Found; searched: string; children: ReactNode }) {
  if (!search.isOnline) {
    return (
      <EmptyState icon={CloudOff} title="Search needs the network">
        What you typed stays here. It is searched for when you’re back online.
      </EmptyState>
    );
  }
  if (!search.isAsked) {
    return (
      <EmptyState icon={Search} title="Search everything you can read">
        The beginning of a word is enough, or a part of a long one. A short term (K, Na, Hb, pH) is found where it
        stands alone, “bed 9 clean” in this order.
      </EmptyState>
    );
  }
  if (search.error && !search.isFetching) {
    return (
      <ErrorState
        title="The search did not work"
        message={formatAction(search.error)}
        onRetry={() => void search.refetch()}
      />
    );
  }
  if (search.data === undefined) return <Skeleton count={6} label="Searching" />;
  if (search.messages.length + search.chats.length + search.people.length === 0) {
    return search.isFetching ? (
      <Skeleton count={6} label="Searching" />
    ) : (
      <EmptyState icon={Search} title={`Nothing found for “${searched.trim()}”`}>
        Try the beginning of a word, or take filters off.
      </EmptyState>
    );
  }
  return children;
}

function Results({
  me,
  facilities,
  filter,
  search,
}: Omit<SearchViewProps, 'text' | 'searched' | 'chats' | 'onText' | 'onFilter'> & { search: Found }) {
  const now = useNow();
  const isOneOfMany = facilities.length > 1;
  const at = (id: string) => ({ me, now, isOneOfMany, facility: facilities.find((facility) => facility.id === id) });
  const patients = search.chats.filter(({ patient }) => patient !== null);
  const others = search.chats.filter(({ patient }) => patient === null);
  const last = search.messages.at(-1);
  return (
    <>
      <Section id="found-patients" title="Patients" count={patients.length}>
        {patients.map((chat) => (
          <li key={chat.id}>
            <FoundChatRow chat={chat} {...at(chat.facility_id)} />
          </li>
        ))}
      </Section>
      <Section id="found-chats" title="Chats" count={others.length}>
        {others.map((chat) => (
          <li key={chat.id}>
            <FoundChatRow chat={chat} {...at(chat.facility_id)} />
          </li>
        ))}
      </Section>
      <Section id="found-people" title="People" count={search.people.length}>
        {search.people.map((person) => (
          <li key={`${person.facility_id} ${person.user_id}`}>
            <FoundPersonRow person={person} {...at(person.facility_id)} />
          </li>
        ))}
      </Section>
      {search.messages.length > 0 && (
        <section aria-labelledby="found-messages">
          {!isOfMessages(filter) && <SectionHead id="found-messages" title="Messages" />}
          <Card isBleeding className="vcard">
            <PageList
              label="Messages found"
              items={search.messages}
              keyOf={({ id }) => id}
              renderRow={(message) => (
                <FoundMessageRow
                  message={message}
                  {...at(message.chat.facility_id)}
                  onSeen={message === last && search.hasNextPage ? () => void search.fetchNextPage() : undefined}
                />
              )}
            />
          </Card>
          {search.isFetchNextPageError && <ShowMore list={search} />}
          {search.isFetchingNextPage && <Skeleton count={2} label="Loading more" />}
        </section>
      )}
    </>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}

function Section({ id, title, count, children }: SectionProps) {
  if (count === 0) return null;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={title} />
      <Card isBleeding>
        <ul className="list">{children}</ul>
      </Card>
    </section>
  );
}

/** Arrow keys go from the field to what was found, from row to row, and back to the field. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches('input, .lrow')) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], .lrow')];
  const next = stops[stops.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
