import './report.css';
import { useSearch } from '@tanstack/react-router';
import { addDays } from '@wardline/census/calendar.ts';
import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import { statusOf } from '@wardline/client/http/api-error.ts';
import { DayText, Population } from '@wardline/contract/census/census.ts';
import type { OwedReport } from '@wardline/contract/census/unit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Id } from '@wardline/contract/values.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { BedDouble, CalendarX, CheckCheck, SearchX } from 'lucide-react';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { askOrReadBoard, type Board } from '#/features/census/core/ask-board.ts';
import { CensusFrame } from '#/features/census/core/census-frame.tsx';
import { useCensusChanges } from '#/features/census/core/changes/use-census-changes.ts';
import { NursingButton } from '#/features/census/nursing/nursing-button.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useQuery } from '#/shared/queries/use-query.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { dayIn } from '#/shared/time/zoned-time.ts';
import { reportOutbox } from './engine/report-outbox.ts';
import { isPlace, type ReportPlace } from './engine/report-unit.ts';
import { placeOf, useKeptUnits, useOwedReports, useTellReports, useUnitDay } from './engine/use-reports.ts';
import { OwedCards } from './owed-cards.tsx';
import { Report } from './report.tsx';

const Place = z.object({ unit: Id, date: DayText, population: z._default(Population, 'adult_and_child') });

/** The report that an address names, also one of an earlier build; null where it names none, or none that could be. */
export function readPlace(search: Readonly<Record<string, unknown>>): ReportPlace | null {
  const parsed = z.safeParse(Place, toPresentNames(search));
  return parsed.success ? parsed.data : null;
}

const OpenReportDialog = lazyPart(async () => (await import('./open-report-dialog.tsx')).OpenReportDialog, {
  onMissing: closeMissing,
});

/** The reports one owes, and the one that the address names or that is most urgent. */
export function UnitReportScreen({ facility }: { facility: Facility }) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return <UnitReportPage facility={facility} asked={readPlace(search)} />;
}

/** The same with the report that was asked for, if any. */
export function UnitReportPage({ facility, asked }: { facility: Facility; asked: ReportPlace | null }) {
  const owed = useOwedReports(facility.id);
  const [pinned, setPinned] = useState<ReportPlace | null>(null);
  const list = owed.data?.value ?? [];
  const first = list[0];
  // Once shown it stays, also when it is submitted and no longer owed.
  if (!asked && !pinned && first) setPinned(placeOf(first));
  const place = asked ?? pinned;
  const { heard } = useTellReports(facility.id);
  useCensusChanges(facility.id, (change) => heard(change, place));
  const row = <OwedRow facility={facility} owed={owed.isPending ? null : list} shown={place} />;
  if (place) {
    const next = list.find((report) => !isPlace(placeOf(report), place)) ?? null;
    return (
      <LoadedReport
        key={`${place.unit} ${place.date} ${place.population}`}
        facility={facility}
        place={place}
        next={next}
        owed={row}
      />
    );
  }
  return (
    <CensusFrame title="Unit report" path="/census-unit" facility={facility}>
      {owed.isPending ? (
        <Skeleton shape="fields" count={8} label="Loading reports due" />
      ) : owed.isError ? (
        <ErrorState
          title="Reports due did not load"
          message={formatFailure(owed.error)}
          onRetry={() => void owed.refetch()}
          isRetrying={owed.isFetching}
        />
      ) : (
        <>
          <NothingDue facility={facility} />
          {row}
        </>
      )}
    </CensusFrame>
  );
}

