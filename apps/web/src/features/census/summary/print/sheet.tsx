import type { Facility } from '@wardline/contract/facilities.ts';
import type { ReactNode } from 'react';
import type { Period } from '#/features/census/core/period.ts';

/** What a sheet carries besides its figures. */
export interface SheetContext {
  readonly facility: Facility;
  readonly period: Period;
  /** Who prints. */
  readonly by: string;
  readonly at: Date;
}

interface SheetProps {
  readonly title: string;
  readonly subtitle: string;
  readonly context: SheetContext;
  readonly foot: ReactNode;
  /** Wider than high: for many columns. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A page of paper: whose it is, what it says, when and by whom it was made. Always dark on white. */
export function Sheet({ title, subtitle, context, foot, isWide = false, children }: SheetProps) {
  return (
    <article className={isWide ? 'sheet is-wide' : 'sheet'} data-mode="light" aria-label={`${title}, ${subtitle}`}>
      <div className="sheet-frame">
        <header>
          <div className="sheet-head">
            <div>
              <p className="sheet-facility">{context.facility.name}</p>
              <h2>{title}</h2>
            </div>
            <p className="sheet-when num">{subtitle}</p>
          </div>
        </header>
        <div className="sheet-body">
          <div className="sheet-parts">{children}</div>
        </div>
        <footer>
          <div className="sheet-foot num">{foot}</div>
        </footer>
      </div>
    </article>
  );
}

/** A line to sign on. */
export function Signatures({ names }: { names: readonly string[] }) {
  return (
    <div className="sheet-signs">
      {names.map((name) => (
        <div key={name} className="sheet-sign">
          {name}
          <span>Name, signature, date and time</span>
        </div>
      ))}
    </div>
  );
}
