import { type ReactNode, useRef } from 'react';
import { useOpenInView } from '#/tabs/use-open-in-view.ts';

export type ChipRowProps = {
  /** Names the group for a screen reader. */
  label: string;
  /** Each one a `Chip`, or what opens a menu from one. */
  children: ReactNode;
};

/** Filters in one row, which a phone scrolls sideways to what is on. */
export function ChipRow({ label, children }: ChipRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useOpenInView(row);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw and announce a form that is none
    <div className="chips one-line" role="group" aria-label={label} ref={row}>
      {children}
    </div>
  );
}
