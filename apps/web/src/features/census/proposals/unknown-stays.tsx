import { useInfiniteQuery } from '@tanstack/react-query';
import { listUnknownStays, type UnknownStay } from '@wardline/contract/census-feed.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { useState } from 'react';
import { summaryKey } from '#/features/census/core/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { unknownStaySentence } from './unknown-stay-labels.ts';

const CountDialog = lazyPart(async () => (await import('./unknown-stay-dialogs.tsx')).CountDialog, {
  onMissing: closeMissing,
});
const LeaveOutDialog = lazyPart(async () => (await import('./unknown-stay-dialogs.tsx')).LeaveOutDialog, {
  onMissing: closeMissing,
});

interface UnknownStaysCardProps {
  readonly facilityId: string;
  /** The newest census date: of another year the year is said. */
  readonly newest: string;
}

interface Question {
  readonly kind: 'count' | 'leave';
  readonly stay: UnknownStay;
}

/** Whom the patient system moved or discharged and never admitted; not there where there is nobody. */
export function UnknownStaysCard({ facilityId, newest }: UnknownStaysCardProps) {
  const query = useUnknownStays(facilityId);
  const [question, setQuestion] = useState<Question | null>(null);
  const first = query.data?.pages[0];
  const stays = query.data?.pages.flatMap(({ data }) => data) ?? [];
  if (!first || (stays.length === 0 && !question)) return null;
  const asked = question && (stays.find(({ id }) => id === question.stay.id) ?? question.stay);
  const place = { facilityId, newest, zone: first.time_zone, units: first.units, onClose: () => setQuestion(null) };
  return (
    <Card>
      <CardHead level={2} title="Patients who were never admitted" />
      <ul className="list sum-notes" aria-label="Patients who were never admitted">
        {stays.map((stay) => {
          const sentence = unknownStaySentence(stay, { newest, zone: first.time_zone });
          return (
            <li key={stay.id} className="row wrap">
              <span className="num grow">{sentence}</span>
              {first.may.decide && (
                <span className="row row-1">
                  <Button
                    variant="outline"
                    color="neutral"
                    size="sm"
                    label={`Count: ${sentence}`}
                    onClick={() => setQuestion({ kind: 'count', stay })}
                  >
                    Count
                  </Button>
                  <Button
                    variant="ghost"
                    color="neutral"
                    size="sm"
                    label={`Leave out: ${sentence}`}
                    onClick={() => setQuestion({ kind: 'leave', stay })}
                  >
                    Leave out
                  </Button>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {query.hasNextPage && (
        <p className="sum-more">
          <Button variant="ghost" isLoading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </p>
      )}
      {asked && question?.kind === 'count' && <CountDialog stay={asked} {...place} />}
      {asked && question?.kind === 'leave' && <LeaveOutDialog stay={asked} {...place} />}
    </Card>
  );
}

function useUnknownStays(facilityId: string) {
  const call = useCall();
  return useInfiniteQuery({
    queryKey: [...summaryKey(facilityId), 'unknown-stays'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(listUnknownStays, {
        params: { facility: facilityId },
        query: pageParam === '' ? {} : { cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}
