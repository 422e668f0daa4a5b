import { observeElementRect, type Rect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { DraftStore } from '#/features/chat/drafts/draft-store.ts';
import { anchorToMessages } from './anchor-to-messages.ts';
import { isMessageKey, type TimelineRow } from './group-rows.ts';
import { isOutdated, type KeptPlace, keepPlace, readPlace } from './kept-place.ts';

const nearEndPx = 80;

export interface ChatScroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly virtualizer: RowList;
  readonly isAtEnd: boolean;
  /** Messages of others under what was ever in view. */
  readonly below: number;
  toNewest(): void;
  /** Brings the message into the middle; false where it is not held. */
  toMessage(seq: number): boolean;
}

type RowList = Virtualizer<HTMLDivElement, HTMLLIElement>;

/**
 * Where one is in a chat. It opens where this tab left it, else at the 'New' divider, else at the end; it follows what
 * is appended while one is at the end, and stays on the same message when older ones are put before it.
 */
export function useChatScroll(rows: readonly TimelineRow[], chatId: string, kept: DraftStore): ChatScroll {
  const box = useRef<HTMLDivElement>(null);
  const placed = useRef<'nowhere' | 'end' | 'for good'>('nowhere');
  const [place] = useState(() => readPlace(kept, chatId));
  const opening = useMemo(() => openingIn(rows, place), [rows, place]);
  const atEnd = useRef(true);
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
    scrollPaddingStart: opening?.gapPx ?? 0,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEndPx,
    observeElementRect: (instance, onRect) => observeElementRect(instance, keepEnd(instance, atEnd, onRect)),
    onChange: (instance) => {
      if (placed.current === 'nowhere') return;
      atEnd.current = instance.isAtEnd(nearEndPx);
      setIsAtEnd(atEnd.current);
      const last = rows[instance.range?.endIndex ?? -1];
      if (last?.kind === 'message') setSeenSeq((seen) => Math.max(seen, last.message.seq));
    },
  });

  const isEndShown = useEndInView(virtualizer);

  useLayoutEffect(() => anchorToMessages(virtualizer, isMessageKey), [virtualizer]);

  useLayoutEffect(() => {
    if (placed.current === 'for good' || rows.length === 0) return;
    // What is wanted may come after the first rows: what the device keeps is shown before the server has said what is new.
    if (opening !== null) {
      placed.current = 'for good';
      isEndShown.current = false;
      virtualizer.scrollToIndex(opening.index, { align: 'start' });
    } else if (placed.current === 'nowhere') {
      placed.current = 'end';
      isEndShown.current = true;
      virtualizer.scrollToEnd();
    }
  }, [rows, virtualizer, opening, isEndShown]);

  const onScroll = useEffectEvent(({ scrollTop, scrollHeight, clientHeight }: HTMLElement) => {
    isEndShown.current = scrollTop + clientHeight >= scrollHeight - 1;
    keepPlace(kept, chatId, virtualizer.isAtEnd(nearEndPx) ? null : placeAt(scrollTop, virtualizer, rows));
  });
  const hasRows = rows.length > 0;
  useEffect(() => {
    const scrolled = hasRows ? box.current : null;
    const listener = () => scrolled && onScroll(scrolled);
    scrolled?.addEventListener('scroll', listener, { passive: true });
    return () => scrolled?.removeEventListener('scroll', listener);
  }, [hasRows]);

  const toNewest = useCallback(() => virtualizer.scrollToEnd(), [virtualizer]);
  const below = isAtEnd
    ? 0
    : rows.filter((row) => row.kind === 'message' && !row.isOwn && row.message.seq > seenSeq).length;
  const toMessage = (seq: number): boolean => {
    const index = rows.findIndex((row) => seqOf(row) === seq);
    if (index < 0) return false;
    placed.current = 'for good';
    isEndShown.current = false;
    virtualizer.scrollToIndex(index, { align: 'center' });
    return true;
  };
  return { box, virtualizer, isAtEnd, below, toNewest, toMessage };
}

/**
 * Whether nothing was below when somebody last scrolled. A part of the last row may come later: once the list is as high as that,
 * the end of it is brought into view again.
 */
function useEndInView(virtualizer: RowList): RefObject<boolean> {
  const isEndShown = useRef(false);
  const height = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is further down where the rows are higher
  useLayoutEffect(() => {
    if (isEndShown.current) virtualizer.scrollToEnd();
  }, [height, virtualizer]);
  return isEndShown;
}

/** The row that belongs at the upper edge when the chat opens, and how far under it; null: the chat opens at its end. */
function openingIn(rows: readonly TimelineRow[], place: KeptPlace | null): { index: number; gapPx: number } | null {
  const divider = rows.findIndex((row) => row.kind === 'new');
  const left = place === null ? -1 : rows.findIndex((row) => seqOf(row) === place.seq);
  const isLeftBehind = divider >= 0 && place !== null && isOutdated(place, Date.now());
  if (place !== null && left >= 0 && !isLeftBehind) return { index: left, gapPx: place.gapPx };
  return divider < 0 ? null : { index: divider, gapPx: 0 };
}

/** A box that gets lower, over a keyboard or a growing composer, still shows the end where it showed it before. */
function keepEnd(instance: RowList, atEnd: RefObject<boolean>, onRect: (rect: Rect) => void) {
  return (rect: Rect) => {
    const stays = atEnd.current;
    onRect(rect);
    if (!stays || instance.options.count === 0) return;
    atEnd.current = true;
    instance.scrollToEnd();
  };
}

/** The first message in view, and how far under the upper edge it begins. */
function placeAt(top: number, instance: RowList, rows: readonly TimelineRow[]): KeptPlace | null {
  const first = instance.getVirtualItemForOffset(top);
  const row = first && rows[first.index];
  const seq = row && seqOf(row);
  return first && seq ? { seq, gapPx: Math.round(first.start - top), keptAt: Date.now() } : null;
}

function seqOf(row: TimelineRow): number | null {
  return row.kind === 'message' || row.kind === 'note' ? row.message.seq : null;
}

/** A first guess of a row's height; the real one is measured as soon as the row is drawn. */
function estimate(row: TimelineRow | undefined): number {
  if (row?.kind === 'message') {
    const { body, attachments } = row.message;
    return (row.isHead ? 50 : 30) + Math.floor(body.length / 80) * 20 + (attachments?.length ? 240 : 0);
  }
  if (row?.kind === 'pending') return 70;
  return row?.kind === 'note' && row.message.act ? 72 : 32;
}
