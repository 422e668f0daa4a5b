import type { Chat, Message } from '@wardline/contract/chat.ts';
import { CATCH_UP_PAGE } from './catch-up.ts';

/** Where a thread opens: at the first message that was unread when it was opened, which then stays where it is. */
export interface ThreadOpening {
  /** What is known of the chat; the first time decides what was read. */
  see(chat: Chat | null): void;
  /** The seq around which a page belongs on the screen beside the newest; null when the newest page is enough. */
  placeToOpen(head: number, held: readonly Message[]): number | null;
  /** Finds the first unread message among those held, until the thread is open. */
  look(held: readonly Message[]): void;
  finish(): void;
  isOpen(): boolean;
  firstUnreadSeq(): number | null;
}

export function createThreadOpening(myId: string): ThreadOpening {
  let readSeq: number | null = null;
  let firstUnread: number | null = null;
  let isOpen = false;
  return {
    see(chat) {
      readSeq ??= chat?.my.read_seq ?? null;
    },
    placeToOpen(head, held) {
      const place = (readSeq ?? head) + 1;
      const isFar = head - place >= CATCH_UP_PAGE;
      return !isOpen && isFar && !held.some(({ seq }) => seq === place) ? place : null;
    },
    look(held) {
      if (isOpen || readSeq === null) return;
      const after = readSeq;
      firstUnread = held.find(({ seq, sender }) => seq > after && sender.id !== myId)?.seq ?? null;
    },
    finish() {
      isOpen = true;
    },
    isOpen: () => isOpen,
    firstUnreadSeq: () => firstUnread,
  };
}
