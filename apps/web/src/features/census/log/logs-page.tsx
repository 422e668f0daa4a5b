import { onServerClock, serverNow } from '@wardline/client/server-clock.ts';
import { exportCensusLog, type LogEntry } from '@wardline/contract/census/logs.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem, MenuLabel } from '@wardline/ui/menu/menu.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { ChevronDown, CloudOff, Download, FileClock, Search } from 'lucide-react';
import { useMemo } from 'react';
import { CensusFrame } from '#/features/census/core/census-frame.tsx';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { dayIn, timeIn } from '#/shared/time/zoned-time.ts';
import { ChainCard } from './chain-card.tsx';
import { isNarrowed, type LogView, logHref, logQuery, readLogView } from './log-address.ts';
import { LogFilters } from './log-filters.tsx';
import { LogList } from './log-list.tsx';
import { useCensusLog } from './use-census-log.ts';

interface LogsPageProps {
  readonly facility: Facility;
  /** The address's query. */
  readonly search: string;
  readonly onGo: (href: string) => void;
}

/** The census log: filters, the entries by day, and the chain that holds them together. */
export function LogsPage({ facility, search, onGo }: LogsPageProps) {
  const view = useMemo(() => readLogView(new URLSearchParams(search)), [search]);
  const log = useCensusLog(facility.id, view);
  const entries = useMemo(() => log.data?.pages.flatMap((page) => page.data) ?? [], [log.data]);
  const today = dayIn(facility.time_zone, serverNow());
  return (
    <CensusFrame
      title="Census logs"
      path="/census-logs"
      facility={facility}
      context="every change, view and export"
      actions={<ExportMenu facilityId={facility.id} view={view} />}
    >
      <div className="logs">
        <LogFilters
          facility={facility}
          view={view}
          today={today}
          entries={entries}
          onChange={(to) => onGo(logHref(to))}
        />
        <ChainCard facility={facility} today={today} />
        <div className="log-main" aria-busy={log.isFetching}>
          <Entries
            log={log}
            entries={entries}
            facility={facility}
            today={today}
            isNarrowed={isNarrowed(view)}
            onClear={() => onGo('/census-logs')}
          />
        </div>
      </div>
    </CensusFrame>
  );
}

interface EntriesProps {
  readonly log: ReturnType<typeof useCensusLog>;
  readonly entries: readonly LogEntry[];
  readonly facility: Facility;
  readonly today: string;
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
}

/** The list, or what stands in its place: loading, offline, failed, nothing yet, nothing that fits. */
function Entries({ log, entries, facility, today, isNarrowed: isFiltered, onClear }: EntriesProps) {
  const isOnline = useOnline();
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetching, data } = log;
  const foundLast = (data?.pages.at(-1)?.data.length ?? 0) > 0;
  const isGoingOn = hasNextPage && foundLast && !isFetching && isOnline && !log.isError;
  if (log.isPending && !isOnline) {
    return (
      <EmptyState icon={CloudOff} title="You are offline">
        The log is read from the server. It shows here when the connection is back.
      </EmptyState>
    );
  }
  if (log.isPending) return <Skeleton count={8} label="Loading the log" />;
  if (log.isError && entries.length === 0) return <Failed log={log} />;
  if (entries.length === 0) return <Nothing {...{ log, isFiltered, facility, onClear }} />;
  return (
    <>
      {!isOnline && (
        <Banner tone="warning" icon={CloudOff} title="Offline.">
          This is the log as of {timeIn(facility.time_zone, onServerClock(log.dataUpdatedAt))}.
        </Banner>
      )}
      {log.isError && (
        <Banner tone="error" action={<Again log={log} />}>
          {formatFailure(log.error)}
        </Banner>
      )}
      <LogList
        entries={entries}
        facility={facility}
        today={today}
        onEnd={() => {
          if (isGoingOn) void fetchNextPage();
        }}
      />
      {hasNextPage && (
        <Button
          className="log-earlier"
          variant="ghost"
          color="neutral"
          isLoading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {foundLast ? 'Show earlier' : 'Search earlier'}
        </Button>
      )}
    </>
  );
}

function Failed({ log }: Pick<EntriesProps, 'log'>) {
  return (
    <ErrorState
      title="The log did not load"
      message={formatFailure(log.error)}
      onRetry={() => void log.refetch()}
      isRetrying={log.isFetching}
    />
  );
}

function Again({ log }: Pick<EntriesProps, 'log'>) {
  return (
    <Button
      variant="ghost"
      color="neutral"
      size="sm"
      isLoading={log.isFetching}
      onClick={() => void (log.isFetchNextPageError ? log.fetchNextPage() : log.refetch())}
    >
      Retry
    </Button>
  );
}

type NothingProps = Pick<EntriesProps, 'log' | 'facility' | 'onClear'> & { readonly isFiltered: boolean };

function Nothing({ log, isFiltered, facility, onClear }: NothingProps) {
  if (!isFiltered) {
    return (
      <EmptyState icon={FileClock} title="No data">
        Every report and every change to one is logged here. {facility.name} has none yet.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Search}
      title="No matching data"
      action={
        <div className="row wrap">
          {log.hasNextPage && (
            <Button isLoading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Search earlier
            </Button>
          )}
          <Button variant="outline" color="neutral" onClick={onClear}>
            Clear filters
          </Button>
        </div>
      }
    >
      {log.hasNextPage ? 'No match in the newest entries.' : 'No matching entries.'}
    </EmptyState>
  );
}

type Format = 'csv' | 'jsonl';

/** Takes the log as it is narrowed now as a file, with its hashes; the log keeps that it was taken. */
function ExportMenu({ facilityId, view }: { facilityId: string; view: LogView }) {
  const { download, isBusy } = useDownload();
  const take = (format: Format) => {
    const input = { params: { facility: facilityId }, query: { ...logQuery(view), format } };
    return download(exportCensusLog, input, { fileName: `census-log.${format}`, failed: 'The log was not exported' });
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="outline" color="neutral" icon={Download} trailingIcon={ChevronDown} isLoading={isBusy}>
          Export
        </Button>
      }
    >
      <MenuLabel>{isNarrowed(view) ? 'What the filters show' : 'The whole log'}</MenuLabel>
      <MenuItem onSelect={() => void take('csv')}>CSV, for a spreadsheet</MenuItem>
      <MenuItem onSelect={() => void take('jsonl')}>JSON lines, to check the hashes</MenuItem>
    </Menu>
  );
}
