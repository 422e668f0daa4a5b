import type { Call } from '@wardline/client/http/call.ts';
import { createRetryTimer } from '@wardline/client/retry-timer.ts';
import { sync as endpoint } from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';

export type SyncPage = ReplyOf<typeof endpoint>;
export const SYNC_DEBOUNCE_MS = 300;

interface SyncDeps {
  readonly call: Call;
  readonly cursor: () => string | null;
  /** Shows and keeps a page together with its cursor. */
  readonly apply: (page: SyncPage) => void;
  readonly onDone: () => void;
  readonly onFailure: (error: unknown) => void;
  readonly random?: () => number;
}

/** Asks what changed since the cursor until there is no more; one run at a time, again when asked during one. */
export interface ChatSync {
  now(): void;
  /** Soon: many reasons in a row make one run. */
  soon(): void;
  stop(): void;
}

export function createChatSync({ call, cursor, apply, onDone, onFailure, random }: SyncDeps): ChatSync {
  const stopped = new AbortController();
  const retryTimer = createRetryTimer(() => now(), random);
  let debounce: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isWanted = false;

  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      let hasMore = true;
      while (hasMore) {
        const from = cursor();
        const page = await call(endpoint, { query: from === null ? {} : { cursor: from }, signal: stopped.signal });
        if (stopped.signal.aborted) return;
        apply(page);
        hasMore = page.has_more;
      }
    }
    retryTimer.succeed();
    onDone();
  };
  const now = (): void => {
    clearTimeout(debounce);
    debounce = undefined;
    isWanted = true;
    if (isRunning || stopped.signal.aborted) return;
    retryTimer.cancel();
    isRunning = true;
    run()
      .catch((error) => {
        if (stopped.signal.aborted) return;
        retryTimer.plan();
        onFailure(error);
      })
      .finally(() => {
        isRunning = false;
      });
  };
  return {
    now,
    soon() {
      debounce ??= setTimeout(now, SYNC_DEBOUNCE_MS);
    },
    stop() {
      stopped.abort();
      clearTimeout(debounce);
      retryTimer.cancel();
    },
  };
}
