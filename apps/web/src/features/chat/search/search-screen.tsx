import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { takeSearch } from '#/features/chat/core/handed-search.ts';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useDebounced } from '#/shared/forms/use-debounced.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { readFilter, searchPath } from './search-address.ts';
import { SearchView } from './search-view.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What was searched for on this entry, and by whom: the next person at this device does not get it by Back. */
    search?: { readonly text: string; readonly by: string };
  }
}

interface SearchScreenProps {
  readonly me: Person;
  readonly facilities: readonly Facility[];
}

/**
 * The search. What it is narrowed to stands in the address; the words go with the entry of the history, so that back and reload
 * bring them again, and nowhere else: an address is kept, sent on and logged, and the words are often a patient's name.
 */
export function SearchScreen({ me, facilities }: SearchScreenProps) {
  usePageTitle('Search');
  const navigate = useNavigate();
  const list = useChats();
  const searchString = useLocation({ select: ({ searchStr }) => searchStr });
  const kept = useLocation({ select: ({ state }) => state.search });
  const [text, setText] = useState(() => takeSearch() || (kept?.by === me.id ? kept.text : ''));
  const settled = useDebounced(text);
  const keep = useEffectEvent((next: string) => {
    if (next === (kept?.text ?? '')) return;
    void navigate({
      href: searchPath(readFilter(searchString)),
      state: { search: { text: next, by: me.id } },
      replace: true,
      resetScroll: false,
    });
  });
  useEffect(() => keep(settled), [settled]);
  return (
    <SearchView
      me={me}
      facilities={facilities}
      chats={list.items.map(({ chat }) => chat)}
      text={text}
      searched={settled}
      onText={setText}
      filter={readFilter(searchString)}
      onFilter={(filter) =>
        void navigate({
          href: searchPath(filter),
          state: { search: { text, by: me.id } },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
