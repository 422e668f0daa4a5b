import { classNames } from '@wardline/ui/class-names.ts';
import type { ReactNode } from 'react';
import type { Board } from '#/features/census/core/ask-board.ts';
import { withEstimates } from '#/features/census/core/estimate-labels.ts';
import { counted, formatCount, formatPercent } from '#/features/census/core/format-figure.ts';
import { shortDay } from '#/features/census/core/period/period.ts';
import { countedWhen } from '#/features/census/core/report-labels.ts';
import { totalsOf } from './board-figures.ts';

/** The facility in one line: who is in, which beds are taken, which are free. */
export function TotalStrip({ board, asOf }: { board: Board; asOf: string | null }) {
  const { units } = board;
  const totals = totalsOf(units);
  const also = withEstimates(units.map(({ occupied: present, estimate }) => ({ present, estimate })));
  const share = totals.percent === null ? '' : `, ${formatPercent(totals.percent)}`;
  return (
    <section className={classNames('card bd-total', asOf !== null && 'bd-old')} aria-label="Facility total">
      <Figure asOf={asOf} name="In census" value={totals.inCensus} isMain>
        {totals.unitsIn} of {counted(totals.units, 'unit')} in, {countedWhen(board, shortDay(board.census_date))}
        {totals.seenSince > 0 && `, ${counted(totals.seenSince, 'unit')} seen since`}
        {also !== null && `, ${also}`}
      </Figure>
      <Figure asOf={asOf} name="Staffed beds occupied" value={totals.occupied}>
        {totals.occupied !== null && `of ${formatCount(totals.staffed)}${share}`}
      </Figure>
      <Figure asOf={asOf} name="Free, staffed" value={totals.free} />
      <Figure asOf={asOf} name="Blocked" value={totals.blocked} />
      {totals.newborn && (
        <Figure asOf={asOf} name="Newborn" value={totals.newborn.present}>
          {totals.newborn.present !== null && `of ${formatCount(totals.newborn.bassinets)}`}
        </Figure>
      )}
      {totals.boarders !== null && (
        <Figure asOf={asOf} name="Boarders" value={totals.boarders.present}>
          without a unit bed
        </Figure>
      )}
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number | null;
  /** Since when it may be otherwise; null for a figure of now. */
  readonly asOf: string | null;
  readonly isMain?: boolean;
  readonly children?: ReactNode;
}

function Figure({ name, value, asOf, isMain = false, children }: FigureProps) {
  return (
    <div className="bd-figure">
      <span className="t13 muted">{name}</span>{' '}
      <span className="row base wrap">
        <b className={`num ${isMain ? 't30' : 't24'}`}>{formatCount(value)}</b>{' '}
        {children !== undefined && <span className="t13 muted num">{children}</span>}
      </span>
      {asOf !== null && <span className="bd-as-of">{asOf}</span>}
    </div>
  );
}
