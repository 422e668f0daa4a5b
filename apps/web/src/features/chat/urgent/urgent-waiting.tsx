import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Pill } from '@wardline/ui/mark/pill.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useWaitingUrgent } from './use-waiting-urgent.ts';
import { WaitingRow } from './waiting-row.tsx';
import './urgent-waiting.css';

/** The dashboard's first block: what waits for me, then what of mine waits for others (URG-2). Nothing where nothing does. */
export function UrgentWaiting() {
  const mine = useWaitingUrgent('me');
  const others = useWaitingUrgent('others');
  const items = [...(mine.data?.data ?? []), ...(others.data?.data ?? [])];
  if (items.length === 0 && !mine.isError) return null;
  const count = mine.data?.counts.accept ?? 0;
  return (
    <section aria-labelledby="urgent-waiting">
      <SectionHead
        id="urgent-waiting"
        title="Urgent"
        mark={<Pill count={count} label={`${count} waiting for your acknowledgement`} />}
      />
      <Card>
        {mine.isError && (
          <ErrorState
            title="What waits for you did not load"
            level={3}
            message={formatFailure(mine.error)}
            onRetry={() => void mine.refetch()}
          />
        )}
        <ul className="list">
          {items.map((item) => (
            <li key={`${item.waits_for} ${item.message_id}`}>
              <WaitingRow item={item} />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
