import type { WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { formatIdentifier, formatPatient } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Check } from 'lucide-react';
import { OneLine } from '#/features/chat/message-text/one-line.tsx';
import { KEPT_HERE } from './urgent-labels.ts';
import { useNoteDelivered, useUrgentChanges, useWaitingUrgent } from './use-waiting-urgent.ts';
import { urgentPath, useAcknowledge, useIsKept } from './waiting-row.tsx';
import './urgent-banner.css';

const NONE: readonly WaitingUrgent[] = [];

/** Over every page: the urgent message that has waited longest for me, and how many more there are (URG-2). */
export function UrgentBanner({ userId }: { readonly userId: string }) {
  useUrgentChanges(userId);
  const { data, dataUpdatedAt } = useWaitingUrgent('me');
  const waiting = data?.data.filter(({ waits_for }) => waits_for === 'accept') ?? [];
  useNoteDelivered(data?.data ?? NONE, dataUpdatedAt);
  const isKept = useIsKept();
  const first = waiting[0];
  return (
    <>
      {first && (
        <Waiting
          key={first.message_id}
          first={first}
          more={(data?.counts.accept ?? 0) - 1}
          // Not in the place of the first: what is pressed twice would answer for a message that nobody has read.
          next={waiting.find((item) => !isKept(item))}
        />
      )}
      <NobodyLeft />
    </>
  );
}

interface WaitingProps {
  readonly first: WaitingUrgent;
  readonly more: number;
  /** The first that is not answered here yet. */
  readonly next: WaitingUrgent | undefined;
}

function Waiting({ first, more, next }: WaitingProps) {
  const { acknowledge, isKept, isBusy, error } = useAcknowledge(first);
  const { critical } = first;
  return (
    <Banner
      tone="error"
      isFlush
      className="urgent-banner"
      title={`${critical ? 'Critical result' : 'Urgent'} from ${first.sender.name}.`}
      action={
        <span className="urgent-banner-acts">
          {!critical && !isKept && (
            <Button size="lg" icon={Check} isLoading={isBusy} onClick={acknowledge}>
              Acknowledge
            </Button>
          )}
          <Button asChild size="lg" {...(critical ? {} : { variant: 'outline', color: 'neutral' })}>
            <Link href={urgentPath(first)}>{critical ? 'Read it back' : 'Open'}</Link>
          </Button>
          {isKept && next && (
            <Button asChild size="lg">
              <Link href={urgentPath(next)}>Open the next</Link>
            </Button>
          )}
        </span>
      }
    >
      {more > 0 && `${more} more waiting. `}
      {isKept && `${KEPT_HERE} `}
      {error && `${error} `}
      <span className="urgent-banner-text">
        {whoseIsIt(first)}
        <OneLine text={first.excerpt} />
      </span>
    </Banner>
  );
}

/** The name and second identifier of the patient, as far as the words do not say them themselves. */
function whoseIsIt({ patient, excerpt }: WaitingUrgent): string {
  if (!patient) return '';
  const missing = [
    ...(excerpt.includes(patient.name) ? [] : [patient.name]),
    ...(excerpt.includes(patient.identifier) ? [] : [formatIdentifier(patient.identifier)]),
  ];
  return missing.length > 0 ? `${missing.join(', ')}: ` : '';
}

/** Of mine that nobody has answered, with nobody left to call. */
function NobodyLeft() {
  const { data } = useWaitingUrgent('others');
  const first = data?.data.find(({ state }) => state === 'exhausted');
  if (!first) return null;
  return (
    <Banner
      tone="error"
      isFlush
      title={
        first.critical ? 'Nobody has read back your critical result.' : 'Nobody has acknowledged your urgent message.'
      }
      action={<Link href={urgentPath(first)}>Open</Link>}
    >
      {first.patient ? formatPatient(first.patient) : first.chat_title}. There is nobody left to call: call by
      telephone.
    </Banner>
  );
}
