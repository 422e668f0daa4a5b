import { exactRatio } from '@wardline/census/ratio.ts';
import { varianceOf } from '@wardline/census/report-figures.ts';
import type { FacilityDay, UnitOfDay } from '@wardline/contract/census/day.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Table, type TableColumn } from '@wardline/ui/table/table.tsx';
import { LeftOut } from '#/features/census/charts/left-out.tsx';
import {
  bedsHead,
  formatCount,
  formatDecimal,
  NO_FIGURE,
  occupancyHead,
} from '#/features/census/core/format-figure.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';
import { VarianceBadge } from '#/features/census/core/variance-note.tsx';
import { formatOccupancy, reportState } from './day-labels.ts';

interface DayUnitsProps {
  readonly day: FacilityDay;
  readonly onOpen: (unit: UnitOfDay) => void;
}

const numeric = (key: string, head: string, cell: (unit: UnitOfDay) => string): TableColumn<UnitOfDay> => ({
  key,
  head,
  isNumeric: true,
  cell,
});

/** The reports of one census date, side by side. */
export function DayUnits({ day, onOpen }: DayUnitsProps) {
  const nameOf = namesOf(day.units);
  return (
    <Card>
      <CardHead level={2} title="Units" />
      <Table
        caption="Reports of the units"
        rows={day.units}
        rowKey={reportKey}
        hasStickyRowHead
        columns={[
          { key: 'unit', head: 'Unit', cell: nameOf },
          numeric('opening', 'Opening', ({ opening }) => formatCount(opening)),
          numeric('in', 'In', ({ counts }) => formatSum(counts.admissions, counts.births, counts.transfers_in)),
          numeric('out', 'Out', ({ counts }) => formatSum(counts.discharges, counts.deaths, counts.transfers_out)),
          numeric('closing', 'Closing', ({ closing }) => formatCount(closing)),
          numeric('leave', 'On leave', ({ counts }) => formatCount(counts.on_leave)),
          numeric('days', 'Service days', ({ service_days }) => formatCount(service_days)),
          numeric('beds', bedsHead(day.denominator), ({ beds }) => formatCount(beds[day.denominator])),
          numeric('occupancy', occupancyHead(day.denominator), (unit) => formatOccupancy(unit, day)),
          { key: 'state', head: 'Report', cell: (unit) => <StateBadge unit={unit} day={day} /> },
          {
            key: 'open',
            head: 'Open',
            isHeadHidden: true,
            cell: (unit) => (
              <Button
                variant="outline"
                color="neutral"
                size="sm"
                label={`Open ${nameOf(unit)}`}
                onClick={() => onOpen(unit)}
              >
                Open
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}

const BADGE_TONES = {
  done: 'success',
  'to-do': 'primary',
  late: 'warning',
  missing: 'error',
  waiting: 'neutral',
} as const;

function StateBadge({ unit, day }: { unit: UnitOfDay; day: FacilityDay }) {
  const { tone, word } = reportState(unit, day);
  const marks = unit.conditions.filter((condition) => condition === 'restated' || condition === 'unreconciled');
  return (
    <span className="row row-1 nowrap">
      <Badge tone={BADGE_TONES[tone]}>{word}</Badge>
      <VarianceBadge variance={varianceOf(unit)} />
      {marks.map((mark) => (
        <Badge key={mark} tone={mark === 'unreconciled' ? 'warning' : 'line'}>
          {mark}
        </Badge>
      ))}
      {unit.estimate && <Badge tone="line">estimate {formatCount(unit.estimate.census)}</Badge>}
    </span>
  );
}

function formatSum(...counts: readonly (number | null)[]): string {
  return formatCount(counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0));
}

type PeriodUnit = CensusSummary['units'][number];

/** The sums of each unit over a longer period. */
export function PeriodUnits({ summary }: { summary: CensusSummary }) {
  const nameOf = namesOf(summary.units);
  const count = (key: string, head: string, cell: (unit: PeriodUnit) => string): TableColumn<PeriodUnit> => ({
    key,
    head,
    isNumeric: true,
    // Of a unit that has not reported nothing is known, not even that it was 0.
    cell: (unit) => (unit.sums.units_reported === 0 ? NO_FIGURE : cell(unit)),
  });
  return (
    <Card>
      <CardHead level={2} title="Units" />
      <Table
        caption="Sums of the units"
        rows={summary.units}
        rowKey={reportKey}
        hasStickyRowHead
        columns={[
          { key: 'unit', head: 'Unit', cell: nameOf },
          count('days', 'Service days', ({ sums }) => formatCount(sums.service_days)),
          count('adc', 'Average daily census', ({ sums }) => formatDecimal(exactRatio(sums.service_days, sums.days))),
          count('beds', 'Bed days', ({ sums }) => formatCount(sums.bed_days)),
          count('occupancy', occupancyHead(summary.denominator), ({ sums, counts_in_occupancy }) =>
            formatDecimal(counts_in_occupancy ? exactRatio(sums.service_days, sums.bed_days, { factor: 100 }) : null),
          ),
          count('in', 'Admissions', ({ sums }) => formatCount(sums.admissions + sums.births)),
          count('tin', 'Transfers in', ({ sums }) => formatCount(sums.transfers_in)),
          count('tout', 'Transfers out', ({ sums }) => formatCount(sums.transfers_out)),
          count('separations', 'Separations', ({ sums }) => formatCount(sums.discharges + sums.deaths)),
          count('deaths', 'Deaths', ({ sums }) => formatCount(sums.deaths)),
          {
            key: 'cover',
            head: 'Reports',
            isNumeric: true,
            cell: ({ sums }) => <LeftOut reported={sums.units_reported} expected={sums.units_expected} />,
          },
        ]}
      />
    </Card>
  );
}
