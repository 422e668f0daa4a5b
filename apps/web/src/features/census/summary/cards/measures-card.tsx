import { counted } from '@wardline/format/counts.ts';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import type { ReactNode } from 'react';
import { LeftOut } from '#/features/census/charts/left-out.tsx';
import { formatDecimal } from '#/features/census/core/format-figure.ts';
import { Fold } from '../summary-folds.tsx';
import type { MeasureRow } from './measure-row.ts';
import { type MeasureGroup, measureGroups, type Summed } from './measure-rows.ts';

/** What is looked at each day; the others open under it. */
const HEADLINES: ReadonlySet<string> = new Set([
  'inpatients',
  'service_days',
  'separations',
  'occupancy',
  'turnover_interval',
  'gross_death_rate',
  'churn',
]);

/** Every figure with its numerator and denominator, and how many of the reports are in it; newborns have a card apart. */
export function MeasuresCard({ summary, aside }: { summary: Summed; aside?: ReactNode }) {
  const groups = measureGroups(summary).filter((group) => group.of !== 'newborn');
  const isStayKnown = groups.some(({ rows }) => rows.some(({ key, value }) => key === 'alos' && value !== null));
  // Of one day the average is the day's own figure; a stay is estimated where it is not known.
  const also = [
    ...(summary.from === summary.to ? [] : ['average_daily_census']),
    isStayKnown ? 'alos' : 'alos_estimated',
  ];
  const isHeadline = ({ key }: MeasureRow) => HEADLINES.has(key) || also.includes(key);
  const more = rowsWhere(groups, (row) => !isHeadline(row));
  const count = more.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <Card className="sum-measures">
      <CardHead level={2} title="Measures" aside={aside} />
      <MeasuresTable summary={summary} groups={rowsWhere(groups, isHeadline)} />
      {count > 0 && (
        <div id="more-measures" tabIndex={-1}>
          <Fold id="more-measures" title={counted(count, 'more measure')}>
            <MeasuresTable summary={summary} groups={more} caption="More measures" />
          </Fold>
        </div>
      )}
    </Card>
  );
}

function rowsWhere(groups: readonly MeasureGroup[], isWanted: (row: MeasureRow) => boolean): MeasureGroup[] {
  return groups.map((group) => ({ ...group, rows: group.rows.filter(isWanted) })).filter(({ rows }) => rows.length > 0);
}

/** Whether somebody reports newborns. */
export function hasNewborn(summary: Pick<Summed, 'total'> | undefined): boolean {
  return summary !== undefined && summary.total.newborn.units_expected > 0;
}

/** The figures of newborns, where some are reported. */
export function NewbornCard({ summary }: { summary: Summed }) {
  if (!hasNewborn(summary)) return null;
  const groups = measureGroups(summary).filter((group) => group.of === 'newborn');
  return (
    <Card>
      <CardHead level={2} title="Newborn" />
      <MeasuresTable summary={summary} groups={groups} caption="Measures of newborns" />
    </Card>
  );
}

interface MeasuresTableProps {
  readonly summary: Summed;
  /** All of them by default. */
  readonly groups?: readonly MeasureGroup[];
  readonly caption?: string;
}

/** The figures as a table, on the page and on paper. */
export function MeasuresTable({ summary, groups = measureGroups(summary), caption = 'Measures' }: MeasuresTableProps) {
  return (
    <div className="sum-figures-box">
      <table className="table sum-figures">
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col" className="n">
              Value
            </th>
            <th scope="col" className="sum-unit">
              <span className="sr">Unit</span>
            </th>
            <th scope="col" className="sum-from-wide">
              From
            </th>
            <th scope="col" className="n">
              {summary.from === summary.to ? 'Units' : 'Reports'}
            </th>
          </tr>
        </thead>
        {groups.map(({ title, rows }) => (
          <tbody key={title}>
            {groups.length > 1 && (
              <tr>
                <th scope="rowgroup" colSpan={5} className="sum-group">
                  {title}
                </th>
              </tr>
            )}
            {rows.map((row) => (
              <FigureRow key={row.key} row={row} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function FigureRow({ row }: { row: MeasureRow }) {
  return (
    <tr>
      <th scope="row">
        {row.label}
        <span className="t12 muted num sum-from-under">{row.from}</span>
      </th>
      <td className="n semi sum-value">{formatDecimal(row.value)}</td>
      <td className="muted t12 sum-unit">{row.value === null ? '' : row.unit}</td>
      <td className="muted num sum-from-wide">{row.from}</td>
      <td className="n t12">
        <LeftOut reported={row.reported} expected={row.expected} />
        {row.of !== undefined && <span className="sum-of muted">{row.of}</span>}
      </td>
    </tr>
  );
}
