import { useRouter } from '@tanstack/react-router';
import { addDays, type CensusDate } from '@wardline/census/calendar.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { useFreshSummary, useHeatmap } from '#/features/census/core/changes/summary-queries.ts';
import { Panel } from '#/features/census/core/panel.tsx';
import { formatPeriod, periodAround } from '#/features/census/core/period/period.ts';
import { reportKey } from '#/features/census/core/unit-names.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { CalendarCard } from './calendar-card.tsx';
import { unitDays } from './calendar-days.ts';

interface UnitCalendarProps {
  readonly facility: Facility;
  readonly day: UnitDay;
}

/** The unit's reports of the month beside the one that is open; on a phone behind a button. */
export function UnitCalendar(props: UnitCalendarProps) {
  const [isOpen, setIsOpen] = useState(false);
  useFreshSummary(props.facility.id);
  return (
    <>
      <div className="only-desk">
        <Month {...props} onGone={() => undefined} />
      </div>
      <div className="only-phone">
        <Button variant="outline" color="neutral" icon={CalendarDays} isFullWidth onClick={() => setIsOpen(true)}>
          Calendar of {props.day.unit_code}
        </Button>
      </div>
      {isOpen && (
        <Dialog open onOpenChange={setIsOpen} title={`Calendar of ${props.day.unit_code}`} closeLabel="Close">
          <Month {...props} onGone={() => setIsOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function Month({ facility, day, onGone }: UnitCalendarProps & { onGone: () => void }) {
  const router = useRouter();
  const newest = newestOf(day);
  const month = periodAround('month', day.census_date < newest ? day.census_date : newest);
  const heat = useHeatmap(facility.id, { from: month.from, to: month.to < newest ? month.to : newest });
  const open = (date: CensusDate) => {
    onGone();
    void router.navigate({ href: reportPath({ unit: day.unit_id, date, population: day.population }) });
  };
  return (
    <Panel query={heat} what="the calendar" shape="chart">
      {(data) => {
        const unit = data.units.find((candidate) => reportKey(candidate) === reportKey(day));
        if (!unit) return null;
        const title = `Reports of ${formatPeriod(month)}`;
        return <CalendarCard title={title} head="Report" days={unitDays(unit, data.from)} onOpen={open} />;
      }}
    </Panel>
  );
}

/** The newest census date that has surely been counted: yesterday by every clock, or the report's own once its hour has come. */
function newestOf({ census_date, census_at, time_zone }: UnitDay): CensusDate {
  const now = serverNow();
  const yesterday = addDays(dayIn(time_zone, now), -1);
  return Date.parse(census_at) <= now && census_date > yesterday ? census_date : yesterday;
}
