import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import type { Message, MessageAct } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Button } from '@wardline/ui/button/button.tsx';
import { MessageRow as Row } from '@wardline/ui/chat/message-row.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Check, CheckCheck, Ellipsis } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { forwardMark, systemLine } from '#/features/chat/core/chat-labels.ts';
import type { PendingMessage, Person, Receipt, RefusedChange } from '#/features/chat/core/chat-view.ts';
import { PersonLink } from '#/features/chat/core/person-link.tsx';
import { photoBox, photosClass } from '#/features/chat/core/photo-box.ts';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import type { ForwardedFromProps } from '#/features/chat/message-acts/message-marks.tsx';
import type { PendingActions } from '#/features/chat/message-acts/unsent-actions.tsx';
import { MessageText } from '#/features/chat/message-text/message-text.tsx';
import type { UrgentCardProps } from '#/features/chat/urgent/urgent-card.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { momentIn, timeIn } from '#/shared/time/zoned-time.ts';

const MessageTools = lazyPart(
  async () => (await import('#/features/chat/message-acts/message-tools.tsx')).MessageTools,
  { whileLoading: ({ more }) => more },
);
const loadUnsent = () => import('#/features/chat/message-acts/unsent-actions.tsx');
const FailedActions = lazyPart(async () => (await loadUnsent()).FailedActions);
const RefusedActions = lazyPart(async () => (await loadUnsent()).RefusedActions);
const EditForm = lazyPart(async () => (await import('#/features/chat/message-acts/edit-form.tsx')).EditForm);
const Quote = lazyPart(async () => (await import('#/features/chat/message-acts/quote.tsx')).Quote, {
  whileLoading: () => <p className="m-quote" />,
});
const Reactions = lazyPart(async () => (await import('#/features/chat/message-acts/reactions.tsx')).Reactions, {
  whileLoading: () => <div className="m-reactions" />,
});
const Citations = lazyPart(async () => (await import('#/features/chat/citations/citations.tsx')).Citations, {
  whileLoading: () => <div className="m-act" />,
});
const loadMarks = () => import('#/features/chat/message-acts/message-marks.tsx');
const ForwardedFrom = lazyPart(async () => (await loadMarks()).ForwardedFrom, {
  whileLoading: PlainForward,
  whenMissing: PlainForward,
});
const MessageFiles = lazyPart(async () => (await import('./message-files.tsx')).MessageFiles, {
  whileLoading: FileBoxes,
  whenMissing: FileBoxes,
});
const PendingFiles = lazyPart(async () => (await import('#/features/chat/attachments/file-tray.tsx')).PendingFiles);
const NobodyOnCall = lazyPart(async () => (await loadMarks()).NobodyOnCall);
const PinnedBy = lazyPart(async () => (await loadMarks()).PinnedBy);
const Edited = lazyPart(async () => (await loadMarks()).Edited, { whenMissing: () => 'Edited' });
const UrgentCard = lazyPart(async () => (await import('#/features/chat/urgent/urgent-card.tsx')).UrgentCard, {
  whileLoading: PlainUrgent,
  whenMissing: PlainUrgent,
});
const Tombstone = lazyPart(async () => (await loadMarks()).Tombstone, {
  whileLoading: PlainTombstone,
  whenMissing: PlainTombstone,
});

interface MessageRowProps {
  readonly message: Message;
  readonly receipt: Receipt | null;
  /** My changes of it that the server will not have. */
  readonly refused?: readonly RefusedChange[] | undefined;
  /** Its text is not stored as it is shown. */
  readonly isUnsaved?: boolean | undefined;
  /** What can be done to it; nothing where it is left out. */
  readonly acts?: MessageActs;
  readonly isOwn: boolean;
  readonly isHead: boolean;
  readonly timeZone: string;
  /** Where a press on the sender's name leads to the chat with them; none in a direct chat, which is that. */
  readonly peopleOf?: Facility | null;
  /** The Tab key stops at its time; arrow keys go on to the others. */
  readonly isTimeInTabOrder?: boolean;
  /** Somebody was led here. */
  readonly isShown?: boolean;
}

