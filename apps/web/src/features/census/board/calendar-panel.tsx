import type { CensusDate } from '@wardline/census/calendar.ts';
import { Select } from '@wardline/ui/input/select.tsx';
import { CalendarCard } from '#/features/census/charts/calendar-card.tsx';
import { unitDays } from '#/features/census/charts/calendar-days.ts';
import type { HeatUnit } from '#/features/census/charts/heat-card.tsx';
import type { Heatmap } from '#/features/census/core/changes/summary-queries.ts';
import { namesOf, reportKey } from '#/features/census/core/unit-names.ts';

interface CalendarPanelProps {
  readonly heat: Heatmap;
  /** The unit and population it is about; the first one where that is none of them. */
  readonly unitKey: string | null;
  readonly onUnit: (unitKey: string) => void;
  /** Goes to a day of it; null for who may not. */
  readonly onOpen: ((unit: HeatUnit, date: CensusDate) => void) | null;
}

/** How one unit's reports stand, day by day. */
export function CalendarPanel({ heat, unitKey, onUnit, onOpen }: CalendarPanelProps) {
  const unit = heat.units.find((candidate) => reportKey(candidate) === unitKey) ?? heat.units[0];
  if (!unit) return null;
  const nameOf = namesOf(heat.units);
  return (
    <CalendarCard
      title={`Reports of ${nameOf(unit)}`}
      head="Report"
      days={unitDays(unit, heat.from)}
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
      onOpen={onOpen && ((date) => onOpen(unit, date))}
    />
  );
}
