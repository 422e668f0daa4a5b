import type { Chat } from '@wardline/contract/chat/chat.ts';
import { chatName, formatSubject } from './chat-labels.ts';
import { chatPath } from './chat-paths.ts';
import type { Person } from './chat-view.ts';

/** A chat as a line of a search: how it is called, what tells it from others, further words, its address. */
export function chatEntry(chat: Chat, me: Pick<Person, 'name'>) {
  const bed = chat.patient?.bed;
  return {
    name: chatName(chat, me),
    detail: bed ? `${formatSubject(chat)} · ${bed}` : formatSubject(chat),
    also: chat.title,
    href: chatPath(chat),
  };
}
