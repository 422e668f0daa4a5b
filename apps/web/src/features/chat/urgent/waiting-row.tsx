import { serverNow } from '@wardline/client/server-clock.ts';
import { acceptUrgent, type WaitingUrgent } from '@wardline/contract/urgent-acts.ts';
import { formatList } from '@wardline/format/names.ts';
import { formatMinutesAgo } from '@wardline/format/times.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Check, OctagonAlert } from 'lucide-react';
import { useState } from 'react';
import { formatIdentifier } from '#/features/chat/core/chat-labels.ts';
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
  const { waits_for, patient, chat_title, sender, excerpt, sent_at } = item;
  const isMine = waits_for === 'others';
  return (
    <div className="lrow is-urgent urgent-row">
      <div className="urgent-row-body">
        <p className="urgent-row-head">
          <Badge tone="solid-error" icon={OctagonAlert}>
            Urgent
          </Badge>
          <b>{patient?.name ?? chat_title}</b>
          {patient && <span className="muted">{formatIdentifier(patient.identifier)}</span>}
        </p>
        <p className="urgent-row-text" dir="auto">
          <OneLine text={excerpt} />
        </p>
        <p className="muted">
          {isMine ? 'You' : sender.name} · {formatMinutesAgo(serverNow() - Date.parse(sent_at))}
          {isMine ? ` · ${formatMissing(item)}` : waits_for === 'act' ? ' · You acknowledged it' : ''}
        </p>
        {error && (
          <p className="c-error" role="alert">
            {error}
          </p>
        )}
      </div>
      <div className="urgent-row-acts">
        {waits_for === 'accept' && (
          <Button size="xl" icon={Check} isLoading={isBusy} onClick={acknowledge}>
            Acknowledge
          </Button>
        )}
        <Button
          asChild
          size="lg"
          variant={waits_for === 'act' ? 'solid' : 'outline'}
          color={waits_for === 'act' ? 'primary' : 'neutral'}
        >
          <Link href={urgentPath(item)}>{waits_for === 'act' ? 'Say what was done' : 'Open'}</Link>
        </Button>
      </div>
    </div>
  );
}

/** Who of those that were called has not accepted it. */
export function formatMissing({ state, missing }: WaitingUrgent): string {
  if (state === 'accepted') return 'acknowledged, not done yet';
  if (state === 'exhausted') return 'nobody acknowledged it and nobody is left to call';
  if (missing.length === 0) return 'nobody could be called yet';
  return `not acknowledged by ${formatList(missing.map(({ name, has_seen }) => (has_seen ? `${name} (seen)` : name)))}`;
}
