import { dismissUnknownStay, listUnknownStays, type UnknownStay } from '@wardline/contract/census/feed.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { useState } from 'react';
import { summaryKey } from '#/features/census/core/changes/summary-queries.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { usePages } from '#/shared/queries/use-pages.ts';
import { unknownStaySentence } from './unknown-stay-labels.ts';

const CountDialog = lazyPart(async () => (await import('./count-dialog.tsx')).CountDialog, {
  onMissing: closeMissing,
});
const DeclineDialog = lazyPart(async () => (await import('./decline-dialog.tsx')).DeclineDialog, {
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
  const place = { facilityId, newest, zone: first.time_zone, onClose: () => setQuestion(null) };
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
      <ShowMore list={query} />
      {asked && question?.kind === 'count' && <CountDialog stay={asked} units={first.units} {...place} />}
      {asked && question?.kind === 'leave' && <LeaveOut stay={asked} {...place} />}
    </Card>
  );
}

interface LeaveOutProps extends UnknownStaysCardProps {
  readonly stay: UnknownStay;
  readonly zone: string;
  readonly onClose: () => void;
}

/** Says that they were not in. */
function LeaveOut({ facilityId, stay, newest, zone, onClose }: LeaveOutProps) {
  const call = useCall();
  return (
    <DeclineDialog
      facilityId={facilityId}
      title="Leave this patient out?"
      description={`${unknownStaySentence(stay, { newest, zone })} It does not count.`}
      label="Why is it left out?"
      button="Leave out"
      done="Left out"
      onGiven={(given) =>
        call(dismissUnknownStay, {
          params: { facility: facilityId, stay: stay.id },
          body: { ...given, version: stay.version },
        })
      }
      onClose={onClose}
    />
  );
}

function useUnknownStays(facilityId: string) {
  const call = useCall();
  return usePages({
    queryKey: [...summaryKey(facilityId), 'unknown-stays'],
    load: (asked) => call(listUnknownStays, { params: { facility: facilityId }, ...asked }),
  });
}
