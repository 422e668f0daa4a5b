import type { Log } from '@wardline/client/log.ts';
import type { Message } from '@wardline/contract/chat.ts';

/** A page as the server takes and the contract allows it: the newest where no place is given. */
export interface PagePlace {
  readonly after?: number;
  readonly before?: number;
  readonly around?: number;
  readonly limit: number;
}
export interface MessagePage {
  readonly data: readonly Message[];
  readonly head_seq: number;
}

export const CATCH_UP_PAGE = 200;
/** Further behind than this, the newest page is shown and the hole before it is filled by scrolling back. */
export const FAR_BEHIND = 500;

export interface CatchUpDeps {
  readonly log: Log;
  readonly fetchPage: (place: PagePlace) => Promise<MessagePage>;
  /** Shows and keeps messages, with how far this device has got after them; null: not at all yet. */
  readonly apply: (messages: readonly Message[], cursor: number | null) => void;
  /** Asked when the newest page is fetched: a seq around which another page belongs on the screen, or null. */
  readonly placeToOpen: (head: number) => number | null;
  /** Called before the first page of a run: what must be known first. */
  readonly prepare: () => Promise<void>;
  readonly onDone: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Keeps one device's messages of a chat whole (CHAT-4). `cursor` is the seq up to which everything is here or in a hole that
 * is shown as one. Live messages are applied only as cursor + 1; all others wait while what lies between is fetched.
 */
export interface CatchUp {
  cursor(): number | null;
  /** What the device's copy knows. */
  begin(cursor: number | null): void;
  /** Fetches up to a head, or, when it is not known, whatever there is. */
  ask(head: number | null): void;
  live(message: Message): void;
  /** My own message, acknowledged: shown at once at its place, even before those that lie between. */
  acknowledged(message: Message): void;
  stop(): void;
}

export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const waiting = new Map<number, Message>();
  let cursor: number | null = null;
  let target = 0;
  let isAsked = false;
  let isRunning = false;
  /** A fetch failed; the next one is somebody else's decision (RTA-6). */
  let isFailed = false;
  let isStopped = false;

  const advance = (messages: readonly Message[], to: number): void => {
    cursor = Math.max(cursor ?? 0, to);
    deps.apply(messages, cursor);
  };

  /** Applies what waits and follows on; what waits beyond it says how far to fetch. */
  const drain = (): void => {
    if (cursor === null) return;
    let at = cursor;
    while (waiting.has(at + 1)) at += 1;
    const next = [...waiting.values()].filter((message) => message.seq <= at).sort((a, b) => a.seq - b.seq);
    for (const message of next) waiting.delete(message.seq);
    if (next.length > 0) advance(next, at);
    target = Math.max(target, at, ...waiting.keys());
  };

  const newestWaiting = (): number => Math.max(0, ...waiting.keys());

  const isBehind = (): boolean => isAsked || cursor === null || target > cursor;

  const step = async (): Promise<void> => {
    if (cursor === null || target - cursor > FAR_BEHIND) {
      await openNewest();
      return;
    }
    const from = cursor;
    const newestKnown = newestWaiting();
    const page = await deps.fetchPage({ after: from, limit: CATCH_UP_PAGE });
    if (isStopped) return;
    const last = page.data.at(-1)?.seq ?? from;
    target = Math.max(target, page.head_seq);
    advance(page.data, last);
    if (page.data.length > 0 && last > from) return;
    // Nothing lay beyond when it was asked. What was told since then is newer than that answer and worth asking again.
    target = newestWaiting() > newestKnown ? newestWaiting() : last;
    // Otherwise, whatever was announced, asking on at once would never end.
    if (target === last && waiting.size > 0 && !waiting.has(last + 1))
      throw new Error('The server did not return the missing messages.');
  };

  const openNewest = async (): Promise<void> => {
    const newest = await deps.fetchPage({ limit: CATCH_UP_PAGE });
    const place = deps.placeToOpen(newest.head_seq);
    const isThere = place === null || newest.data.some((message) => message.seq === place);
    const around = isThere ? [] : (await deps.fetchPage({ around: place, limit: CATCH_UP_PAGE })).data;
    if (isStopped) return;
    const last = newest.data.at(-1)?.seq ?? newest.head_seq;
    target = Math.max(target, last);
    advance([...around, ...newest.data], last);
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    isFailed = false;
    try {
      await deps.prepare();
      while (!isStopped && isBehind()) {
        isAsked = false;
        await step();
        if (isStopped) return;
        drain();
      }
      isRunning = false;
      if (!isStopped) deps.onDone();
    } catch (error) {
      isRunning = false;
      isFailed = true;
      isAsked = true;
      if (!isStopped) deps.onFailure(error);
    }
  };
  const start = (): void => {
    if (!isRunning && !isStopped && isBehind()) void run();
  };

  const live = (message: Message): void => {
    if (isStopped) return;
    if (cursor !== null && message.seq <= cursor) {
      deps.apply([message], cursor);
      return;
    }
    waiting.set(message.seq, message);
    if (isRunning) return;
    drain();
    if (cursor !== null && !isFailed) start();
  };

  return {
    cursor: () => cursor,
    begin(from) {
      cursor ??= from;
      drain();
    },
    ask(head) {
      if (head === null || cursor === null) isAsked = true;
      else target = Math.max(target, head);
      start();
    },
    live,
    acknowledged(message) {
      if (isStopped) return;
      deps.apply([message], cursor);
      live(message);
    },
    stop() {
      isStopped = true;
    },
  };
}
