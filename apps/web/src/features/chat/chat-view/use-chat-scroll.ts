import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { anchorToMessages } from './anchor-to-messages.ts';
import { isMessageKey, type TimelineRow } from './group-rows.ts';

const nearEndPx = 80;

export interface ChatScroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLLIElement>;
  readonly isAtEnd: boolean;
  /** Messages of others under what was ever in view. */
  readonly below: number;
  toNewest(): void;
}

/**
 * Where one is in a thread. It opens at the 'New' divider, else at the end; it follows what is appended while one is
 * at the end, and stays on the same message when older ones are put before it.
 */
export function useChatScroll(rows: readonly TimelineRow[]): ChatScroll {
  const box = useRef<HTMLDivElement>(null);
  const placed = useRef<'nowhere' | 'end' | 'divider'>('nowhere');
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [seenSeq, setSeenSeq] = useState(0);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => estimate(rows[index]),
    overscan: 10,
    paddingStart: 12,
    paddingEnd: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEndPx,
    onChange: (instance) => {
      if (placed.current === 'nowhere') return;
      setIsAtEnd(instance.isAtEnd(nearEndPx));
      const last = rows[instance.range?.endIndex ?? -1];
      if (last?.kind === 'message') setSeenSeq((seen) => Math.max(seen, last.message.seq));
    },
  });

  useLayoutEffect(() => anchorToMessages(virtualizer, isMessageKey), [virtualizer]);

  useLayoutEffect(() => {
    if (placed.current === 'divider' || rows.length === 0) return;
    const divider = rows.findIndex((row) => row.kind === 'new');
    // The divider may come after the first rows: what the device keeps is shown before the server has said what is new.
    if (divider >= 0) {
      placed.current = 'divider';
      virtualizer.scrollToIndex(divider, { align: 'start' });
    } else if (placed.current === 'nowhere') {
      placed.current = 'end';
      virtualizer.scrollToEnd();
    }
  }, [rows, virtualizer]);

  const toNewest = useCallback(() => virtualizer.scrollToEnd(), [virtualizer]);
  const below = isAtEnd
    ? 0
    : rows.filter((row) => row.kind === 'message' && !row.isOwn && row.message.seq > seenSeq).length;
  return { box, virtualizer, isAtEnd, below, toNewest };
}

/** A first guess of a row's height; the real one is measured as soon as the row is drawn. */
function estimate(row: TimelineRow | undefined): number {
  if (row?.kind === 'message') return (row.isHead ? 50 : 30) + Math.floor(row.message.body.length / 80) * 20;
  if (row?.kind === 'pending') return 70;
  return row?.kind === 'note' && row.message.act ? 72 : 32;
}
