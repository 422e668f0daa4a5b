import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { formatIdentifier, formatList } from '@wardline/format/names.ts';
import { formatMinutesAgo } from '@wardline/format/times.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Check, OctagonAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { linkToMessage } from '#/features/chat/core/chat-paths.ts';
import type { MessageChange } from '#/features/chat/core/chat-view.ts';
import { OneLine } from '#/features/chat/message-text/one-line.tsx';
import { useChatRuntime } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import { useUnsentChanges } from '#/features/chat/runtime/hooks.ts';
import { useNow } from '#/shared/time/use-now.ts';
import { KEPT_HERE } from './urgent-labels.ts';
import { useRefreshUrgent } from './use-waiting-urgent.ts';

/** The way to the message in its chat. */
export function urgentPath({ chat_id: id, facility_id, seq }: WaitingUrgent): string {
  return linkToMessage({ id, facility_id }, seq);
}

/** My acknowledgement of a message that waits on this device or was refused. */
function isAcceptOf(messageId: string | undefined, { payload }: OutboxItem<MessageChange>): boolean {
  return payload.type === 'urgent' && payload.act === 'accept' && payload.messageId === messageId;
}

/** Whether my acknowledgement of a message waits on this device, wherever it was pressed. */
export function useIsKept(): (item: WaitingUrgent) => boolean {
  const changes = useUnsentChanges();
  return ({ message_id }) => changes.some((change) => change.state !== 'failed' && isAcceptOf(message_id, change));
}

/**
 * Accepts one from outside of its chat: the press is kept on this device and sent as one in the chat is. What went wrong is
 * said where it was pressed.
 */
export function useAcknowledge(item: WaitingUrgent) {
  const { unsentChanges } = useChatRuntime();
  const refresh = useEffectEvent(useRefreshUrgent());
  const change = useUnsentChanges().findLast((one) => isAcceptOf(item.message_id, one));
  const isKept = change !== undefined && change.state !== 'failed';
  const [isWaiting, setIsWaiting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (isKept && !isWaiting) setIsWaiting(true);
  // What came of it is asked for before the button is back.
  useEffect(() => {
    if (isWaiting && !isKept) void refresh().finally(() => setIsWaiting(false));
  }, [isWaiting, isKept]);
  const acknowledge = async () => {
    setError(null);
    const { chat_id: lane, message_id: messageId } = item;
    const payload = { type: 'urgent', act: 'accept', messageId } as const;
    const writtenAt = new Date().toISOString();
    try {
      if (change) await unsentChanges.retry(change.clientId);
      else await unsentChanges.add({ clientId: uuidv7(), lane, payload, writtenAt });
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Try again.');
    }
  };
  const why = error ?? (isKept ? null : change?.reason);
  return {
    acknowledge: () => void acknowledge(),
    isKept,
    isBusy: isWaiting && !isKept,
    error: why ? `Not acknowledged. ${why}` : null,
  };
}

/** One urgent message of the dashboard, with what it waits for. */
export function WaitingRow({ item }: { readonly item: WaitingUrgent }) {
  useNow();
  const { acknowledge, isKept, isBusy, error } = useAcknowledge(item);
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
        {isKept && <p className="muted">{KEPT_HERE}</p>}
        {error && (
          <p className="c-error" role="alert">
            {error}
          </p>
        )}
      </div>
      <div className="urgent-row-acts">
        {waits_for === 'accept' && !critical && !isKept && (
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
