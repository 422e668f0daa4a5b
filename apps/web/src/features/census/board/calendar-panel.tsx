import { addDays, type CensusDate } from '@wardline/census/calendar.ts';
import { ChartCard } from '@wardline/ui/chart/chart-card.tsx';
import { type CalendarDay, MonthCalendar } from '@wardline/ui/chart/month-calendar.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { BadgeCheck, Calculator, Check, Lock, Minus, OctagonAlert, RotateCcw, TriangleAlert } from 'lucide-react';
import type { HeatUnit } from '../summary/heat-card.tsx';
import { fullDay } from '../summary/period.ts';
import { namesOf, reportKey } from '../summary/unit-names.ts';
import type { Heatmap } from './use-board.ts';

interface CalendarPanelProps {
  readonly heat: Heatmap;
  /** The unit and class it is about; the first one where that is none of them. */
  readonly unitKey: string | null;
  readonly onUnit: (unitKey: string) => void;
  readonly onOpen: (unit: HeatUnit, date: CensusDate) => void;
}

/** How one unit's reports stand, day by day. */
export function CalendarPanel({ heat, unitKey, onUnit, onOpen }: CalendarPanelProps) {
  const unit = heat.units.find((candidate) => reportKey(candidate) === unitKey) ?? heat.units[0];
  if (!unit) return null;
  const nameOf = namesOf(heat.units);
  const days = calendarDays(unit, heat.from);
  return (
    <ChartCard
      title={`Reports of ${nameOf(unit)}`}
      aside={
        <Select
          label="Unit"
          isLabelHidden
          inputSize="sm"
          value={reportKey(unit)}
          onValueChange={onUnit}
          options={heat.units.map((one) => ({ value: reportKey(one), label: nameOf(one) }))}
        />
      }
      table={
        <Table
          caption={`Reports of ${nameOf(unit)} by day`}
          isDense
          hasStickyHead
          rows={days.toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { key: 'date', head: 'Census date', cell: ({ date }) => fullDay(date) },
            { key: 'word', head: 'Report', cell: ({ word }) => word },
          ]}
        />
      }
    >
      <MonthCalendar label={`Reports of ${nameOf(unit)}`} days={days} onOpen={({ date }) => onOpen(unit, date)} />
    </ChartCard>
  );
}

type DayState = Omit<CalendarDay, 'date'>;

const NONE: DayState = { state: 'none', glyph: Minus, word: 'Not expected' };
const STATES: Readonly<Record<string, DayState>> = {
  '-': NONE,
  m: { state: 'missing', glyph: OctagonAlert, word: 'Not in' },
  s: { state: 'in', glyph: Check, word: 'Submitted' },
  a: { state: 'done', glyph: BadgeCheck, word: 'Approved' },
  l: { state: 'done', glyph: Lock, word: 'Locked' },
  e: { state: 'soon', glyph: Calculator, word: 'Estimated' },
};
const LATE: DayState = { state: 'late', glyph: TriangleAlert, word: 'Late' };
const RESTATED: DayState = { state: 'soon', glyph: RotateCcw, word: 'Restated' };

/** The states of a unit's reports: that one was late or restated says more than how far it has got. */
export function calendarDays(unit: HeatUnit, from: CensusDate): CalendarDay[] {
  return [...unit.marks].map((mark, index) => {
    const state = STATES[mark] ?? NONE;
    const isIn = mark !== '-' && mark !== 'm';
    const told = isIn && unit.restated.includes(index) ? RESTATED : isIn && unit.late.includes(index) ? LATE : state;
    return { date: addDays(from, index), ...told };
  });
}
