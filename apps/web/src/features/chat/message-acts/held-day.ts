import type { TimelineItem } from '#/features/chat/core/chat-view.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';

/** The first message of a day, or after it, where the messages on this device prove that; null where only the server knows. */
export function heldDaySeq(items: readonly TimelineItem[], timeZone: string, day: string): number | null {
  let seqBefore = 0;
  for (const item of items) {
    if (item.type !== 'message') continue;
    const { seq, created_at } = item.message;
    if (dayIn(timeZone, Date.parse(created_at)) >= day) return seq === seqBefore + 1 ? seq : null;
    seqBefore = seq;
  }
  return null;
}
