import type { Chat } from '@wardline/contract/chat/chat.ts';
import { CHAT_MOVES } from '@wardline/contract/chat/chat-management.ts';

type State = Chat['state'];

interface Versioned {
  readonly title: string;
  readonly state: State;
  readonly version: number;
}

export interface WantedChange {
  readonly expected_version: number;
  readonly title?: string | undefined;
  readonly state?: State | undefined;
}

export type Transition =
  | { readonly kind: 'stale' | 'impossible' | 'unchanged' }
  | { readonly kind: 'changed'; readonly next: Versioned; readonly lines: readonly string[] };

/** The only way a chat changes its title or state (CHAT-7): what it becomes, and the lines that say so in the chat. */
export function transition(chat: Versioned, wanted: WantedChange): Transition {
  if (chat.version !== wanted.expected_version) return { kind: 'stale' };
  const title = wanted.title ?? chat.title;
  const state = wanted.state ?? chat.state;
  if (state !== chat.state && !CHAT_MOVES[chat.state].includes(state)) return { kind: 'impossible' };
  const lines = [
    ...(title === chat.title ? [] : [`renamed the chat to “${title}”`]),
    ...(state === chat.state ? [] : [lineOf(chat.state, state)]),
  ];
  if (lines.length === 0) return { kind: 'unchanged' };
  return { kind: 'changed', next: { title, state, version: chat.version + 1 }, lines };
}

function lineOf(from: State, to: State): string {
  if (to === 'open') return from === 'closed' ? 'reopened the chat' : 'took the chat back';
  if (to === 'closed') return from === 'archived' ? 'took the chat out of the archive' : 'closed the chat';
  return to === 'handed_over' ? 'handed the chat over' : 'archived the chat';
}
