/**
 * Chats of a facility: lists, threads, the composer. The sync engine behind `hooks.ts` keeps what they show true; the
 * screens only draw it.
 */
export { chatEntry } from './chat-entry.ts';
export { ChatFacilitiesScreen } from './chat-facilities-screen.tsx';
export { ChatListPane } from './chat-list-pane.tsx';
export { ChatPanes, EmptyThread } from './chat-panes.tsx';
export { MESSAGES } from './chat-runtime.ts';
export { ChatRuntimeProvider } from './chat-runtime-provider.tsx';
export { ChatsScreen } from './chats-screen.tsx';
export { clearDrafts } from './draft-store.ts';
export { FacilityChats } from './facility-chats.tsx';
export { unitWords } from './facility-row.tsx';
export { useChats, useConnection } from './hooks.ts';
export { NewChat } from './new-chat.ts';
export { NewChatButton } from './new-chat-button.tsx';
export { ThreadPane } from './thread-pane.tsx';
export { UnreadChats } from './unread-chats.tsx';
