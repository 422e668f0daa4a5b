import { type Chat, WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import { isUnread } from '#/features/chat/core/chat-labels.ts';
import type { ChatListItem } from '#/features/chat/core/chat-view.ts';
import { hasEveryWord } from '#/shared/forms/search-text.ts';

export interface ChatFilter {
  readonly search: string;
  readonly isUnreadOnly: boolean;
  readonly isFavoriteOnly: boolean;
  readonly facilityId: string | null;
  readonly kind: Chat['kind'] | null;
  readonly state: Chat['state'] | null;
}

/** Open chats of every facility and kind, and whatever has something unread. */
export const startFilter: ChatFilter = {
  ...{ search: '', isUnreadOnly: false, isFavoriteOnly: false },
  ...{ facilityId: null, kind: null, state: 'open' },
};

/** The chats that fit, in the order given. Every word of the search has to occur; accents and case do not matter. */
export function filterChats(items: readonly ChatListItem[], filter: ChatFilter): ChatListItem[] {
  const isSearching = filter.search.trim() !== '';
  return items.filter((item) => {
    const { chat } = item;
    if (filter.isUnreadOnly && !isUnread(chat)) return false;
    if (filter.isFavoriteOnly && !isFavorite(item)) return false;
    if (filter.facilityId && chat.facility_id !== filter.facilityId) return false;
    if (filter.kind && chat.kind !== filter.kind) return false;
    if (filter.state && !fitsState(chat, filter.state)) return false;
    return isSearching ? hasEveryWord(searchText(chat), filter.search) : true;
  });
}

// 'Open' stands there before anybody has chosen it: it hides neither what goes on nor what the badge counts.
function fitsState(chat: Chat, wanted: Chat['state']): boolean {
  const { state } = chat;
  return state === wanted || (wanted === 'open' && (WRITABLE_STATES.includes(state) || isUnread(chat)));
}

/** How many chats 'Unread' would show beside the other filters. */
export function countUnread(items: readonly ChatListItem[], filter: ChatFilter): number {
  return filterChats(items, { ...filter, isUnreadOnly: true }).length;
}

export const isFavorite = ({ chat }: ChatListItem): boolean => chat.my.is_favorite === true;

/** Unread first, then favourites, the rest after them; each in the order given. */
export function bySection(items: readonly ChatListItem[]): Record<'unread' | 'favorites' | 'earlier', ChatListItem[]> {
  const read = items.filter(({ chat }) => !isUnread(chat));
  return {
    unread: items.filter(({ chat }) => isUnread(chat)),
    favorites: read.filter(isFavorite),
    earlier: read.filter((item) => !isFavorite(item)),
  };
}

/** Whether archived chats are asked for, most of which no device keeps. */
export function isOfArchive({ state, isUnreadOnly, isFavoriteOnly }: ChatFilter): boolean {
  return (state === null || state === 'archived') && !isUnreadOnly && !isFavoriteOnly;
}

/** True where a filter narrows what would be shown at first. */
export function isNarrowed(filter: ChatFilter): boolean {
  const { search, isUnreadOnly, isFavoriteOnly, facilityId, kind } = filter;
  return search.trim() !== '' || isUnreadOnly || isFavoriteOnly || facilityId !== null || kind !== null;
}

function searchText(chat: Chat): string {
  const { patient, last_message: last } = chat;
  const said = last ? `${last.sender_name} ${last.excerpt}` : '';
  return `${chat.title} ${patient?.name ?? ''} ${patient?.identifier ?? ''} ${patient?.bed ?? ''} ${said}`;
}
