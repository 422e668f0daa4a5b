import { statusOf } from '@wardline/client/http/api-error.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { userChannel } from '@wardline/contract/chat/chat.ts';
import { listWaitingHandovers, type WaitingHandover } from '@wardline/contract/examinations/handovers.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { formatMinutesAgo } from '@wardline/format/times.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { useEffect, useEffectEvent } from 'react';
import { FORMAT_LABELS, SEVERITY_LOOKS } from '#/features/handovers/core/handover-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { deviceZone } from '#/shared/time/zoned-time.ts';
import '#/features/handovers/core/handovers.css';

const KEY = ['handovers-waiting'];
const PAGE = 20;

/** On the dashboard: hand-overs that wait for me, the longest waiting first. Nothing where none does. */
export function HandoversWaiting({ userId }: { readonly userId: string }) {
  const call = useCall();
  useNow();
  const waiting = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(listWaitingHandovers, { query: { limit: PAGE }, signal }),
  });
  useWaitingChanges(userId);
  const items = waiting.data?.data ?? [];
  // A back end without hand-overs has none that wait.
  const hasFailed = waiting.isError && statusOf(waiting.error) !== 404;
  if (items.length === 0 && !hasFailed) return null;
  const count = `${items.length}${waiting.data?.next_cursor ? ' or more' : ''}`;
  return (
    <section aria-labelledby="handovers-waiting">
      <SectionHead
        id="handovers-waiting"
        title="Hand-overs"
        mark={<Pill count={items.length} label={`${count} waiting for you`} />}
        link={{ href: '/handovers', label: 'Hand-over list' }}
      />
      <Card>
        {hasFailed && (
          <ErrorState
            title="The hand-overs that wait for you did not load"
            level={3}
            message={formatFailure(waiting.error)}
            onRetry={() => void waiting.refetch()}
          />
        )}
        <ul className="list">
          {items.map((item) => (
            <li key={item.id}>
              <WaitingRow item={item} />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function WaitingRow({ item }: { readonly item: WaitingHandover }) {
  const { id, chat_id, facility_id, format, severity, patient, from, role, given_at } = item;
  const ill = severity && SEVERITY_LOOKS[severity];
  return (
    <div className="lrow hand-row">
      <div className="hand-row-body">
        <p className="row wrap">
          <b className="semi strong">{patient.name}</b>
          <span className="muted">{formatIdentifier(patient.identifier)}</span>
          {ill && (
            <Badge tone={ill.tone} icon={ill.icon}>
              {ill.word}
            </Badge>
          )}
        </p>
        <p className="muted">
          {FORMAT_LABELS[format]} from {from}
          {role && ` to you as ${role}`} · {formatGiven(Date.parse(given_at))}
        </p>
      </div>
      <Button asChild size="lg">
        <Link href={`/chat/f-${facility_id}/c-${chat_id}/h-${id}`}>
          Receive<span className="sr">: {patient.name}</span>
        </Link>
      </Button>
    </div>
  );
}

const HOUR_MS = 3_600_000;

function formatGiven(at: number): string {
  const now = serverNow();
  return now - at < HOUR_MS ? formatMinutesAgo(now - at) : formatClock(deviceZone(), at, now);
}

/** Hears that what waits has changed. */
function useWaitingChanges(userId: string): void {
  const realtime = useRealtime();
  const queries = useQueryClient();
  const refresh = useEffectEvent(() => void queries.invalidateQueries({ queryKey: KEY }));
  useEffect(() => {
    const joined = realtime?.join(userChannel, userId, {
      events: { HandoverChanged: () => refresh() },
      onSubscribed: () => refresh(),
    });
    return () => joined?.leave();
  }, [realtime, userId]);
}
