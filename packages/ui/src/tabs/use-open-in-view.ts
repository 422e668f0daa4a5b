import { type RefObject, useEffect, useRef } from 'react';

const OPEN = '[aria-current], [aria-selected="true"], [aria-pressed="true"]';
/** Beside what is brought into view, so that one sees that the row goes on. */
const EDGE_PX = 24;

/** Brings what is open or on in a row that scrolls sideways into view, as it is drawn and when that changes; who scrolls on is not taken back. */
export function useOpenInView(row: RefObject<HTMLElement | null>): void {
  const shown = useRef('');
  useEffect(() => {
    const list = row.current;
    const open = [...(list?.querySelectorAll(OPEN) ?? [])];
    const names = open.map(({ textContent }) => textContent).join();
    const last = open.at(-1);
    if (list && last && names !== shown.current) bringIntoView(list, last);
    shown.current = names;
  });
}

/** Sideways alone: `scrollIntoView` would take the page along. */
function bringIntoView(row: HTMLElement, item: Element): void {
  const [box, place] = [row.getBoundingClientRect(), item.getBoundingClientRect()];
  if (place.right > box.right) row.scrollLeft += place.right - box.right + EDGE_PX;
  else if (place.left < box.left) row.scrollLeft -= box.left - place.left + EDGE_PX;
}
