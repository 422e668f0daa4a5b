import type { Facility } from '@wardline/contract/facilities.ts';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { BedDouble } from 'lucide-react';
import { failureWords } from '#/page/failure-words.ts';
import { RemoteIcon } from '#/page/remote-icon.tsx';
import { censusDay } from './census-frame.tsx';
import { unitIcon } from './unit-icon.ts';
import { useUnits } from './use-units.ts';

/** The units that hold inpatients, and that none of them has reported for the running census date. */
export function UnitList({ facility }: { facility: Facility }) {
  const units = useUnits(facility.id);
  if (units.isPending) return <Skeleton count={6} label="Loading the units" />;
  if (units.isError) {
    return (
      <ErrorState
        title="The units did not load"
        message={failureWords(units.error)}
        onRetry={() => void units.refetch()}
        isRetrying={units.isFetching}
      />
    );
  }
  if (units.data.data.length === 0) {
    return (
      <EmptyState icon={BedDouble} title="No units yet">
        A facility administrator adds the wards and services that hold inpatients.
      </EmptyState>
    );
  }
  const { data } = units.data;
  return (
    <Card>
      <CardHead
        level={2}
        title={data.length === 1 ? '1 unit' : `${data.length} units`}
        aside={<span className="muted t12">0 reported for {censusDay(facility)}</span>}
      />
      <ul className="list">
        {data.map((unit) => (
          <li key={unit.id}>
            <ListRow
              leading={<span className="fac-code">{unit.code}</span>}
              title={unit.name}
              text={
                <span className="row row-1">
                  <RemoteIcon name={unitIcon(unit.kind)} size="sm" />
                  {unit.kind}
                </span>
              }
              meta={<Badge>No report</Badge>}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
