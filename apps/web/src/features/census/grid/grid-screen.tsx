import { useLocation, useNavigate } from '@tanstack/react-router';
import { isCalendarDate } from '@wardline/census/calendar.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FileText } from 'lucide-react';
import { CensusFrame } from '#/features/census/core/census-frame.tsx';
import { formatPeriod, periodAround } from '#/features/census/core/period/period.ts';
import { PeriodSteps } from '#/features/census/core/period/period-bar.tsx';
import { CensusGrid } from './census-grid.tsx';
import { useNewestCount } from './use-grid-days.ts';

/** The address of the grid, of one census date or of the newest. */
export function gridHref(date?: string): string {
  return date === undefined ? '/census-unit?view=all' : `/census-unit?view=all&date=${date}`;
}

/** All my units at once, for one census date. */
export function GridScreen({ facility }: { facility: Facility }) {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const navigate = useNavigate();
  const newest = useNewestCount(facility);
  const asked = new URLSearchParams(search).get('date') ?? '';
  const date = isCalendarDate(asked) ? asked : newest;
  const period = date === null ? null : periodAround('day', date);
  return (
    <CensusFrame
      title="Unit report"
      path="/census-unit"
      facility={facility}
      context={period ? formatPeriod(period) : undefined}
    >
      <div className="period-ctl">
        <Button asChild variant="outline" color="neutral" icon={FileText}>
          <Link href="/census-unit">One report</Link>
        </Button>
        {period && newest !== null && (
          <PeriodSteps
            period={period}
            newest={newest}
            onChange={({ from }) => void navigate({ href: gridHref(from), resetScroll: false })}
          />
        )}
      </div>
      {date === null ? (
        <Skeleton count={6} label="Loading the units" />
      ) : (
        <CensusGrid facility={facility} date={date} />
      )}
    </CensusFrame>
  );
}
