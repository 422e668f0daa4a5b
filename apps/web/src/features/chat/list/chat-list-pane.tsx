import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
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
import { countUnread, filterChats, isFavorite, isNarrowed, isOfArchive, startFilter } from './filter-chats.ts';
import { SearchLink } from './search-link.tsx';
import { BoxList } from './virtual-list.tsx';

const Archive = lazyPart<ArchiveProps>(async () => (await import('./archive.tsx')).Archive);

interface ChatListPaneProps {
  readonly facility: Facility;
  readonly me: Person;
  readonly openChatId: string | null;
}

/** The chats of one facility beside the chat. It stays mounted from chat to chat and keeps its place. */
export function ChatListPane(props: ChatListPaneProps) {
  return <ChatListView {...props} list={useChats()} />;
}

/** The same over a list that is given. */
export function ChatListView({ facility, me, openChatId, list }: ChatListPaneProps & { list: ChatList }) {
  const [filter, setFilter] = useState(startFilter);
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const now = useNow();
  const here = list.items.filter(({ chat }) => chat.facility_id === facility.id);
  const deferred = useDeferredValue(filter);
  // The open chat keeps its row whatever the filters say, so that one sees where one is.
  const fitting = new Set(filterChats(here, deferred));
  const shown = here.filter((item) => fitting.has(item) || (item.chat.id === openChatId && !isNarrowed(deferred)));

  const renderRow = (item: ChatListItem) => (
    <ChatRow item={item} me={me} timeZone={facility.time_zone} now={now} isSelected={item.chat.id === openChatId} />
  );

  return (
    <Pane name="list" label={`Chats of ${facility.name}`}>
      <PaneHead
        title={facility.name}
        actions={
          <>
            <NewChatButton facilities={[facility]} me={me} look="icon" />
            {useShellActions()}
          </>
        }
      />
      <div className="pane-tools">
        <SearchInput
          label={`Search in ${facility.name}`}
          placeholder="Search"
          value={filter.search}
          onValueChange={(search) => setFilter({ ...filter, search })}
        />
        {filter.search.trim() !== '' && <SearchLink text={filter.search} />}
        <ChatFilters
          filter={filter}
          unreadChats={list.status === 'ready' ? countUnread(here, filter) : null}
          hasFavorites={here.some(isFavorite)}
          onChange={setFilter}
        />
      </div>
      <div className="pane-scroll" ref={setBox}>
        <ChatListStates
          list={{ ...list, items: here }}
          shown={shown}
          isNarrowed={isNarrowed(filter)}
          onClear={() => setFilter({ ...startFilter, state: null })}
          newChat={<NewChatButton facilities={[facility]} me={me} look="plain" />}
          archive={
            isOfArchive(filter) ? (
              <Archive facilities={[facility]} filter={filter} listed={shown} renderRow={renderRow} />
            ) : null
          }
        >
          <BoxList box={box} label="Chats" items={shown} keyOf={({ chat }) => chat.id} renderRow={renderRow} />
        </ChatListStates>
      </div>
    </Pane>
  );
}
