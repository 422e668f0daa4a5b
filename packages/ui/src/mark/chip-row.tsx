import { type ReactNode, useEffect, useRef } from 'react';

export type ChipRowProps = {
  /** Names the group for a screen reader. */
  label: string;
  /** Each one a `Chip`, or what opens a menu from one. */
  children: ReactNode;
};

/** Filters in one row, which a phone scrolls sideways: what is on is brought into view, as it opens and when it changes. */
export function ChipRow({ label, children }: ChipRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const shown = useRef('');
  useEffect(() => {
    const pressed = [...(row.current?.querySelectorAll('[aria-pressed="true"]') ?? [])];
    const on = pressed.map(({ textContent }) => textContent).join();
    const chip = pressed.at(-1);
    // Who scrolls on after that is not taken back.
    if (row.current && chip && on !== shown.current) bringIntoView(row.current, chip);
    shown.current = on;
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw and announce a form that is none
    <div className="chips one-line" role="group" aria-label={label} ref={row}>
      {children}
    </div>
  );
}

/** Sideways alone: `scrollIntoView` would take the page along. */
function bringIntoView(row: HTMLElement, chip: Element): void {
  const [box, place] = [row.getBoundingClientRect(), chip.getBoundingClientRect()];
  if (place.right > box.right) row.scrollLeft += place.right - box.right;
  else if (place.left < box.left) row.scrollLeft -= box.left - place.left;
}
