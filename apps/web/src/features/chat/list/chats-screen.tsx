import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { ClipboardCheck } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { ChatList, ChatListItem, Person } from '#/features/chat/core/chat-view.ts';
import { NewChatButton } from '#/features/chat/new-chat/new-chat-button.tsx';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useNow } from '#/shared/time/use-now.ts';
import type { ArchiveProps } from './archive.tsx';
import { ChatFilters } from './chat-filters.tsx';
import { ChatListStates } from './chat-list-states.tsx';
import { ChatRow } from './chat-row.tsx';
import {
  bySection,
  countUnread,
  filterChats,
  isFavorite,
  isNarrowed,
  isOfArchive,
  startFilter,
} from './filter-chats.ts';
import { SearchLink } from './search-link.tsx';
import { PageList } from './virtual-list.tsx';

const Archive = lazyPart<ArchiveProps>(async () => (await import('./archive.tsx')).Archive);

interface ChatsScreenProps {
  readonly me: Person;
  readonly facilities: readonly Facility[];
  /** The facility one is in. */
  readonly facilityId?: string | undefined;
}

/** All my chats over all my facilities: unread first, then newest. */
export function ChatsScreen(props: ChatsScreenProps) {
  return <ChatsView {...props} list={useChats()} />;
}

/** The same over a list that is given. */
export function ChatsView({ me, facilities, facilityId, list }: ChatsScreenProps & { list: ChatList }) {
  const [filter, setFilter] = useState(startFilter);
  const shown = filterChats(list.items, useDeferredValue(filter));
  const { unread, favorites, earlier } = bySection(shown);
  const rows = { me, facilities };
  const archive = isOfArchive(filter) ? (
    <Archive
      isPage
      facilities={facilities}
      filter={filter}
      listed={shown}
      renderRow={(item) => <Row {...rows} item={item} />}
    />
  ) : null;
  const places = facilities.length === 1 ? facilities[0]?.name : `${facilities.length} facilities`;

  return (
    <>
      <TopBar
        title="Chats"
        context={[places, formatUnread(list)].filter(Boolean).join(' · ')}
        actions={
          <>
            <Button asChild variant="ghost" color="neutral" iconOnly icon={ClipboardCheck} label="Hand-over list">
              <Link href="/handovers" />
            </Button>
            <NewChatButton facilities={facilities} facilityId={facilityId} me={me} look="bar" />
            {useShellActions()}
          </>
        }
      />
      <PageContent className="chats">
        <div className="chat-tools">
          <SearchInput
            className="chat-find"
            label="Search chats, patients, people"
            value={filter.search}
            onValueChange={(search) => setFilter({ ...filter, search })}
          />
          <SearchLink text={filter.search} />
          <ChatFilters
            filter={filter}
            unreadChats={list.status === 'ready' ? countUnread(list.items, filter) : null}
            hasFavorites={list.items.some(isFavorite)}
            facilities={facilities}
            onChange={setFilter}
          />
        </div>
        <ChatListStates
          list={list}
          shown={shown}
          isNarrowed={isNarrowed(filter)}
          onClear={() => setFilter({ ...startFilter, state: null })}
          newChat={<NewChatButton facilities={facilities} facilityId={facilityId} me={me} look="plain" />}
          archive={archive}
        >
          <Section {...rows} id="unread" title="Unread" items={unread} />
          <Section {...rows} id="favorites" title="Favourites" items={favorites} />
          <Section {...rows} id="earlier" title="Earlier" items={earlier} />
        </ChatListStates>
      </PageContent>
      <NewChatButton facilities={facilities} facilityId={facilityId} me={me} look="floating" />
    </>
  );
}

/** Nothing before it is known: a count of an empty list would say that all is read. */
function formatUnread({ status, unreadChats }: ChatList): string | null {
  if (status !== 'ready') return null;
  return counted(unreadChats, 'unread chat');
}

interface SectionProps extends ChatsScreenProps {
  readonly id: 'unread' | 'favorites' | 'earlier';
  readonly title: string;
  readonly items: readonly ChatListItem[];
}

function Section({ id, title, items, me, facilities }: SectionProps) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <SectionHead
        id={id}
        title={title}
        mark={id === 'unread' && <Pill count={items.length} label={`${items.length} chats`} tone="quiet" />}
      />
      <Card isBleeding className="vcard">
        <PageList
          label={id === 'favorites' ? 'Favourite chats' : `${title} chats`}
          items={items}
          keyOf={({ chat }) => chat.id}
          renderRow={(item) => <Row item={item} me={me} facilities={facilities} />}
        />
      </Card>
    </section>
  );
}

function Row({ item, me, facilities }: ChatsScreenProps & { readonly item: ChatListItem }) {
  const now = useNow();
  const facility = facilities.find(({ id }) => id === item.chat.facility_id);
  return (
    <ChatRow
      item={item}
      me={me}
      now={now}
      timeZone={facility?.time_zone ?? 'UTC'}
      facilityName={facility?.name ?? ''}
    />
  );
}
