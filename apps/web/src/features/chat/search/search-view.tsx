import './search.css';
import type { Chat } from '@wardline/contract/chat/chat.ts';
import { SEARCH_TEXT_MAX } from '@wardline/contract/chat/search.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { CloudOff, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { EmergencyAccess, EmergencyButton, emergencyFacilities } from '#/features/chat/emergency/emergency-button.tsx';
import { PageList } from '#/features/chat/list/virtual-list.tsx';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { useNow } from '#/shared/time/use-now.ts';
import { FoundChatRow, FoundFileRow, FoundMessageRow, FoundPersonRow } from './found-rows.tsx';
import type { SearchFilter } from './search-address.ts';
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
  // Here and not beside its button: what was typed in it outlives a network that goes.
  const [emergency, setEmergency] = useState<string | null>(null);
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => page.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus(), []);
  return (
    <>
      <TopBar title="Search" context="Messages, files, patients, chats and people" actions={useShellActions()} />
      <PageContent>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows walk over what can be reached by Tab as well */}
        <div className="search-page" ref={page} onKeyDown={walkRows}>
          <SearchInput
            className="search-find"
            label="Search messages, files, patients, chats and people"
            placeholder="Words, a name, an MRN, K, “in this order”"
            maxLength={SEARCH_TEXT_MAX}
            value={text}
            onValueChange={onText}
          />
          <SearchFilters
            filter={filter}
            me={me}
            chats={chats}
            senders={[...search.messages, ...search.files].map(({ sender }) => sender)}
            onChange={onFilter}
          />
          <p className="sr" role="status">
            {search.isAsked && !search.isFetching && search.data && formatFound(search)}
          </p>
          {/* Over what the search says and not in it: whoever stands on it is not put off by an answer that comes meanwhile. */}
          {search.isOnline && <EmergencyButton facilities={facilities} onOpen={() => setEmergency(text)} />}
          <SearchStates search={search} searched={searched}>
            <Results {...{ me, facilities, filter, search, onFilter }} />
          </SearchStates>
        </div>
      </PageContent>
      {emergency !== null && (
        <EmergencyAccess
          facilities={emergencyFacilities(facilities)}
          identifier={emergency.trim()}
          onClose={() => setEmergency(null)}
        />
      )}
    </>
  );
}

type Found = ReturnType<typeof useSearch>;

const countOf = ({ messages, files, chats, people }: Found) =>
  messages.length + files.length + chats.length + people.length;

function formatFound(found: Found): string {
  const count = countOf(found);
  if (count === 0) return 'Nothing found';
  return count === 1 ? '1 found' : `${found.hasNextPage ? 'More than ' : ''}${count} found`;
}

interface SearchStatesProps extends Pick<SearchViewProps, 'searched'> {
  readonly search: Found;
  readonly children: ReactNode;
}

/** The results, or what stands in their place. */
function SearchStates({ search, searched, children }: SearchStatesProps) {
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
  if (countOf(search) === 0) {
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

/** As many files stand over the messages. */
const FEW_FILES = 5;

type ResultsProps = Pick<SearchViewProps, 'me' | 'facilities' | 'filter' | 'onFilter'> & { readonly search: Found };

function Results({ me, facilities, filter, onFilter, search }: ResultsProps) {
  const now = useNow();
  const isOneOfMany = facilities.length > 1;
  const at = (id: string) => ({ me, now, isOneOfMany, facility: facilities.find((facility) => facility.id === id) });
  const patients = search.chats.filter(({ patient }) => patient !== null);
  const others = search.chats.filter(({ patient }) => patient === null);
  const isOfFiles = filter.type === 'files';
  const last = isOfFiles ? search.files.at(-1) : search.messages.at(-1);
  const onSeen = (item: object) =>
    item === last && search.hasNextPage ? () => void search.fetchNextPage() : undefined;
  const drawFile = (file: Found['files'][number]) => (
    <FoundFileRow file={file} {...at(file.chat.facility_id)} onSeen={isOfFiles ? onSeen(file) : undefined} />
  );
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
      {isOfFiles ? (
        <Paged title="Files" search={search} items={search.files} renderRow={drawFile} />
      ) : (
        <Section id="found-files" title="Files" count={search.files.length}>
          {search.files.slice(0, FEW_FILES).map((file) => (
            <li key={file.id}>{drawFile(file)}</li>
          ))}
          {search.files.length > FEW_FILES && (
            <li>
              <ListRow onClick={() => onFilter({ ...filter, type: 'files' })} title="Show all files" />
            </li>
          )}
        </Section>
      )}
      {!isOfFiles && (
        <Paged
          title="Messages"
          search={search}
          items={search.messages}
          renderRow={(message) => (
            <FoundMessageRow message={message} {...at(message.chat.facility_id)} onSeen={onSeen(message)} />
          )}
        />
      )}
    </>
  );
}

interface PagedProps<Item> {
  readonly title: 'Messages' | 'Files';
  readonly search: Found;
  readonly items: readonly Item[];
  readonly renderRow: (item: Item) => ReactNode;
}

/** What comes page by page, as it is scrolled. */
function Paged<Item extends { readonly id: string }>({ title, search, items, renderRow }: PagedProps<Item>) {
  if (items.length === 0) return null;
  const id = `found-${title.toLowerCase()}`;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={title} />
      <Card isBleeding className="vcard">
        <PageList label={`${title} found`} items={items} keyOf={({ id: key }) => key} renderRow={renderRow} />
      </Card>
      {search.isFetchNextPageError && <ShowMore list={search} />}
      {search.isFetchingNextPage && <Skeleton count={2} label="Loading more" />}
    </section>
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
