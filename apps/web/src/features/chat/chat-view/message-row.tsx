import type { Message, MessageAct } from '@wardline/contract/chat.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Button } from '@wardline/ui/button/button.tsx';
import { MessageRow as Row } from '@wardline/ui/chat/message-row.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Check, CheckCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { systemLine } from '#/features/chat/core/chat-labels.ts';
import type { PendingMessage, Person, Receipt } from '#/features/chat/core/chat-view.ts';
import { PersonLink } from '#/features/chat/core/person-link.tsx';
import { momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import { linkParts } from './link-parts.ts';

interface MessageRowProps {
  readonly message: Message;
  readonly receipt: Receipt | null;
  readonly isOwn: boolean;
  readonly isHead: boolean;
  readonly timeZone: string;
  /** Where a press on the sender's name leads to the chat with them; none in a direct chat, which is that. */
  readonly peopleOf?: Facility | null;
  /** The Tab key stops at its time; arrow keys go on to the others. */
  readonly isTimeInTabOrder?: boolean;
}

/** A message the server has. The head of a group names the sender; the rest keep their time in the margin. */
export function MessageRow(props: MessageRowProps) {
  const { message, receipt, isOwn, isHead, timeZone, peopleOf, isTimeInTabOrder } = props;
  const { sender } = message;
  const time = timeIn(timeZone, Date.parse(message.created_at));
  const name =
    peopleOf && !isOwn ? <PersonLink facilityId={peopleOf.id} person={sender} isInTabOrder={false} /> : sender.name;
  const role = isOwn ? 'you' : (sender.title ?? undefined);
  return (
    <Row
      isOwn={isOwn}
      aria-label={`${isOwn ? 'You' : sender.name}, ${time}`}
      time={{
        label: time,
        dateTime: message.created_at,
        exact: momentIn(timeZone, Date.parse(message.created_at)),
        isInTabOrder: isTimeInTabOrder,
      }}
      sender={isHead ? { avatar: <Avatar alt={sender.name} />, name, role } : undefined}
    >
      <MessageText body={message.body} />
      {receipt && <ReceiptLine receipt={receipt} />}
    </Row>
  );
}

/** Draws what can be done about what a line tells; whose business that is, the chat does not know. */
export type DrawAct = (act: MessageAct, facility: Facility) => ReactNode;

interface NoteRowProps {
  readonly message: Message;
  readonly isOwn: boolean;
  readonly facility: Facility;
  readonly drawAct: DrawAct;
}

/** A line of the system, and what can be done about it. */
export function NoteRow({ message, isOwn, facility, drawAct }: NoteRowProps) {
  const { act, sender, body } = message;
  return (
    <>
      <p className="m-note">{systemLine(isOwn ? 'You' : sender.name, body)}</p>
      {act && drawAct(act, facility)}
    </>
  );
}

export interface PendingActions {
  readonly onRetry: (clientId: string) => void;
  readonly onCopy: (body: string) => void;
  readonly onDiscard: (clientId: string) => void;
}

interface PendingRowProps extends PendingActions {
  readonly pending: PendingMessage;
  readonly isHead: boolean;
  readonly me: Person;
  readonly timeZone: string;
}

/** A message of mine that the server does not have yet: waiting, sending, or failed with what can be done. */
export function PendingRow({ pending, isHead, me, timeZone, ...actions }: PendingRowProps) {
  const time = timeIn(timeZone, Date.parse(pending.writtenAt));
  return (
    <Row
      isOwn
      aria-label={`You, ${time}`}
      time={{
        label: time,
        dateTime: pending.writtenAt,
        exact: momentIn(timeZone, Date.parse(pending.writtenAt)),
      }}
      sender={isHead ? { avatar: <Avatar alt={me.name} />, name: me.name, role: 'you' } : undefined}
      state={
        pending.state === 'failed'
          ? {
              kind: 'failed',
              word: 'Not sent',
              why: pending.reason ?? 'Your text is kept.',
              actions: <FailedActions pending={pending} {...actions} />,
            }
          : { kind: 'pending', word: pending.state === 'sending' ? 'Sending' : 'Waiting to send' }
      }
    >
      <MessageText body={pending.body} />
    </Row>
  );
}

function FailedActions({ pending, onRetry, onCopy, onDiscard }: PendingActions & { pending: PendingMessage }) {
  return (
    <>
      <Button variant="link" size="sm" onClick={() => onRetry(pending.clientId)}>
        Retry
      </Button>
      <Button variant="link" size="sm" onClick={() => onCopy(pending.body)}>
        Copy
      </Button>
      <Button variant="link" size="sm" onClick={() => onDiscard(pending.clientId)}>
        Discard
      </Button>
    </>
  );
}

/** The words of a message as text: line breaks stay, addresses become links, nothing is ever read as markup. */
function MessageText({ body }: { body: string }) {
  return (
    <p className="m-text" dir="auto">
      {linkParts(body).map((part) =>
        part.href ? (
          <a
            key={part.at}
            href={part.href}
            {...(part.href.startsWith('http') ? { target: '_blank', rel: 'noopener noreferrer nofollow' } : {})}
          >
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}

/** How far an own message has got, in a glyph and words. */
function ReceiptLine({ receipt }: { receipt: Receipt }) {
  return (
    <p className="m-read">
      <Icon of={receipt.state === 'sent' ? Check : CheckCheck} size="sm" />
      {formatReceipt(receipt)}
    </p>
  );
}

function formatReceipt(receipt: Receipt): string {
  if (receipt.state === 'sent') return 'Sent';
  if (receipt.state === 'delivered') return `Delivered to ${receipt.count}`;
  return receipt.count >= receipt.of && receipt.of > 1 ? `Read by all ${receipt.of}` : `Read by ${receipt.count}`;
}
