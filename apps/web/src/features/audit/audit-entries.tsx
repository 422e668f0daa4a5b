import { onServerClock } from '@wardline/client/server-clock.ts';
import type { AuditEntry } from '@wardline/contract/audit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { CloudOff, Eye, Search } from 'lucide-react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { DayFeed } from '#/shared/log-view/day-feed.tsx';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { AuditRow } from './audit-row.tsx';
import type { useAudit, useReaders } from './use-audit.ts';

interface AuditEntriesProps {
  readonly list: ReturnType<typeof useAudit> | ReturnType<typeof useReaders>;
  readonly entries: readonly AuditEntry[];
  readonly facility: Facility;
  readonly today: string;
  readonly isNarrowed: boolean;
  /** Where a press on a chat leads. */
  readonly chatHref: (chatId: string) => string;
  readonly onClear: () => void;
}

/** The entries, or what stands in their place: loading, offline, failed, nothing yet, nothing that fits. */
export function AuditEntries(props: AuditEntriesProps) {
  const { list, entries, facility, today, chatHref } = props;
  const isOnline = useOnline();
  if (list.isPending && !isOnline) {
    return (
      <EmptyState icon={CloudOff} title="You are offline">
        This list is read from the server. It shows here when the connection is back.
      </EmptyState>
    );
  }
  if (list.isPending) return <Skeleton count={8} label="Loading the audit log" />;
  if (list.isError && entries.length === 0) {
    return (
      <ErrorState
        title="The audit log did not load"
        message={formatFailure(list.error)}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
      />
    );
  }
  if (entries.length === 0) return <Nothing {...props} />;
  const foundLast = (list.data?.pages.at(-1)?.data.length ?? 0) > 0;
  const isGoingOn = list.hasNextPage && foundLast && !list.isFetching && isOnline && !list.isError;
  return (
    <div className="audit-list" aria-busy={list.isFetching}>
      {!isOnline && (
        <Banner tone="warning" icon={CloudOff} title="Offline.">
          This is the audit log as of {timeIn(facility.time_zone, onServerClock(list.dataUpdatedAt))}.
        </Banner>
      )}
      {list.isError && <Banner tone="error">{formatFailure(list.error)}</Banner>}
      <DayFeed
        label="Audit log"
        entries={entries}
        keyOf={({ id }) => id}
        timeZone={facility.time_zone}
        today={today}
        onEnd={() => {
          if (isGoingOn) void list.fetchNextPage();
        }}
      >
        {(entry) => <AuditRow entry={entry} timeZone={facility.time_zone} chatHref={chatHref} />}
      </DayFeed>
      {list.hasNextPage && <Earlier list={list} label={foundLast ? 'Show earlier' : 'Search earlier'} />}
    </div>
  );
}

function Earlier({ list, label }: Pick<AuditEntriesProps, 'list'> & { readonly label: string }) {
  return (
    <Button
      className="audit-earlier"
      variant="ghost"
      color="neutral"
      isLoading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {label}
    </Button>
  );
}

function Nothing({ list, isNarrowed, onClear }: AuditEntriesProps) {
  if (!isNarrowed && !list.hasNextPage) {
    return (
      <EmptyState icon={Eye} title="No data">
        Nothing is listed here yet.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Search}
      title="No matching data"
      action={
        <div className="row wrap">
          {list.hasNextPage && <Earlier list={list} label="Search earlier" />}
          {isNarrowed && (
            <Button variant="outline" color="neutral" onClick={onClear}>
              Clear filters
            </Button>
          )}
        </div>
      }
    >
      {list.hasNextPage ? 'No match in the newest entries.' : 'No matching entries.'}
    </EmptyState>
  );
}
