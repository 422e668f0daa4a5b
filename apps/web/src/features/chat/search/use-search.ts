import { serverNow } from '@wardline/client/server-clock.ts';
import { isSearchable, search } from '@wardline/contract/chat/search.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { keepPreviousData } from '#/shared/queries/use-query.ts';
import { type SearchFilter, searchTimes, typesOf } from './search-address.ts';

const PAGE = 30;

/** What the server finds for these words, page by page. Nothing is kept longer than it is shown. */
export function useSearch(text: string, filter: SearchFilter) {
  const call = useCall();
  const isOnline = useOnline();
  const q = text.trim();
  const found = usePages({
    queryKey: ['search', q, filter],
    enabled: isOnline && isSearchable(q),
    load: ({ query, signal }) => call(search, { query: { ...query, q, ...queryOf(filter) }, signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const [first] = found.data?.pages ?? [];
  return {
    ...found,
    isOnline,
    isAsked: isSearchable(q),
    messages: found.data?.pages.flatMap((page) => page.data) ?? [],
    // Files come page by page only where they alone are asked for.
    files: found.data?.pages.flatMap((page) => page.files ?? []) ?? [],
    chats: first?.chats ?? [],
    people: first?.people ?? [],
  };
}

function queryOf(filter: SearchFilter) {
  const { chatId, senderId, time } = filter;
  const types = typesOf(filter);
  const { backMs } = searchTimes[time];
  return {
    limit: PAGE,
    ...(types === null ? {} : { types: types.join(',') }),
    ...(chatId === null ? {} : { chat: chatId }),
    ...(senderId === null ? {} : { sender: senderId }),
    ...(backMs === null ? {} : { from: new Date(serverNow() - backMs).toISOString() }),
  };
}
