import { inOneLine } from '#/features/chat/core/chat-labels.ts';
import type { TimelineRow } from './group-rows.ts';

const LONGEST = 200;
/** Who is away for a while is not read a whole conversation. */
const MOST = 3;

/** What a screen reader says of what others wrote after `before`: the newest of it, the oldest first; null for nothing. */
export function announcementAfter(rows: readonly TimelineRow[], before: number): string | null {
  const said = rows.flatMap((row) =>
    row.kind === 'message' && row.message.seq > before && !row.isOwn ? [row.message] : [],
  );
  if (said.length === 0) return null;
  return said
    .slice(-MOST)
    .map((message) => `${message.sender.name}: ${inOneLine(message).slice(0, LONGEST)}`)
    .join('\n');
}

/** The newest message of the rows; null where there is none. */
export function newestSeq(rows: readonly TimelineRow[]): number | null {
  const newest = rows.findLast((row) => row.kind === 'message');
  return newest?.kind === 'message' ? newest.message.seq : null;
}
