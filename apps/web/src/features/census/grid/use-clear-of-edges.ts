import { type FocusEvent, type RefObject, useLayoutEffect } from 'react';

/**
 * Keeps the focused cell out from under the head and the columns that stand while the rest scrolls. What they cover is
 * measured: a unit's name and the words of a row make them as wide as they are.
 */
export function useClearOfEdges(ref: RefObject<HTMLTableElement | null>): (event: FocusEvent) => void {
  useLayoutEffect(() => {
    const table = ref.current;
    const head = table?.rows[0];
    if (!table || !head) return;
    const [first, last] = [head.cells[0], head.cells[head.cells.length - 1]];
    const observer = new ResizeObserver(() => {
      const end = last && getComputedStyle(last).position === 'sticky' ? last.offsetWidth : 0;
      const box = table.parentElement;
      if (box) box.style.scrollPadding = `${head.offsetHeight}px ${end}px 0 ${first?.offsetWidth ?? 0}px`;
      const focused = document.activeElement;
      if (focused && table.contains(focused)) bringIntoView(focused);
    });
    for (const edge of [first, last]) if (edge) observer.observe(edge);
    return () => observer.disconnect();
  }, [ref]);
  return ({ target }) => bringIntoView(target);
}

function bringIntoView(target: Element): void {
  // Not of a press: the cell would move away under the second one of a double click.
  if (!target.matches(':focus-visible')) return;
  target.closest('[data-cell]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
