import type { Message } from '@wardline/contract/chat/chat.ts';
import { URGENT_NOTE_MAX, Urgent } from '@wardline/contract/chat/urgent.ts';
import { formatList } from '@wardline/format/names.ts';
import { formatUrgentEntry } from '@wardline/format/urgent-entry.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Check, Clock, OctagonAlert, PhoneCall } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { ReadBack } from '#/features/chat/critical/read-back.tsx';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { CATEGORY_LABELS } from '#/shared/critical/critical-labels.ts';
import { CriticalSteps } from '#/shared/critical/critical-steps.tsx';
import { useNow } from '#/shared/time/use-now.ts';
import { momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import { formatNext, formatTargets, isOpen, KEPT_HERE } from './urgent-labels.ts';
import './urgent.css';

export interface UrgentCardProps {
  readonly message: Message;
  readonly timeZone: string;
  readonly acts: MessageActs | undefined;
  /** What I did about it is not stored yet. */
  readonly isUnsaved: boolean | undefined;
  /** The words. */
  readonly children: ReactNode;
}

const EVERY_MS = 15_000;

/** An urgent message with how far its call has got, and the one thing to do about it. */
export function UrgentCard({ message, timeZone, acts, isUnsaved = false, children }: UrgentCardProps) {
  const now = useNow(EVERY_MS);
  const { data: urgent } = z.safeParse(Urgent, message.urgent);
  // A later build's: the words are there, and what can be done about them is on a device that knows it.
  if (!urgent) return children;
  const next = formatNext(urgent, now);
  const open = isOpen(urgent);
  const { critical = null } = urgent;
  return (
    <section
      className={open ? 'urgent is-open' : 'urgent'}
      aria-label={critical ? 'Critical result' : 'Urgent message'}
    >
      <p className="urgent-head">
        <Badge tone={open ? 'solid-error' : 'neutral'} icon={OctagonAlert}>
          {(critical ? 'Critical' : 'Urgent') + WORDS[urgent.state]}
        </Badge>
        {critical && <span className="semi">{CATEGORY_LABELS[critical.category].word}</span>}
        <span>
          To <b>{formatTargets(urgent.targets, acts?.myId)}</b>
        </span>
      </p>
      {children}
      {critical ? (
        <CriticalSteps alert={critical} timeZone={timeZone} />
      ) : (
        <Steps {...{ urgent, timeZone }} myId={acts?.myId} />
      )}
      {urgent.state === 'exhausted' && (
        <p className="urgent-over" role="note">
          <Icon of={PhoneCall} size="sm" />
          Nobody has {critical ? 'read it back' : 'acknowledged it'}, and there is nobody left to call. Call by
          telephone.
        </p>
      )}
      {acts && open && <Acts {...{ message, urgent, acts, isUnsaved }} />}
      {next && (
        <p className="urgent-next">
          <Icon of={Clock} size="sm" />
          {next}
        </p>
      )}
      <History {...{ urgent, timeZone }} myId={acts?.myId} />
    </section>
  );
}

const WORDS = { calling: '', exhausted: '', accepted: '', closed: ', closed', withdrawn: ', withdrawn' } as const;

interface PartProps {
  readonly urgent: Urgent;
  readonly timeZone: string;
  readonly myId: string | undefined;
}

/** The public timeline in five steps. */
function Steps({ urgent, timeZone, myId }: PartProps) {
  return (
    <ol className="urgent-steps">
      {stepsOf(urgent, { timeZone, myId }).map(({ label, text, is }) => (
        <li key={label} className={is}>
          <b>{label}</b> <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

interface Step {
  readonly label: string;
  readonly text: string;
  /** Over, what is waited for now, or not yet. */
  readonly is: 'is-past' | 'is-now' | 'is-ahead';
}

function stepsOf(urgent: Urgent, { timeZone, myId }: Pick<PartProps, 'timeZone' | 'myId'>): Step[] {
  const { people, entries, state } = urgent;
  const at = (instant: string | undefined) => (instant ? timeIn(timeZone, Date.parse(instant)) : '');
  const nameOf = (userId: string, name: string) => (userId === myId ? 'you' : name);
  const entryOf = (kind: string) => entries.find((entry) => entry.kind === kind);
  const [onDevices, seen, accepted] = (['delivered_at', 'seen_at', 'accepted_at'] as const).map((when) =>
    people.filter((person) => person[when] !== null),
  );
  const of = (some: typeof people = []) => `${some.length} of ${people.length}`;
  const isMine = people.some(({ user_id, accepted_at }) => user_id === myId && accepted_at === null);
  const [acted, withdrawn] = [entryOf('acted'), entryOf('withdrawn')];
  const isAccepted = (accepted?.length ?? 0) > 0;
  const waiting = state === 'withdrawn' ? 'nobody' : isMine ? 'waiting for you' : 'nobody yet';
  const end = withdrawn ?? acted;
  return [
    { label: 'Sent', text: at(entryOf('sent')?.at), is: 'is-past' },
    { label: 'On devices', text: of(onDevices), is: onDevices?.length ? 'is-past' : 'is-ahead' },
    {
      label: 'Seen',
      text: seen?.length === 1 && seen[0] ? nameOf(seen[0].user_id, seen[0].name) : of(seen),
      is: seen?.length ? 'is-past' : 'is-ahead',
    },
    {
      label: 'Acknowledged',
      text: isAccepted ? formatList((accepted ?? []).map((one) => nameOf(one.user_id, one.name))) : waiting,
      is: isAccepted ? 'is-past' : state === 'withdrawn' ? 'is-ahead' : 'is-now',
    },
    {
      label: withdrawn ? 'Withdrawn' : 'Done',
      text: end ? at(end.at) : 'not yet',
      is: end ? 'is-past' : isAccepted ? 'is-now' : 'is-ahead',
    },
  ];
}

interface ActsProps {
  readonly message: Message;
  readonly urgent: Urgent;
  readonly acts: MessageActs;
  readonly isUnsaved: boolean;
}

/** One big button for who was called; then what was done. The sender can take it back. */
function Acts({ message, urgent, acts, isUnsaved }: ActsProps) {
  const me = urgent.people.find(({ user_id }) => user_id === acts.myId);
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const change = (what: { act: 'accept' } | { act: 'close' | 'withdraw'; note: string }) =>
    acts.change({ type: 'urgent', messageId: message.id, ...what });
  if (isUnsaved) return <p className="urgent-next">{KEPT_HERE}</p>;
  if (isWithdrawing) {
    return (
      <NoteForm
        label="Why is it no longer needed?"
        button="Withdraw"
        onCancel={() => setIsWithdrawing(false)}
        onSubmit={(note) => change({ act: 'withdraw', note })}
      />
    );
  }
  if (me?.accepted_at != null) {
    return <NoteForm label="What was done?" button="Done" onSubmit={(note) => change({ act: 'close', note })} />;
  }
  const isTaken = urgent.state === 'accepted';
  const { critical } = urgent;
  return (
    <div className="urgent-acts">
      {me && critical && !isTaken && <ReadBack alert={critical} message={message} />}
      {me && !critical && (
        <Button
          size={isTaken ? 'md' : 'xl'}
          variant={isTaken ? 'outline' : 'solid'}
          icon={Check}
          onClick={() => change({ act: 'accept' })}
        >
          {isTaken ? 'Acknowledge too' : 'Acknowledge'}
        </Button>
      )}
      {message.sender.id === acts.myId && (
        <Button variant="outline" color="neutral" onClick={() => setIsWithdrawing(true)}>
          Withdraw
        </Button>
      )}
    </div>
  );
}

interface NoteFormProps {
  readonly label: string;
  readonly button: string;
  readonly onSubmit: (note: string) => void;
  readonly onCancel?: () => void;
}

function NoteForm({ label, button, onSubmit, onCancel }: NoteFormProps) {
  const [note, setNote] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (note.trim() === '') return setError('Say it in a few words; everyone in the chat sees it.');
    onSubmit(note.trim());
  };
  return (
    <form className="urgent-note" onSubmit={submit} noValidate>
      <TextInput
        label={label}
        value={note}
        maxLength={URGENT_NOTE_MAX}
        dir="auto"
        autoComplete="off"
        error={error}
        onChange={(event) => {
          setNote(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" size="lg" icon={Check}>
        {button}
      </Button>
      {onCancel && (
        <Button variant="ghost" color="neutral" size="lg" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </form>
  );
}

/** Everything that happened, and who has not answered. */
function History({ urgent, timeZone, myId }: PartProps) {
  const isCritical = Boolean(urgent.critical);
  const lines = urgent.entries.flatMap((entry) => {
    const text = formatUrgentEntry(entry, myId, isCritical);
    return text === null ? [] : [{ at: entry.at, text }];
  });
  const done = urgent.entries.findLast(({ kind }) => kind === 'acted' || kind === 'withdrawn');
  const missing = urgent.people.filter(({ accepted_at }) => accepted_at === null);
  return (
    <>
      {done && <p className="urgent-done">{formatUrgentEntry(done, myId)}</p>}
      <details className="urgent-history">
        <summary>Timeline</summary>
        <ol>
          {lines.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <time dateTime={at} title={momentIn(timeZone, Date.parse(at))}>
                {timeIn(timeZone, Date.parse(at))}
              </time>{' '}
              {text}
            </li>
          ))}
        </ol>
        {missing.length > 0 && (
          <ul aria-label={isCritical ? 'Not read back by' : 'Not acknowledged by'}>
            {missing.map(({ user_id, name, role, seen_at, delivered_at }) => (
              <li key={user_id}>
                <b>{user_id === myId ? 'You' : name}</b>
                {role && `, ${role}`}:{' '}
                {seen_at
                  ? `seen, not ${isCritical ? 'read back' : 'acknowledged'}`
                  : delivered_at
                    ? 'on a device, not seen'
                    : 'not on a device yet'}
              </li>
            ))}
          </ul>
        )}
      </details>
    </>
  );
}
