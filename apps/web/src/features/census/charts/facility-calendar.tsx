import type { CensusDate } from '@wardline/census/calendar.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useHeatmap } from '#/features/census/core/changes/summary-queries.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { formatPeriod, periodAround } from '#/features/census/core/period/period.ts';
import { CalendarCard } from './calendar-card.tsx';
import { facilityDays } from './calendar-days.ts';

interface FacilityCalendarProps {
  readonly facility: Facility;
  /** A day of the month that is shown. */
  readonly date: CensusDate;
  readonly newest: CensusDate;
  readonly onOpenDay: (date: CensusDate) => void;
}

/** How the facility's days of a month stand, as far as they were counted. */
export function FacilityCalendar({ facility, date, newest, onOpenDay }: FacilityCalendarProps) {
  const month = periodAround('month', date);
  const to = month.to < newest ? month.to : newest;
  const heat = useHeatmap(facility.id, { from: month.from, to }, { isWanted: month.from <= to });
  if (month.from > to) return null;
  return (
    <Panel query={heat} what="the calendar" shape="chart">
      {(data) => (
        <CalendarCard
          title={`Days of ${formatPeriod(month)}`}
          head="Day"
          days={facilityDays(data)}
          onOpen={onOpenDay}
        />
      )}
    </Panel>
  );
}
