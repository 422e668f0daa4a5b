import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Permission } from '@wardline/contract/permissions.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { facilityForCensus } from './core/census-pages.ts';

const OwedList = lazyPart(async () => (await import('./report/owed-list.tsx')).OwedList, {
  whileLoading: () => (
    <section>
      <SectionHead title="Census reports due" />
      <Card>
        <Skeleton count={3} label="Loading the reports due" />
      </Card>
    </section>
  ),
});
const ApprovalList = lazyPart(async () => (await import('./summary/approval-list.tsx')).ApprovalList, {
  whileLoading: () => <div data-pending hidden />,
});
const OccupancyStrip = lazyPart(async () => (await import('./board/occupancy-strip.tsx')).OccupancyStrip, {
  whileLoading: () => <div data-pending hidden />,
});

interface DashboardPartProps {
  readonly facilities: readonly Facility[];
}

/** What waits for my approval, and the reports that my units owe; each for those who may. */
export function CensusOwed({ facilities }: DashboardPartProps) {
  const having = (...wanted: readonly Permission[]) =>
    facilities.filter(({ permissions }) => wanted.some((permission) => permissions.includes(permission)));
  const [approving, mine] = [having('census.approve', 'census.report_summary'), having('census.report_units')];
  return (
    <>
      {approving.length > 0 && <ApprovalList facilities={approving} />}
      {mine.length > 0 && <OwedList facilities={mine} />}
    </>
  );
}

/** How full the facility is now, for those who may see its board; of another facility where they may not. */
export function CensusToday({
  facilities,
  currentId,
}: DashboardPartProps & { readonly currentId: string | undefined }) {
  const facility = facilityForCensus(facilities, currentId, 'census.view');
  return facility && <OccupancyStrip key={facility.id} facility={facility} />;
}
