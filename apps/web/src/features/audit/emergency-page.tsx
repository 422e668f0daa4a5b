import { onServerClock, serverNow } from '@wardline/client/server-clock.ts';
import type { EmergencyAccess } from '@wardline/contract/chat/emergency-access.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Segments } from '@wardline/ui/tabs/segments.tsx';
import { CloudOff, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { DayFeed } from '#/shared/log-view/day-feed.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn, timeIn } from '#/shared/time/zoned-time.ts';
import { AuditFrame } from './audit-frame.tsx';
import { EmergencyRow } from './emergency-row.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { emergenciesKey, useEmergencies } from './use-audit.ts';

type Shown = 'waiting' | 'all';

const CHOICES: readonly { value: Shown; label: string }[] = [
  { value: 'waiting', label: 'To review' },
  { value: 'all', label: 'All' },
];

/** Who opened a patient's chat in an emergency and why; each is signed off by somebody else. */
export function EmergencyPage({ facility }: { readonly facility: Facility }) {
  const [shown, setShown] = useState<Shown>('waiting');
  const [reviewed, setReviewed] = useState<EmergencyAccess | null>(null);
  const list = useEmergencies(facility.id, shown);
  const queries = useQueryClient();
  return (
    <AuditFrame path="/settings/emergency" facility={facility}>
      <div className="audit">
        <Segments label="Show" value={shown} onValueChange={setShown} choices={CHOICES} />
        <p className="t13 muted">
          A member who must treat a patient at once can open the patient’s chat for some hours. Everybody in the chat
          sees it; whether it was justified is said here.
        </p>
        <Emergencies {...{ list, facility, shown }} onReview={setReviewed} />
      </div>
      {reviewed && (
        <ReviewDialog
          facility={facility}
          access={reviewed}
          onReviewed={() => void queries.invalidateQueries({ queryKey: emergenciesKey(facility.id) })}
          onClose={() => setReviewed(null)}
        />
      )}
    </AuditFrame>
  );
}

interface EmergenciesProps {
  readonly list: ReturnType<typeof useEmergencies>;
  readonly facility: Facility;
  readonly shown: Shown;
  readonly onReview: (access: EmergencyAccess) => void;
}

/** The entries by day, or what stands in their place. */
function Emergencies({ list, facility, shown, onReview }: EmergenciesProps) {
  const isOnline = useOnline();
  const entries = list.data?.pages.flatMap((page) => page.data.map((access) => ({ ...access, at: access.opened_at })));
  if (entries === undefined && !isOnline) {
    return (
      <EmptyState icon={CloudOff} title="You are offline">
        This list is read from the server. It shows here when the connection is back.
      </EmptyState>
    );
  }
  if (list.isError && entries === undefined) {
    return (
      <ErrorState
        title="The list did not load"
        message={formatFailure(list.error)}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
      />
    );
  }
  if (entries === undefined) return <Skeleton count={4} label="Loading" />;
  if (entries.length === 0) {
    return (
      <EmptyState icon={ShieldCheck} title={shown === 'waiting' ? 'Nothing to review' : 'No data'}>
        {shown === 'waiting' ? 'Every emergency access has been reviewed.' : 'Nobody has used emergency access yet.'}
      </EmptyState>
    );
  }
  return (
    <div className="audit-list" aria-busy={list.isFetching}>
      {!isOnline && (
        <Banner tone="warning" icon={CloudOff} title="Offline.">
          This is the list as of {timeIn(facility.time_zone, onServerClock(list.dataUpdatedAt))}.
        </Banner>
      )}
      {list.isError && <Banner tone="error">{formatFailure(list.error)}</Banner>}
      <DayFeed
        label="Emergency access"
        entries={entries}
        keyOf={({ id }) => id}
        timeZone={facility.time_zone}
        today={dayIn(facility.time_zone, serverNow())}
        onEnd={() => {
          if (list.hasNextPage && !list.isFetching && isOnline && !list.isError) void list.fetchNextPage();
        }}
      >
        {(access) => <EmergencyRow access={access} timeZone={facility.time_zone} onReview={() => onReview(access)} />}
      </DayFeed>
      {list.hasNextPage && <ShowMore list={list} />}
    </div>
  );
}
