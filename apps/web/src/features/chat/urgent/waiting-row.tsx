import { serverNow } from '@wardline/client/server-clock.ts';
import { acceptUrgent, type WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { formatIdentifier, formatList } from '@wardline/format/names.ts';
import { formatMinutesAgo } from '@wardline/format/times.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Check, OctagonAlert } from 'lucide-react';
import { useState } from 'react';
import { linkToMessage } from '#/features/chat/core/chat-paths.ts';
import { OneLine } from '#/features/chat/message-text/one-line.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { useRefreshUrgent } from './use-waiting-urgent.ts';

/** The way to the message in its chat. */
export function urgentPath({ chat_id: id, facility_id, seq }: WaitingUrgent): string {
  return linkToMessage({ id, facility_id }, seq);
}

/** Accepts one from outside of its chat; what went wrong is said where it was pressed. */
export function useAcknowledge(item: WaitingUrgent | undefined) {
  const call = useCall();
  const refresh = useRefreshUrgent();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const acknowledge = async () => {
    if (!item) return;
    setIsBusy(true);
    setError(null);
    try {
      await call(acceptUrgent, { params: { chat: item.chat_id, message: item.message_id } });
    } catch (failure) {
      setError(`Not acknowledged. ${formatAction(failure)}`);
    }
    await refresh();
    setIsBusy(false);
  };
  return { acknowledge: () => void acknowledge(), isBusy, error };
}

/** One urgent message of the dashboard, with what it waits for. */
export function WaitingRow({ item }: { readonly item: WaitingUrgent }) {
  useNow();
  const { acknowledge, isBusy, error } = useAcknowledge(item);
  const { waits_for, patient, chat_title, sender, excerpt, sent_at, critical } = item;
  const isMine = waits_for === 'others';
  /** What is asked is done here, or by others; a critical result is read back in its chat. */
  const isHere = isMine || (waits_for === 'accept' && !critical);
  return (
    <div className="lrow is-urgent urgent-row">
      <div className="urgent-row-body">
        <p className="urgent-row-head">
          <Badge tone="solid-error" icon={OctagonAlert}>
            {critical ? 'Critical' : 'Urgent'}
          </Badge>
          <b>{patient?.name ?? chat_title}</b>
          {patient && <span className="muted">{formatIdentifier(patient.identifier)}</span>}
        </p>
        <p className="urgent-row-text" dir="auto">
          <OneLine text={excerpt} />
        </p>
        <p className="muted">
          {isMine ? 'You' : sender.name} · {formatMinutesAgo(serverNow() - Date.parse(sent_at))}
          {isMine
            ? ` · ${formatMissing(item)}`
            : waits_for === 'act'
              ? ` · You ${critical ? 'read it back' : 'acknowledged it'}`
              : ''}
        </p>
        {error && (
          <p className="c-error" role="alert">
            {error}
          </p>
        )}
      </div>
      <div className="urgent-row-acts">
        {waits_for === 'accept' && !critical && (
          <Button size="xl" icon={Check} isLoading={isBusy} onClick={acknowledge}>
            Acknowledge
          </Button>
        )}
        <Button asChild size="lg" variant={isHere ? 'outline' : 'solid'} color={isHere ? 'neutral' : 'primary'}>
          <Link href={urgentPath(item)}>
            {waits_for === 'act' ? 'Say what was done' : isHere ? 'Open' : 'Read it back'}
          </Link>
        </Button>
      </div>
    </div>
  );
}

/** Who of those that were called has not accepted it. */
export function formatMissing({ state, missing, critical }: WaitingUrgent): string {
  const word = critical ? 'read back' : 'acknowledged';
  if (state === 'accepted') return `${word}, not done yet`;
  if (state === 'exhausted')
    return `nobody ${critical ? 'read it back' : 'acknowledged it'} and nobody is left to call`;
  if (missing.length === 0) return 'nobody could be called yet';
  return `not ${word} by ${formatList(missing.map(({ name, has_seen }) => (has_seen ? `${name} (seen)` : name)))}`;
}
