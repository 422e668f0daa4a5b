import { SEARCH_TYPES, type SearchType } from '@wardline/contract/chat/search.ts';
import { SEARCH_PATH } from '#/features/chat/core/chat-paths.ts';

export type SearchTime = 'any' | 'day' | 'week' | 'month' | 'year';

/** What a search is narrowed to. The words themselves never stand in the address: they name patients, and a browser keeps addresses. */
export interface SearchFilter {
  readonly type: SearchType | 'all';
  readonly chatId: string | null;
  readonly senderId: string | null;
  readonly time: SearchTime;
}

const DAY_MS = 24 * 60 * 60_000;

/** How far back each goes. */
export const searchTimes: Readonly<Record<SearchTime, { readonly label: string; readonly backMs: number | null }>> = {
  any: { label: 'Any time', backMs: null },
  day: { label: 'Last 24 hours', backMs: DAY_MS },
  week: { label: 'Last 7 days', backMs: 7 * DAY_MS },
  month: { label: 'Last 30 days', backMs: 30 * DAY_MS },
  year: { label: 'Last year', backMs: 365 * DAY_MS },
};

const isTime = (value: string | null): value is SearchTime => value !== null && Object.hasOwn(searchTimes, value);
const idOrNull = (value: string | null) => (value !== null && /^[0-9a-f-]{36}$/.test(value) ? value : null);

/** What an address says; whatever it says wrongly is as if it were not there. */
export function readFilter(searchString: string): SearchFilter {
  const params = new URLSearchParams(searchString);
  const time = params.get('time');
  return {
    type: SEARCH_TYPES.find((type) => type === params.get('type')) ?? 'all',
    chatId: idOrNull(params.get('chat')),
    senderId: idOrNull(params.get('from')),
    time: isTime(time) ? time : 'any',
  };
}

export function searchPath({ type, chatId, senderId, time }: SearchFilter): string {
  const params = new URLSearchParams({
    ...(type === 'all' ? {} : { type }),
    ...(chatId === null ? {} : { chat: chatId }),
    ...(senderId === null ? {} : { from: senderId }),
    ...(time === 'any' ? {} : { time }),
  });
  const search = params.toString();
  return search === '' ? SEARCH_PATH : `${SEARCH_PATH}?${search}`;
}

/** What is asked for; null for all. Where a chat, a sender or a time is chosen only messages and files can fit. */
export function typesOf({ type, chatId, senderId, time }: SearchFilter): readonly SearchType[] | null {
  if (type !== 'all') return [type];
  return chatId !== null || senderId !== null || time !== 'any' ? ['messages', 'files'] : null;
}
