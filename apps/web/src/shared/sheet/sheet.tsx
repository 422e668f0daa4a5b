import type { ReactNode } from 'react';
import './sheet.css';

interface SheetProps {
  readonly facilityName: string;
  readonly title: string;
  readonly subtitle: string;
  readonly foot: ReactNode;
  /** Wider than high: for many columns. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A page of paper: whose it is, what it says, when and by whom it was made. Always dark on white. */
export function Sheet({ facilityName, title, subtitle, foot, isWide = false, children }: SheetProps) {
  return (
    <article className={isWide ? 'sheet is-wide' : 'sheet'} data-mode="light" aria-label={`${title}, ${subtitle}`}>
      <div className="sheet-frame">
        <header>
          <div className="sheet-head">
            <div>
              <p className="sheet-facility">{facilityName}</p>
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