/**
 * A message the server has. The head of a group names the sender; the rest keep their time in the margin. What can be done to it comes anew
 * with each message of the chat, and does the same: only where it looks different is the row drawn again.
 */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, receipt, refused, isUnsaved, acts, isOwn, isHead, timeZone, peopleOf, isTimeInTabOrder } = props;
  const { isShown = false } = props;
  const { sender } = message;
  const { tools, approach } = useTools(message, acts, isTimeInTabOrder);
  const row = useFocusWhenShown(isShown);
  const time = timeIn(timeZone, Date.parse(message.created_at));
  const name =
    peopleOf && !isOwn ? <PersonLink facilityId={peopleOf.id} person={sender} isInTabOrder={false} /> : sender.name;
  const role = message.sender_role ? `as ${message.sender_role}` : isOwn ? 'you' : (sender.title ?? undefined);
  return (
    <Row
      ref={row}
      isOwn={isOwn}
      isFocused={isShown}
      {...approach}
      {...(refused?.[0] && acts ? { state: refusedState(message, refused[0], acts) } : {})}
      {...(isUnsaved ? { state: { kind: 'pending', word: 'Waiting to save' } as const } : {})}
      tools={tools}
      aria-label={`${isOwn ? 'You' : sender.name}, ${time}`}
      time={{
        label: time,
        dateTime: message.created_at,
        exact: momentIn(timeZone, Date.parse(message.created_at)),
        isInTabOrder: isTimeInTabOrder,
      }}
      sender={isHead ? { avatar: <Avatar alt={sender.name} />, name, role } : undefined}
    >
      {message.deleted ? (
        <Tombstone deleted={message.deleted} by={isOwn ? 'you' : sender.name} timeZone={timeZone} />
      ) : (
        <MessageBody {...{ message, receipt, timeZone, isUnsaved }} acts={acts} />
      )}
    </Row>
  );
}, isSameLook);

function isSameLook(before: MessageRowProps, after: MessageRowProps): boolean {
  const was = lookOf(before);
  return Object.entries(lookOf(after)).every(([name, value]) => value === was[name]);
}

/** All that a row shows. What its acts do is no part of it: those of an earlier drawing do the same. */
function lookOf({ acts, receipt, ...rest }: MessageRowProps): Readonly<Record<string, unknown>> {
  return {
    ...rest,
    receipt: receipt && formatReceipt(receipt),
    quote: rest.message.reply_to_seq && acts?.quoted(rest.message.reply_to_seq),
    editing: acts?.editing,
    mayReact: acts?.mayReact,
    mayWrite: acts?.mayWrite,
    mayMark: acts?.onMarkUnread === null,
  };
}

interface MessageBodyProps extends Pick<MessageRowProps, 'message' | 'receipt' | 'timeZone' | 'isUnsaved'> {
  readonly acts: MessageActs | undefined;
}

function MessageBody({ message, receipt, timeZone, isUnsaved, acts }: MessageBodyProps) {
  const { id, body, mentions, edited_at, reply_to_seq, urgent, reactions = [], attachments = [], citations } = message;
  if (acts?.editing?.messageId === message.id) return <EditForm message={message} acts={acts} />;
  const text = (body || attachments.length === 0) && (
    <MessageText messageId={id} body={body} mentions={mentions} myId={acts?.myId} />
  );
  return (
    <>
      {acts && reply_to_seq && <QuoteIn seq={reply_to_seq} acts={acts} />}
      {message.forwarded && (
        <ForwardedFrom {...{ message, timeZone }} forwarded={message.forwarded} myId={acts?.myId} />
      )}
      {urgent ? <UrgentCard {...{ message, timeZone, acts, isUnsaved }}>{text}</UrgentCard> : text}
      {citations && <Citations citations={citations} chat={acts?.chat} />}
      {attachments.length > 0 && (
        <MessageFiles chatId={message.chat_id} files={attachments} sender={message.sender.name} />
      )}
      {acts && reactions.length > 0 && <Reactions message={message} acts={acts} />}
      {mentions?.some(({ holder_id }) => holder_id === null) && <NobodyOnCall mentions={mentions} />}
      {message.pinned && <PinnedBy by={message.pinned} myId={acts?.myId} />}
      {edited_at && <Edited {...{ message, timeZone, acts }} at={edited_at} />}
      {receipt && <ReceiptLine receipt={receipt} />}
    </>
  );
}

/** As large as what comes: nothing moves when it does. */
function FileBoxes({ files }: { readonly files: readonly Attachment[] }) {
  const pictures = files.filter(({ kind }) => kind === 'image');
  return (
    <div className="m-files">
      <div className={photosClass(pictures.length)}>
        {pictures.map(({ id, width, height }) => (
          <div key={id} className="m-photo" style={photoBox(width, height)} />
        ))}
      </div>
      {files.map(
        ({ id, kind, name }) =>
          kind !== 'image' && (
            <div key={id} className="filechip">
              {name}
            </div>
          ),
      )}
    </div>
  );
}

/** The least that has to stand over what another said, whatever does not load. */
function PlainForward({ forwarded }: ForwardedFromProps) {
  return <p className="m-quote">{forwardMark(forwarded)}</p>;
}

/** As high as the card that comes in its place, so that nothing jumps under a finger. */
function PlainUrgent({ children }: UrgentCardProps) {
  return <div className="m-urgent">{children}</div>;
}

function PlainTombstone() {
  return <p className="m-gone">Deleted</p>;
}

function QuoteIn({ seq, acts }: { seq: number; acts: MessageActs }) {
  const { myId, quoted, onQuoteSeen, onShow } = acts;
  return <Quote seq={seq} message={quoted(seq)} me={{ id: myId }} onSeen={onQuoteSeen} onShow={onShow} />;
}

/** Whoever is led to a message goes on from there by keyboard. */
function useFocusWhenShown(isShown: boolean) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isShown) row.current?.querySelector<HTMLElement>('.m-when')?.focus({ preventScroll: true });
  }, [isShown]);
  return row;
}

