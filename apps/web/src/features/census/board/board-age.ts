import { onServerClock } from '@wardline/client/server-clock.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatClock } from '#/shared/time/format-clock.ts';

/** A board that follows is told anew every minute; this one does not follow. */
const liveMs = 150_000;

/** How true a board is: when it was told, and why not since. */
export interface BoardAge {
  readonly at: number;
  readonly isOld: boolean;
  readonly isOnline: boolean;
  readonly failure: unknown;
}

export function useBoardAge(board: { dataUpdatedAt: number; error: unknown }, now: number): BoardAge {
  const isOnline = useOnline();
  const at = onServerClock(board.dataUpdatedAt);
  const failure = board.error;
  return { at, failure, isOnline, isOld: !isOnline || failure !== null || now - at > liveMs };
}

/** `14:02, 3 h ago`. */
export function formatSince(zone: string, at: number, now: number): string {
  return `${formatClock(zone, at, now)}, ${now - at < 60_000 ? 'just now' : `${formatSpan(now - at)} ago`}`;
}
