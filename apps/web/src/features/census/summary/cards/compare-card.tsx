import { areStaysKnown } from '@wardline/census/measures.ts';
import { nursingSums } from '@wardline/census/nursing-hours.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { CensusSummary, Sums } from '@wardline/contract/census/summary.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import { useState } from 'react';
import { useSummary } from '#/features/census/core/changes/summary-queries.ts';
import { counted, differenceOf, formatDifference } from '#/features/census/core/format-figure.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { firstDays, formatPeriod, type Period, stepPeriod, yearBefore } from '#/features/census/core/period/period.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import type { MeasureRow } from './measure-row.ts';
import { figureOf, populationRows, unitRows } from './measure-rows.ts';
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

function PeriodComparison({ facility, summary, period, other: whole }: CompareCardProps & { other: Period }) {
  const { days } = summary.total.adult_and_child;
  const elapsed = firstDays(period, days);
  const isRunning = elapsed !== period;
  const [isAlike, setIsAlike] = useState(true);
  // Like with like: of a period that is running, as many days of the other one.
  const other = isRunning && isAlike ? firstDays(whole, days) : whole;
  const query = useSummary(facility.id, other);
  const names = { one: formatPeriod(elapsed), other: formatPeriod(other) };
  return (
    <>
      {isRunning && (
        <div className="sum-pair">
          <Checkbox
            label={`Same days elapsed: the first ${days}`}
            checked={isAlike}
            onChange={(event) => setIsAlike(event.target.checked)}
          />
        </div>
      )}
      <PeriodTables query={query} summary={summary} period={period} names={names} />
    </>
  );
}

interface PeriodTablesProps extends Pick<CompareCardProps, 'summary' | 'period'> {
  readonly query: ReturnType<typeof useSummary>;
  readonly names: ComparisonProps['names'];
}

function PeriodTables({ query, summary, period, names }: PeriodTablesProps) {
  return (
    <Panel query={query} what="the other period" isBare>
      {(data) => (
        <>
          <UnequalNote days={daysOf(summary, data)} />
          {(['adult_and_child', 'newborn'] as const).map((name) =>
            summary.total[name].units_expected === 0 ? null : (
              <Comparison
                key={name}
                title={name === 'newborn' ? 'Newborn' : 'Adults and children'}
                names={names}
                rows={populationRows(summary, name, isEstimated(summary.total[name], data.total[name]))}
                others={populationRows(data, name, isEstimated(summary.total[name], data.total[name]))}
                days={daysOf(summary, data)}
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

/** Lengths of stay are compared with their like: where one side has to estimate them, both do. */
function isEstimated(one: Sums, other: Sums): boolean {
  return !areStaysKnown(one) || !areStaysKnown(other);
}

/** Of how many days the figures on each side are. */
type Days = readonly [one: number, other: number];

const daysOf = (one: CensusSummary, other: CensusSummary): Days => [
  one.total.adult_and_child.days,
  other.total.adult_and_child.days,
];

function UnequalNote({ days: [one, other] }: { days: Days }) {
  if (one === other) return null;
  return (
    <p className="t12 c-warning sum-pair">
      {`${counted(one, 'day')} beside ${counted(other, 'day')}: the differences of what adds up over days are per day.`}
    </p>
  );
}

function UnitComparison({ summary }: { summary: CensusSummary }) {
  const nameOf = namesOf(summary.units);
  const [keys, setKeys] = useState<readonly [string, string]>(['', '']);
  const unitAt = (place: 0 | 1) =>
    summary.units.find((unit) => reportKey(unit) === keys[place]) ?? summary.units[place] ?? summary.units[0];
  const [one, other] = [unitAt(0), unitAt(1)];
  if (!one || !other) return null;
  const isAnyEstimated = isEstimated(one.sums, other.sums);
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
        rows={[...unitRows(one, summary.denominator, isAnyEstimated), ...unitNursing(summary, one)]}
        others={[...unitRows(other, summary.denominator, isAnyEstimated), ...unitNursing(summary, other)]}
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
  /** Given where they may not be equal. */
  readonly days?: Days;
}

/** What grows with each day of a period; everything else is a rate or an average of it. */
const ADDED_UP = new Set(['bed_days', 'turnover_direct', 'turnover_indirect', 'turnover_indirect_estimated']);

/** Between figures of unequal periods: of those that add up, between what they come to a day. */
function formatRowDifference(row: MeasureRow, other: MeasureRow | undefined, [one, two]: Days): string {
  if (one === two || !ADDED_UP.has(row.key)) return formatDifference(differenceOf(row.value, other?.value ?? null));
  const difference = differenceOf(perDay(row.value, one), perDay(other?.value ?? null, two));
  return difference === null ? formatDifference(null) : `${formatDifference(difference)} a day`;
}

function perDay(value: string | null, days: number): string | null {
  if (value === null) return null;
  const [whole = '0', decimals = ''] = value.split('.');
  return exactRatio(Number(whole + decimals), days * 10 ** decimals.length, { places: 4 });
}

const SAME_DAYS: Days = [1, 1];

function Comparison({ title, names, rows, others, days = SAME_DAYS }: ComparisonProps) {
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
          cell: ({ row, other }) => formatRowDifference(row, other, days),
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