/**
 * What can be done comes once a pointer or the focus is on the row; a finger presses the button that is always there. The Tab
 * key stops at it where it stops at the time.
 */
function useTools(message: Message, acts: MessageActs | undefined, isInTabOrder = false) {
  const [wanted, setWanted] = useState<'no' | 'near' | 'open'>('no');
  const isEditing = acts?.editing?.messageId === message.id;
  // The menu in which that was chosen is over: it must not open by itself where the tools are back.
  if (isEditing && wanted !== 'no') setWanted('no');
  if (!acts || message.deleted || isEditing) return { tools: undefined, approach: {} };
  const near = () => setWanted((now) => (now === 'no' ? 'near' : now));
  const more = (
    <Button
      className="m-more"
      variant="ghost"
      color="neutral"
      size="sm"
      iconOnly
      icon={Ellipsis}
      label="More"
      tabIndex={isInTabOrder ? 0 : -1}
      onClick={() => setWanted('open')}
    />
  );
  return {
    tools: wanted === 'no' ? more : <MessageTools {...{ message, acts, more }} isWanted={wanted === 'open'} />,
    approach: {
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && near(),
      // Not from the button itself: what is pressed must not be replaced under the finger.
      onFocus: ({ target }: FocusEvent) => !target.classList.contains('m-more') && near(),
      // Another row has the focus now; of an open menu, which stands elsewhere, it comes back.
      onBlur({ currentTarget, relatedTarget }: FocusEvent) {
        const isElsewhere = relatedTarget?.closest('[role="log"]') && !currentTarget.contains(relatedTarget);
        if (isElsewhere) setWanted('no');
      },
      onKeyDown(event: KeyboardEvent) {
        const key = event.key.toLowerCase();
        const isMine = message.sender.id === acts.myId;
        const act = {
          r: acts.onReply,
          ...(isMine
            ? { e: message.forwarded || message.urgent ? undefined : acts.onEdit, delete: acts.onDelete }
            : {}),
        }[key];
        if (!acts.mayWrite || !act || !isPlainKeyAtTime(event)) return;
        event.preventDefault();
        act(message);
      },
    },
  };
}

/** A letter pressed where the arrow keys walk, which is no place to type. */
function isPlainKeyAtTime({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.classList.contains('m-when') && !ctrlKey && !metaKey && !altKey;
}

/** What was refused is kept until its author decides; a text is opened again over the one that stands now. */
function refusedState(message: Message, refused: RefusedChange, acts: MessageActs) {
  const { payload, reason } = refused;
  const why = payload.type === 'edit' ? `${reason ?? ''} Your text: ${payload.body}` : (reason ?? undefined);
  return {
    kind: 'failed',
    word: 'Not saved',
    why,
    actions: <RefusedActions {...{ message, refused, acts }} />,
  } as const;
}

/** Draws what can be done about what a line tells; whose business that is, the chat does not know. */
export type DrawAct = (act: MessageAct, facility: Facility, line: Message) => ReactNode;

interface NoteRowProps {
  readonly message: Message;
  readonly isOwn: boolean;
  readonly isShown?: boolean;
  readonly facility: Facility;
  readonly drawAct: DrawAct;
}

/** A line of the system, and what can be done about it. */
export function NoteRow({ message, isOwn, isShown = false, facility, drawAct }: NoteRowProps) {
  const { act, sender, body, deleted } = message;
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isShown) line.current?.focus({ preventScroll: true });
  }, [isShown]);
  return (
    <>
      <p className="m-note" ref={line} tabIndex={-1}>
        {deleted ? deleted.reason : systemLine(isOwn ? 'You' : sender.name, body)}
      </p>
      {act && drawAct(act, facility, message)}
    </>
  );
}

interface PendingRowProps extends PendingActions {
  readonly pending: PendingMessage;
  readonly isHead: boolean;
  readonly me: Person;
  readonly timeZone: string;
  readonly acts?: MessageActs;
}

/** A message of mine that the server does not have yet: waiting, sending, or failed with what can be done. */
export function PendingRow({ pending, isHead, me, timeZone, acts, ...actions }: PendingRowProps) {
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
          : { kind: 'pending', word: waitingWord(pending) }
      }
    >
      {acts && pending.replyToSeq && <QuoteIn seq={pending.replyToSeq} acts={acts} />}
      {pending.forwarded && <ForwardedFrom forwarded={pending.forwarded} myId={me.id} timeZone={timeZone} />}
      {pending.body && <MessageText messageId={pending.clientId} body={pending.body} mentions={pending.mentions} />}
      {pending.citations && <Citations citations={pending.citations} chat={acts?.chat} />}
      {pending.files && <PendingFiles files={pending.files} />}
    </Row>
  );
}

/** Of an urgent one that nothing has begun yet. */
function waitingWord({ state, urgent }: PendingMessage): string {
  const word = state === 'sending' ? 'Sending' : 'Waiting to send';
  return urgent ? `${word}. Nobody has been called yet.` : word;
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
