import { datesFrom } from '@wardline/census/calendar.ts';
import { exactRatio } from '@wardline/census/ratio.ts';
import type { getCensusHeatmap } from '@wardline/contract/census/board.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { type HeatCell, HeatMap } from '@wardline/ui/chart/heat-map.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import type { ReactNode } from 'react';
import { formatEstimate } from '#/features/census/core/estimate-labels.ts';
import { counted, formatPercent, formatRounded } from '#/features/census/core/format-figure.ts';
import { fullDay } from '#/features/census/core/period/period.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';

type Heat = ReplyOf<typeof getCensusHeatmap>;
export type HeatUnit = Heat['units'][number];

interface HeatCardProps {
  readonly heat: Heat;
  readonly newest: string;
  /** Beside the way to the table: a choice of the range. */
  readonly aside?: ReactNode;
  /** Shows that day, of that unit. */
  readonly onOpenDay: (date: string, unit: HeatUnit) => void;
}

/** How full each unit was on each day. */
export function HeatCard({ heat, newest, aside, onOpenDay }: HeatCardProps) {
  const dates = datesFrom(heat.from, heat.to < newest ? heat.to : newest);
  const nameOf = namesOf(heat.units);
  const rows = heat.units
    .filter(({ counts_in_occupancy }) => counts_in_occupancy)
    .map((unit) => ({
      id: reportKey(unit),
      label: nameOf(unit),
      cells: dates.map((date, index) => heatCell(unit, index, `${nameOf(unit)}, ${fullDay(date)}`)),
    }));
  return (
    <ChartCard
      title="Occupancy by unit and day"
      note={counted(dates.length, 'day')}
      aside={aside}
      table={
        <Table
          caption="Occupancy by unit and day, per cent"
          isDense
          hasStickyHead
          rows={dates.map((date, index) => ({ date, index })).toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { key: 'date', head: 'Census date', cell: ({ date }) => fullDay(date) },
            ...rows.map(({ id, label, cells }) => ({
              key: id,
              head: label,
              isNumeric: true,
              cell: ({ index }: { index: number }) => formatCell(cells[index]),
            })),
          ]}
        />
      }
    >
      <HeatMap
        rows={rows}
        columns={dates.map(heatColumn)}
        bands={heat.bands}
        ofWhat={`${heat.denominator} beds`}
        onOpen={(row, column) => {
          const unit = heat.units.find((candidate) => reportKey(candidate) === row.id);
          if (unit) onOpenDay(column.key, unit);
        }}
      />
    </ChartCard>
  );
}

function heatColumn(date: string) {
  const weekday = new Date(`${date}T12:00:00Z`).getUTCDay();
  return {
    key: date,
    top: 'SMTWTFS'.charAt(weekday),
    bottom: String(Number(date.slice(8))),
    isWeekend: weekday === 0 || weekday === 6,
  };
}

/** A cell, and what the table says in its place. */
type ToldCell = HeatCell & { readonly told?: string };

function heatCell(unit: HeatUnit, index: number, name: string): ToldCell {
  const [patients, beds] = [unit.service_days[index] ?? null, unit.bed_days[index] ?? null];
  if (unit.marks[index] === '-') return { value: null, text: '', mark: 'none', title: `${name}: not expected` };
  if (patients === null || beds === null) {
    const estimate = unit.estimates?.find((one) => one.index === index);
    const told = estimate ? `missing, ${formatEstimate(estimate)}` : 'missing';
    return { value: null, text: estimate ? '≈' : '', mark: 'missing', title: `${name}: ${told}`, told };
  }
  const share = exactRatio(patients, beds, { factor: 100 });
  const isRestated = unit.restated.includes(index);
  const bed = unit.population === 'newborn' ? 'bassinet' : 'bed';
  const text = share === null ? `no ${bed}s` : `${formatPercent(share)}, ${patients} of ${counted(beds, bed)}`;
  return {
    value: share === null ? null : Number(share),
    // Whole per cents that were reached, so that number and colour agree: 99.6 is not full.
    text: beds === 0 ? '–' : String(Math.floor((100 * patients) / beds)),
    mark: isRestated ? 'restated' : 'none',
    title: `${name}: ${text}${isRestated ? ', restated' : ''}`,
  };
}

function formatCell(cell: ToldCell | undefined): string {
  if (!cell || cell.mark === 'missing') return cell?.told ?? 'missing';
  return cell.value === null ? '–' : `${formatRounded(cell.value, 2)}${cell.mark === 'restated' ? ', restated' : ''}`;
}
