import { isTemporary } from '@wardline/client/http/api-error.ts';
import type { Message } from '@wardline/contract/chat.ts';
import type { MessagePage, PagePlace } from './catch-up.ts';
import { gaps } from './merge-messages.ts';

export const HISTORY_PAGE = 100;
const GAP_PAGE = 200;

interface HistoryDeps {
  readonly held: () => readonly Message[];
  readonly fetchPage: (place: PagePlace) => Promise<MessagePage>;
  /** Older messages that the device holds but does not show yet. */
  readonly olderHere: (before: number, limit: number) => Promise<readonly Message[]>;
  readonly apply: (messages: readonly Message[], isFromServer: boolean) => void;
  readonly firstUnreadSeq: () => number | null;
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Scrolling back: older messages and the holes between held ones. */
export interface ThreadHistory {
  isLoadingOlder(): boolean;
  hasOlder(): boolean;
  loadOlder(): void;
  fillGap(beforeSeq: number): void;
}

export function createThreadHistory(deps: HistoryDeps): ThreadHistory {
  const filling = new Set<number>();
  let isLoadingOlder = false;
  /** Nothing lies before this seq for me, though it is not the first of the chat. */
  let floor = 1;

  const older = async (first: number): Promise<void> => {
    const here = await deps.olderHere(first, HISTORY_PAGE);
    if (here.at(-1)?.seq === first - 1) {
      deps.apply(here, false);
      return;
    }
    try {
      const page = await deps.fetchPage({ before: first, limit: HISTORY_PAGE });
      if (page.data.length === 0) floor = first;
      deps.apply(page.data, true);
    } catch (error) {
      // Without a network what the device holds is shown, with the hole before it.
      if (here.length === 0 || !isTemporary(error)) throw error;
      deps.apply(here, false);
    }
  };
  return {
    isLoadingOlder: () => isLoadingOlder,
    hasOlder: () => (deps.held()[0]?.seq ?? 1) > floor,
    loadOlder() {
      const first = deps.held()[0]?.seq;
      if (isLoadingOlder || first === undefined || first <= floor) return;
      isLoadingOlder = true;
      deps.onChange();
      older(first)
        .catch(deps.onFailure)
        .finally(() => {
          isLoadingOlder = false;
          deps.onChange();
        });
    },
    fillGap(beforeSeq) {
      const gap = gaps(deps.held()).find((hole) => hole.beforeSeq === beforeSeq);
      if (gap === undefined || filling.has(beforeSeq)) return;
      filling.add(beforeSeq);
      // Whoever reads on from the first unread message comes from above; whoever scrolls back comes from below.
      const unread = deps.firstUnreadSeq();
      const isFromAbove = unread !== null && unread <= gap.afterSeq;
      deps
        .fetchPage(isFromAbove ? { after: gap.afterSeq, limit: GAP_PAGE } : { before: beforeSeq, limit: GAP_PAGE })
        .then((page) => deps.apply(page.data, true))
        .catch(deps.onFailure)
        .finally(() => {
          filling.delete(beforeSeq);
          deps.onChange();
        });
    },
  };
}
