/**
 * Chats of a facility: lists, the open chat, the composer. The sync engine behind `hooks.ts` keeps what they show true; the
 * screens only draw it.
 */

export { ChatPane } from './chat-view/chat-pane.tsx';
export { ChatPanes } from './chat-view/chat-panes.tsx';
export { BrokenChat } from './chat-view/chat-states.tsx';
export { NoChatOpen } from './chat-view/no-chat-open.tsx';
export { CiteItem } from './composer/cite-item-part.ts';
export { chatEntry } from './core/chat-entry.ts';
export { linkToMessage, personPath, SEARCH_PATH } from './core/chat-paths.ts';
export { handSearch } from './core/handed-search.ts';
export { rememberPerson } from './core/known-person.ts';
export { DirectPane, RolePane } from './direct/direct-pane-part.ts';
export { clearDrafts } from './drafts/clear-drafts.ts';
export { ChatFacilitiesScreen } from './list/chat-facilities-screen.tsx';
export { ChatListPane } from './list/chat-list-pane.tsx';
export { ChatsScreen } from './list/chats-screen.tsx';
export { FacilityChats } from './list/facility-chats.tsx';
export { formatUnit } from './list/facility-row.tsx';
export { UnreadChats } from './list/unread-chats.tsx';
export { NewChatButton } from './new-chat/new-chat-button.tsx';
export { rolePath } from './roles/role-path.ts';
export { MESSAGES } from './runtime/chat-runtime.ts';
export { ChatRuntimeProvider } from './runtime/chat-runtime-provider.tsx';
export { useChats, useConnection, useHasUrgent, usePatientOf } from './runtime/hooks.ts';
export { SearchScreen } from './search/search-screen.tsx';
export { UrgentBanner } from './urgent/urgent-banner-part.ts';
export { UrgentOffer, UrgentWaiting } from './urgent/urgent-parts.ts';
export { ChatPictures } from './viewer/chat-pictures-part.ts';
