import { nursingSums } from '@wardline/census/nursing-hours.ts';
import type { CensusSummary } from '@wardline/contract/census-summary.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import { useState } from 'react';
import { differenceOf, formatDifference } from '#/features/census/core/format-figure.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { formatPeriod, type Period, stepPeriod, yearBefore } from '#/features/census/core/period.ts';
import { useSummary } from '#/features/census/core/summary-queries.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import type { MeasureRow } from './measure-row.ts';
import { classRows, figureOf, unitRows } from './measure-rows.ts';
import { formatCover, nursingRows } from './nursing-rows.ts';

interface CompareCardProps {
  readonly facility: Facility;
  readonly period: Period;
  readonly summary: CensusSummary;
}

type Mode = 'before' | 'year' | 'units';

/** Two columns of the same figures and what lies between them. */
export function CompareCard({ facility, period, summary }: CompareCardProps) {
  const [mode, setMode] = useState<Mode>('before');
  return (
    <Card className="sum-compare">
      <CardHead level={2} title="Compare" />
      <div className="sum-pair">
        <Segments
          label="Compare with"
          value={mode}
          onValueChange={setMode}
          choices={[
            { value: 'before', label: 'Before' },
            { value: 'year', label: 'Last year' },
            { value: 'units', label: 'Two units' },
          ]}
        />
      </div>
      {mode === 'units' ? (
        <UnitComparison summary={summary} />
      ) : (
        <PeriodComparison
          facility={facility}
          summary={summary}
          period={period}
          other={mode === 'before' ? stepPeriod(period, -1) : yearBefore(period)}
        />
      )}
    </Card>
  );
}

function PeriodComparison({ facility, summary, period, other }: CompareCardProps & { other: Period }) {
  const query = useSummary(facility.id, other);
  const names = { one: formatPeriod(period), other: formatPeriod(other) };
  return (
    <Panel query={query} what="the other period" isBare>
      {(data) => (
        <>
          {(['adult_child', 'newborn'] as const).map((name) =>
            summary.total[name].units_expected === 0 ? null : (
              <Comparison
                key={name}
                title={name === 'newborn' ? 'Newborn' : 'Adults and children'}
                names={names}
                rows={classRows(summary, name)}
                others={classRows(data, name)}
              />
            ),
          )}
          {period.kind !== 'day' && (
            <Comparison title="All patients" names={names} rows={nursingRows(summary)} others={nursingRows(data)} />
          )}
        </>
      )}
    </Panel>
  );
}

function UnitComparison({ summary }: { summary: CensusSummary }) {
  const nameOf = namesOf(summary.units);
  const [keys, setKeys] = useState<readonly [string, string]>(['', '']);
  const unitAt = (place: 0 | 1) =>
    summary.units.find((unit) => reportKey(unit) === keys[place]) ?? summary.units[place] ?? summary.units[0];
  const [one, other] = [unitAt(0), unitAt(1)];
  if (!one || !other) return null;
  const options = summary.units.map((unit) => ({ value: reportKey(unit), label: nameOf(unit) }));
  return (
    <>
      <div className="row wrap row-3 sum-pair">
        <Select
          label="Unit"
          options={options}
          value={reportKey(one)}
          onValueChange={(key) => setKeys([key, reportKey(other)])}
        />
        <Select
          label="Compared with"
          options={options}
          value={reportKey(other)}
          onValueChange={(key) => setKeys([reportKey(one), key])}
        />
      </div>
      <Comparison
        title="Two units"
        names={{ one: nameOf(one), other: nameOf(other) }}
        rows={[...unitRows(one, summary.denominator), ...unitNursing(summary, one)]}
        others={[...unitRows(other, summary.denominator), ...unitNursing(summary, other)]}
      />
    </>
  );
}

/** Of a unit without inpatients of its own there is none. */
function unitNursing(
  summary: CensusSummary,
  { unit_id }: Pick<CensusSummary['units'][number], 'unit_id'>,
): MeasureRow[] {
  const found = summary.nursing.units.find((unit) => unit.unit_id === unit_id);
  return summary.from === summary.to ? [] : nursingRows(summary, found?.sums ?? nursingSums([]));
}

interface ComparisonProps {
  readonly title: string;
  readonly names: { readonly one: string; readonly other: string };
  readonly rows: readonly MeasureRow[];
  readonly others: readonly MeasureRow[];
}

function Comparison({ title, names, rows, others }: ComparisonProps) {
  const pairs = rows.map((row) => ({ row, other: others.find(({ key }) => key === row.key) }));
  return (
    <Table
      caption={`${title}: ${names.one} and ${names.other}`}
      isDense
      rows={pairs}
      rowKey={({ row }) => row.key}
      columns={[
        { key: 'measure', head: title, cell: ({ row }) => row.label },
        { key: 'one', head: names.one, isNumeric: true, cell: ({ row }) => <Figure row={row} /> },
        { key: 'other', head: names.other, isNumeric: true, cell: ({ other }) => <Figure row={other} /> },
        {
          key: 'difference',
          head: 'Difference',
          isNumeric: true,
          cell: ({ row, other }) => formatDifference(differenceOf(row.value, other?.value ?? null)),
        },
      ]}
    />
  );
}

/** A figure; the hatch marks one that leaves reports out. */
function Figure({ row }: { row: MeasureRow | undefined }) {
  if (!row) return null;
  const isWhole = row.value === null || row.reported >= row.expected;
  return (
    <span className="nowrap">
      {!isWhole && <i className="hatch left-out-hatch" role="img" aria-label={`Incomplete, ${formatCover(row)}:`} />}{' '}
      {figureOf(row)}
    </span>
  );
}
