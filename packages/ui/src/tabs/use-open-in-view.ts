import { type RefObject, useEffect } from 'react';

/** Beside what is brought into view, so that one sees that the row goes on. */
const EDGE_PX = 24;

/** Brings the open one of a row that scrolls sideways into view, and moves nothing else; again when another opens. */
export function useOpenInView(row: RefObject<HTMLElement | null>, open: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is open is read from the page
  useEffect(() => {
    const list = row.current;
    const item = list?.querySelector('[aria-current], [aria-selected="true"], [aria-pressed="true"]');
    if (!list || !item) return;
    const [box, place] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (place.left < box.left) list.scrollLeft -= box.left - place.left + EDGE_PX;
    else if (place.right > box.right) list.scrollLeft += place.right - box.right + EDGE_PX;
  }, [row, open]);
}
