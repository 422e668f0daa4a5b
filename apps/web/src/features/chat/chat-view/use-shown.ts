import { useEffect, useEffectEvent, useState } from 'react';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import type { TimelineRow } from './group-rows.ts';
import type { ChatScroll } from './use-chat-scroll.ts';

/** The message that the address of a chat names, and the visit that brought it: a link is followed once in each. */
export interface LinkedMessage {
  readonly seq: number;
  readonly visit: string;
}

// Long enough to be found by eye after the page has stood still.
const markMs = 5000;
// Who comes back to a chat finds it where they left it; only a reload leads to the message again.
const followed = new Set<string>();

interface Shown {
  /** Where somebody was led to, for a moment. */
  readonly seq: number | null;
  readonly show: (seq: number) => void;
}

/** Leads to a message: it is fetched where it is not here, brought into the middle, and marked. */
export function useShown(
  chatView: ChatView,
  scroll: ChatScroll,
  rows: readonly TimelineRow[],
  linked: LinkedMessage | null,
): Shown {
  const [wanted, setWanted] = useState<{ readonly seq: number; readonly isThere: boolean } | null>(null);
  const { toMessage } = scroll;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish, as soon as its row is there
  useEffect(() => {
    if (wanted && !wanted.isThere && toMessage(wanted.seq)) setWanted({ ...wanted, isThere: true });
  }, [wanted, rows]);
  useEffect(() => {
    if (!wanted?.isThere) return;
    const timer = setTimeout(setWanted, markMs, null);
    return () => clearTimeout(timer);
  }, [wanted]);
  const show = (seq: number): void => {
    setWanted({ seq, isThere: false });
    chatView.show(seq).catch((error) => {
      setWanted(null);
      void import('./say-failed.ts').then(({ sayNotShown }) => sayNotShown(error));
    });
  };
  const isReady = chatView.status === 'ready';
  const follow = useEffectEvent(() => {
    if (!linked || followed.has(linked.visit)) return;
    followed.add(linked.visit);
    show(linked.seq);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each visit, as soon as there are messages
  useEffect(() => {
    if (isReady) follow();
  }, [isReady, linked?.visit]);
  return { seq: wanted?.isThere ? wanted.seq : null, show };
}
