import type { WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { formatIdentifier, formatPatient } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Check } from 'lucide-react';
import { OneLine } from '#/features/chat/message-text/one-line.tsx';
import { useNoteDelivered, useUrgentChanges, useWaitingUrgent } from './use-waiting-urgent.ts';
import { urgentPath, useAcknowledge } from './waiting-row.tsx';
import './urgent-banner.css';

const NONE: readonly WaitingUrgent[] = [];

/** Over every page: the urgent message that has waited longest for me, and how many more there are (URG-2). */
export function UrgentBanner({ userId }: { readonly userId: string }) {
  useUrgentChanges(userId);
  const { data, dataUpdatedAt } = useWaitingUrgent('me');
  const waiting = data?.data.filter(({ waits_for }) => waits_for === 'accept') ?? [];
  useNoteDelivered(data?.data ?? NONE, dataUpdatedAt);
  return (
    <>
      <Waiting first={waiting[0]} more={(data?.counts.accept ?? 0) - 1} />
      <NobodyLeft />
    </>
  );
}

function Waiting({ first, more }: { readonly first: WaitingUrgent | undefined; readonly more: number }) {
  const { acknowledge, isBusy, error } = useAcknowledge(first);
  if (!first) return null;
  return (
    <Banner
      tone="error"
      isFlush
      className="urgent-banner"
      title={`${first.critical ? 'Critical result' : 'Urgent'} from ${first.sender.name}.`}
      action={
        <span className="urgent-banner-acts">
          {!first.critical && (
            <Button size="lg" icon={Check} isLoading={isBusy} onClick={acknowledge}>
              Acknowledge
            </Button>
          )}
          <Button asChild size="lg" {...(first.critical ? {} : { variant: 'outline', color: 'neutral' })}>
            <Link href={urgentPath(first)}>{first.critical ? 'Read it back' : 'Open'}</Link>
          </Button>
        </span>
      }
    >
      {more > 0 && `${more} more waiting. `}
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
