import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import type { ReactNode } from 'react';
import { LeftOut } from '#/features/census/charts/left-out.tsx';
import { formatDecimal } from '#/features/census/core/format-figure.ts';
import type { MeasureRow } from './measure-row.ts';
import { type MeasureGroup, measureGroups, type Summed } from './measure-rows.ts';

/** Every figure with its numerator and denominator, and how many of the reports are in it; newborns have a card apart. */
export function MeasuresCard({ summary, aside }: { summary: Summed; aside?: ReactNode }) {
  const groups = measureGroups(summary).filter((group) => group.of !== 'newborn');
  return (
    <Card className="sum-measures">
      <CardHead level={2} title="Measures" aside={aside} />
      <MeasuresTable summary={summary} groups={groups} />
    </Card>
  );
}

/** Whether somebody reports newborns. */
export function hasNewborn(summary: Pick<Summed, 'total'> | undefined): boolean {
  return summary !== undefined && summary.total.newborn.units_expected > 0;
}

/** The figures of newborns, where some are reported. */
export function NewbornCard({ summary, isNarrow = false }: { summary: Summed; isNarrow?: boolean }) {
  if (!hasNewborn(summary)) return null;
  const groups = measureGroups(summary).filter((group) => group.of === 'newborn');
  return (
    <Card className={isNarrow ? 'sum-measures is-narrow' : 'sum-measures'}>
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
