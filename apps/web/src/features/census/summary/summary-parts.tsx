import type { ReactNode } from 'react';
import { Fold } from './summary-folds.tsx';

interface PartLink {
  readonly id: string;
  /** As the link to it is called. */
  readonly label: string;
}

interface Part extends PartLink {
  /** Something within it that has a link of its own. */
  readonly also?: PartLink;
  /** Stands open always, without a line to close it by. */
  readonly isFixed?: boolean;
  readonly content: ReactNode;
}

/** The parts of a long page, which open and close; on a phone with a line of links to them. */
export function Resources({ parts }: { parts: readonly (Part | false)[] }) {
  const shown = parts.filter((part) => part !== false);
  const links = shown.flatMap(({ also, ...part }) => (also ? [part, also] : [part]));
  return (
    <>
      <nav className="sum-jumps only-phone" aria-label="On this page">
        {links.map(({ id, label }) => (
          <a key={id} href={`#${id}`}>
            {label}
          </a>
        ))}
      </nav>
      {shown.map(({ id, label, isFixed = false, content }) => (
        <div key={id} id={id} tabIndex={-1} className={isFixed ? 'sum-part' : 'sum-part is-folding'}>
          {isFixed ? (
            content
          ) : (
            <Fold id={id} title={label}>
              {content}
            </Fold>
          )}
        </div>
      ))}
    </>
  );
}
