import { addSums } from '@wardline/census/measures.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import { sumKnown } from '@wardline/census/sum-known.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Check, Clock, Eye, Hourglass, type LucideIcon, OctagonAlert } from 'lucide-react';
import { useId } from 'react';
import { withEstimates } from '#/features/census/core/estimate-labels.ts';
import { counted, formatCount, formatPercent } from '#/features/census/core/format-figure.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { EstimateNote } from '#/features/census/estimates/estimate-note.tsx';
import { formatCompleteness, type ReportTone, reportState, unitNames, unitsOut } from './day-labels.ts';

const GLYPHS: Readonly<Record<ReportTone, LucideIcon>> = {
  done: Check,
  'to-do': Eye,
  late: Clock,
  missing: OctagonAlert,
  waiting: Hourglass,
};

interface DayCompletenessProps {
  readonly day: FacilityDay;
  /** Shows one report. */
  readonly onOpen: (unit: UnitOfDay) => void;
}

/** First of all: whose reports the figures are made of. */
export function DayCompleteness({ day, onOpen }: DayCompletenessProps) {
  const nameOf = namesOf(day.units);
  const out = unitsOut(day);
  const headId = useId();
  return (
    <Card className="sum-complete">
      <section aria-labelledby={headId} className="stack stack-3">
        <div>
          <h2 id={headId} className="t20">
            {formatCompleteness(day)}
          </h2>
          <p className="muted t13">
            {out.length > 0 && (
              <>
                Every figure below leaves {unitNames(out)} out and is marked{' '}
                <i className="hatch left-out-hatch" role="img" aria-label="with a hatch" />.{' '}
              </>
            )}
            <Shares reported={day.units_submitted} onTime={day.units_on_time} expected={day.units_expected} />
          </p>
        </div>
        <DayEstimates day={day} />
        <ul className="sum-strip num" aria-label="Reports">
          {day.units.map((unit) => {
            const { tone, word } = reportState(unit, day);
            return (
              <li key={reportKey(unit)}>
                <button type="button" className={`sum-cell is-${tone}`} onClick={() => onOpen(unit)}>
                  <span className="row row-1 sum-cell-name">
                    <Icon of={GLYPHS[tone]} size="sm" />
                    {nameOf(unit)}
                  </span>
                  <span className="sum-cell-word">
                    {word}
                    {unit.estimate && `, estimate ${formatCount(unit.estimate.census)}`}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </section>
    </Card>
  );
}

/** What is estimated, unit by unit, and what the facility's figure would be with it. */
function DayEstimates({ day: { units } }: Pick<DayCompletenessProps, 'day'>) {
  const text = withEstimates(units);
  if (text === null) return null;
  const nameOf = namesOf(units);
  return (
    <div className="stack stack-1">
      <p className="num">
        In census <b>{formatCount(sumKnown(units.map(({ present }) => present)))}</b>, {text}
      </p>
      <ul aria-label="Estimates">
        {units.map((unit) => {
          const { estimate } = unit;
          return (
            estimate && (
              <li key={reportKey(unit)} className="row base">
                <span className="t12 strong">{nameOf(unit)}</span>
                <EstimateNote estimate={estimate} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** The same for a longer period: by unit, how many of its days are in. */
export function PeriodCompleteness({ summary }: { summary: CensusSummary }) {
  const headId = useId();
  const nameOf = namesOf(summary.units);
  const { adult_and_child, newborn } = summary.total;
  const all = addSums([adult_and_child, newborn], adult_and_child.days);
  const missing = all.units_expected - all.units_reported;
  const late = all.units_reported - all.units_on_time;
  return (
    <Card className="sum-complete">
      <section aria-labelledby={headId} className="stack stack-3">
        <div>
          <h2 id={headId} className="t20">
            {formatCount(all.units_reported)} of {counted(all.units_expected, 'report')} in
            {late > 0 && `; ${formatCount(late)} late`}
            {missing > 0 && `; ${formatCount(missing)} missing`}
          </h2>
          <p className="muted t13">
            {missing > 0 && (
              <>
                A figure that leaves reports out is marked{' '}
                <i className="hatch left-out-hatch" role="img" aria-label="with a hatch" />.{' '}
              </>
            )}
            <Shares reported={all.units_reported} onTime={all.units_on_time} expected={all.units_expected} />
          </p>
        </div>
        <ul className="sum-strip num" aria-label="Reports">
          {summary.units.map((unit) => {
            const { units_reported, units_expected } = unit.sums;
            const isWhole = units_reported >= units_expected;
            return (
              <li key={reportKey(unit)} className={isWhole ? 'sum-cell is-done' : 'sum-cell is-missing'}>
                <span className="row row-1 sum-cell-name">
                  <Icon of={isWhole ? Check : OctagonAlert} size="sm" />
                  {nameOf(unit)}
                </span>
                <span className="sum-cell-word">
                  {formatCount(units_reported)} of {counted(units_expected, 'day')}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
    </Card>
  );
}

interface SharesProps {
  readonly reported: number;
  readonly onTime: number;
  readonly expected: number;
}

function Shares({ reported, onTime, expected }: SharesProps) {
  const share = (count: number) => formatPercent(exactRatio(count, expected, { factor: 100 }));
  return (
    <span className="num">
      Reports in {share(reported)}, on time {share(onTime)}.
    </span>
  );
}
