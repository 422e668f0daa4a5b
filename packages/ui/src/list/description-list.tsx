import type { ReactNode } from 'react';
import { classNames } from '#/class-names.ts';

export type DescriptionListProps = {
  items: ReadonlyArray<{ term: string; description: ReactNode }>;
  /** The description under its term, for a narrow place. */
  isStacked?: boolean | undefined;
};

/** Options about one thing: what it is called, what it is. */
export function DescriptionList({ items, isStacked = false }: DescriptionListProps) {
  return (
    <dl className={classNames('facts', isStacked && 'is-stacked')}>
      {items.map(({ term, description }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  );
}