/** Nothing is due from one's units, or one has none. */
function NothingDue({ facility }: { facility: Facility }) {
  const { store } = useDevice();
  const board = useBoard(facility);
  const isMine = ({ people }: Board['units'][number]) => people.some(({ id }) => id === store.userId);
  if (board.isLoading) return <Skeleton count={3} label="Loading your units" />;
  // Who may not see the board is not told who reports for which unit; before the first day is over it has no units.
  const isBeforeFirstDay = board.data?.units.length === 0 && facility.unit_count > 0;
  if (!board.data || isBeforeFirstDay || board.data.units.some(isMine)) {
    return (
      <EmptyState icon={CheckCheck} title="No reports due">
        Reports due for your units show here. “Another report” opens a submitted one.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={BedDouble}
      title="You don’t report for a unit"
      action={
        facility.permissions.includes('census.report_summary') && (
          <Button asChild variant="outline" color="neutral">
            <Link href="/census-summary">Open the summary</Link>
          </Button>
        )
      }
    >
      A facility administrator says who reports for which unit. “Another report” opens any unit’s report to read.
    </EmptyState>
  );
}

/** The board says who reports for which unit; also without a network. */
function useBoard({ id, permissions }: Facility) {
  const call = useCall();
  const { store } = useDevice();
  return useQuery({
    networkMode: 'always',
    queryKey: ['census-unit', id, 'board'],
    queryFn: ({ signal }) => askOrReadBoard({ call, store, facilityId: id, signal }),
    enabled: permissions.includes('census.view'),
  });
}

interface OwedRowProps {
  readonly facility: Facility;
  readonly owed: readonly OwedReport[] | null;
  readonly shown: ReportPlace | null;
}

function OwedRow({ facility, owed, shown }: OwedRowProps) {
  const { unsent } = reportOutbox(useDevice().outbox, useCall());
  const items = useSyncExternalStore(unsent.subscribe, unsent.get);
  const now = useNow();
  const [isOpening, setIsOpening] = useState(false);
  const places = (isFailed: boolean) =>
    items.filter(({ state }) => (state === 'failed') === isFailed).map(({ payload }) => payload);
  return (
    <div className="owed-row">
      <OwedCards owed={owed} shown={shown} waiting={places(false)} refused={places(true)} now={now} />
      <Button variant="ghost" color="neutral" onClick={() => setIsOpening(true)}>
        Another report
      </Button>
      <Button asChild variant="ghost" color="neutral">
        <Link href="/census-unit?view=all">All units</Link>
      </Button>
      {/* Counted up to yesterday, by every clock. */}
      <NursingButton facility={facility} newest={addDays(dayIn(facility.time_zone, now), -1)} size="md" />
      {isOpening && <OpenReportDialog facility={facility} shown={shown} onClose={() => setIsOpening(false)} />}
    </div>
  );
}

interface LoadedReportProps {
  readonly facility: Facility;
  readonly place: ReportPlace;
  readonly next: OwedReport | null;
  readonly owed: ReactNode;
}

function LoadedReport({ facility, place, next, owed }: LoadedReportProps) {
  const day = useUnitDay(place);
  const units = useKeptUnits(facility.id);
  if (day.data) {
    const { value, isFromDevice } = day.data;
    return (
      <Report
        facility={facility}
        day={value}
        isFromDevice={isFromDevice}
        units={units.data?.value ?? []}
        next={next}
        owed={owed}
      />
    );
  }
  return (
    <CensusFrame title="Unit report" path="/census-unit" facility={facility}>
      {owed}
      {day.isPending ? (
        <Skeleton shape="fields" count={8} label="Loading the report" />
      ) : (
        <Unloaded error={day.error} isRetrying={day.isFetching} onRetry={() => void day.refetch()} />
      )}
    </CensusFrame>
  );
}

interface UnloadedProps {
  readonly error: unknown;
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
}

/** A report that there cannot be is not asked for again. */
function Unloaded({ error, isRetrying, onRetry }: UnloadedProps) {
  if (statusOf(error) === 404) {
    return (
      <EmptyState icon={SearchX} title="Report not found">
        The unit is not in this facility, or does not report these patients.
      </EmptyState>
    );
  }
  if (statusOf(error) === 422) {
    return (
      <EmptyState icon={CalendarX} title="Report not found">
        {formatFailure(error)}
      </EmptyState>
    );
  }
  return (
    <ErrorState
      title="This report did not load"
      message={formatFailure(error)}
      onRetry={onRetry}
      isRetrying={isRetrying}
    />
  );
}
