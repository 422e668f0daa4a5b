import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { CATCH_UP_PAGE } from './catch-up.ts';

/** Where a chat opens: at the first message that was unread when it was opened, which then stays where it is. */
export interface Opening {
  /** What was read when the chat was opened; null until the chat is known. */
  readonly readSeq: number | null;
  readonly firstUnreadSeq: number | null;
  /** Where this tab left the chat, when that was not its end. */
  readonly keptSeq: number | null;
  /** The chat is open: what is read from now on moves nothing. */
  readonly isOpen: boolean;
}

export const NOT_OPEN: Opening = { readSeq: null, firstUnreadSeq: null, keptSeq: null, isOpen: false };

/** What is known of the chat; the first time decides what was read, or is kept as unread. */
export function withChat(opening: Opening, chat: Chat | null): Opening {
  if (opening.readSeq !== null || chat === null) return opening;
  const { read_seq, marked_unread_seq } = chat.my;
  return { ...opening, readSeq: Math.min(read_seq, (marked_unread_seq ?? read_seq + 1) - 1) };
}

/** Finds the first unread message among those held, until the chat is open. */
export function withFirstUnread(opening: Opening, held: readonly Message[], myId: string): Opening {
  const { readSeq, isOpen } = opening;
  if (isOpen || readSeq === null) return opening;
  const first = held.find(({ seq, sender }) => seq > readSeq && sender.id !== myId);
  return { ...opening, firstUnreadSeq: first?.seq ?? null };
}

/** The seq around which a page belongs on the screen beside the newest; null when the newest page is enough. */
export function placeToOpen(opening: Opening, head: number, held: readonly Message[]): number | null {
  const { readSeq, keptSeq, isOpen } = opening;
  const isFar = (seq: number) => head - seq >= CATCH_UP_PAGE && !held.some((message) => message.seq === seq);
  const firstUnread = (readSeq ?? head) + 1;
  if (isOpen) return null;
  // Without the first unread message nobody knew where the new ones begin, so it goes before the place that was left.
  if (isFar(firstUnread)) return firstUnread;
  return keptSeq !== null && isFar(keptSeq) ? keptSeq : null;
}

/** The first message that whoever opened the chat may go on reading from. */
export function readsFrom({ firstUnreadSeq, keptSeq }: Opening): number | null {
  if (firstUnreadSeq === null || keptSeq === null) return firstUnreadSeq ?? keptSeq;
  return Math.min(firstUnreadSeq, keptSeq);
}
