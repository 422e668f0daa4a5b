import type { ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import type { GridKeys } from '#/table/use-grid-keys.ts';

export type GridTableProps = {
  grid: GridKeys;
  label: string;
  /** Its look: 'hm', 'mx' or 'cal'. */
  look: string;
  /** Whether a cell leads somewhere. */
  isOpening: boolean;
  children: ReactNode;
};

/** A table that is walked cell by cell. */
export function GridTable({ grid, label, look, isOpening, children }: GridTableProps) {
  return (
    <table
      ref={grid.ref}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: with keys of its own a table is a grid
      role="grid"
      aria-label={label}
      className={classNames(look, isOpening && 'is-open')}
      onKeyDown={grid.onKeyDown}
      onClick={grid.onClick}
    >
      {children}
    </table>
  );
}
