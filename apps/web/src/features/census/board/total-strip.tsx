import type { BoardUnit } from '@wardline/contract/census-facility.ts';
import type { ReactNode } from 'react';
import { counted, countWords, decimalWords } from '../summary/figure-words.ts';
import { totalsOf } from './board-figures.ts';

/** The facility in one line: who is in, which beds are taken, which are free. */
export function TotalStrip({ units }: { units: readonly BoardUnit[] }) {
  const totals = totalsOf(units);
  const share = totals.percent === null ? '' : `, ${decimalWords(totals.percent)} %`;
  return (
    <section className="card bd-total" aria-label="Facility total">
      <Figure name="In census" value={totals.inCensus} isMain>
        {totals.unitsIn} of {counted(totals.units, 'unit')} in
      </Figure>
      <Figure name="Staffed beds occupied" value={totals.occupied}>
        of {countWords(totals.staffed)}
        {share}
      </Figure>
      <Figure name="Free, staffed" value={totals.free} />
      <Figure name="Blocked" value={totals.blocked} />
      {totals.newborn && (
        <Figure name="Newborn" value={totals.newborn.present}>
          of {countWords(totals.newborn.bassinets)}
        </Figure>
      )}
      {totals.boarders !== null && (
        <Figure name="Boarders" value={totals.boarders}>
          in no unit bed
        </Figure>
      )}
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number;
  readonly isMain?: boolean;
  readonly children?: ReactNode;
}

function Figure({ name, value, isMain = false, children }: FigureProps) {
  return (
    <div className="bd-figure">
      <span className="t13 muted">{name}</span>{' '}
      <span className="row base wrap">
        <b className={`num ${isMain ? 't30' : 't24'}`}>{countWords(value)}</b>{' '}
        {children !== undefined && <span className="t13 muted num">{children}</span>}
      </span>
    </div>
  );
}
