import { useLocation } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { CensusFrame } from './core/census-frame.tsx';
import type { CensusPath } from './core/census-pages.ts';
import { BoardLoading, SummaryLoading } from './core/loading-shapes.tsx';

interface CensusScreenProps {
  readonly facility: Facility;
}

/** A page whose code is gone, most often because another build was deployed: its head stands, a full load is offered. */
function missing(title: string, path: CensusPath) {
  return ({ facility }: CensusScreenProps) => (
    <CensusFrame title={title} path={path} facility={facility}>
      <ErrorState
        title="This page did not load"
        message="There may be a newer version of it."
        retryLabel="Load again"
        onRetry={() => window.location.reload()}
      />
    </CensusFrame>
  );
}

function useView(): string | null {
  return useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('view') });
}

/** Who is in which bed, unit by unit; or how the facility takes its census. */
export function CensusBoardScreen({ facility }: CensusScreenProps) {
  return useView() === 'settings' ? <Settings facility={facility} page="/census" /> : <Board facility={facility} />;
}

const Board = lazyPart(async () => (await import('./board/board-screen.tsx')).BoardScreen, {
  whileLoading: ({ facility }: CensusScreenProps) => (
    <CensusFrame title="Census" path="/census" facility={facility}>
      <BoardLoading />
    </CensusFrame>
  ),
  whenMissing: missing('Census', '/census'),
});

interface SettingsProps extends CensusScreenProps {
  /** Whose view they are. */
  readonly page: CensusPath;
}

const Settings = lazyPart(async () => (await import('./settings/settings-screen.tsx')).SettingsScreen, {
  whileLoading: ({ facility, page }: SettingsProps) => (
    <CensusFrame title="Census settings" path={page} facility={facility}>
      <Skeleton shape="fields" count={6} label="Loading the settings" />
    </CensusFrame>
  ),
  whenMissing: ({ facility, page }: SettingsProps) => missing('Census settings', page)({ facility }),
});

/** The reports that one's units owe: one form for each unit, date and population, or all units of a date in a grid. */
export function CensusUnitScreen({ facility }: CensusScreenProps) {
  return useView() === 'all' ? <AllUnits facility={facility} /> : <OneUnit facility={facility} />;
}

const unitFrame = ({ facility }: CensusScreenProps) => (
  <CensusFrame title="Unit report" path="/census-unit" facility={facility}>
    <Skeleton shape="fields" count={8} label="Loading reports due" />
  </CensusFrame>
);

const OneUnit = lazyPart(async () => (await import('./report/unit-report-screen.tsx')).UnitReportScreen, {
  whileLoading: unitFrame,
  whenMissing: missing('Unit report', '/census-unit'),
});

const AllUnits = lazyPart(async () => (await import('./grid/grid-screen.tsx')).GridScreen, {
  whileLoading: unitFrame,
  whenMissing: missing('Unit report', '/census-unit'),
});

/** The facility's compiled report; or how it takes its census, for those who compile it without the board. */
export function CensusSummaryScreen({ facility }: CensusScreenProps) {
  const isSettings = useView() === 'settings';
  return isSettings ? <Settings facility={facility} page="/census-summary" /> : <Summary facility={facility} />;
}

const Summary = lazyPart(async () => (await import('./summary/summary-screen.tsx')).SummaryScreen, {
  whileLoading: ({ facility }: CensusScreenProps) => (
    <CensusFrame title="Summary" path="/census-summary" facility={facility}>
      <SummaryLoading />
    </CensusFrame>
  ),
  whenMissing: missing('Summary', '/census-summary'),
});

/** Who reported and changed what, and when. */
export const CensusLogsScreen = lazyPart(async () => (await import('./log/logs-screen.tsx')).LogsScreen, {
  whileLoading: ({ facility }: CensusScreenProps) => (
    <CensusFrame title="Census logs" path="/census-logs" facility={facility}>
      <Skeleton count={8} label="Loading the log" />
    </CensusFrame>
  ),
  whenMissing: missing('Census logs', '/census-logs'),
});
