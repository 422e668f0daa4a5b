import type { Forwarded, Mention, Message } from '@wardline/contract/chat/chat.ts';
import { getForwardSource } from '@wardline/contract/chat/chat-changes.ts';
import { formatOnCallAs } from '@wardline/format/names.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Forward, Pin, Trash2, UserRound, UserRoundX } from 'lucide-react';
import { formatIdentifiers } from '#/features/chat/core/chat-labels.ts';
import { linkToMessage } from '#/features/chat/core/chat-paths.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { dayIn, formatDay, momentIn, timeIn } from '#/shared/time/zoned-time.ts';
import type { MessageActs } from './message-acts.ts';
import './message-marks.css';
import { useQuery } from '#/shared/queries/use-query.ts';

export interface ForwardedFromProps {
  readonly forwarded: Forwarded;
  /** Absent while it waits to be sent. */
  readonly message?: Pick<Message, 'id' | 'chat_id'>;
  readonly myId: string | undefined;
  readonly timeZone: string;
}

/** Over the words of a forwarded message: whose they are, since when, about whom, and the way to where they were said. */
export function ForwardedFrom({ forwarded, message, myId, timeZone }: ForwardedFromProps) {
  const { sender, sent_at, patient } = forwarded;
  const at = Date.parse(sent_at);
  const day = formatDay(dayIn(timeZone, at), dayIn(timeZone, Date.now()));
  return (
    <div className="m-forward">
      <p className="m-forward-line">
        <Icon of={Forward} size="sm" />
        <span>
          Forwarded from <b>{sender.id === myId ? 'you' : sender.name}</b>,{' '}
          <time dateTime={sent_at} title={momentIn(timeZone, at)}>{`${day}, ${timeIn(timeZone, at)}`}</time>
          {message && <SourceLink message={message} />}
        </span>
      </p>
      {patient && (
        <p className="m-forward-line m-forward-patient">
          <Icon of={UserRound} size="sm" />
          <span>
            About <b>{patient.name}</b>, {formatIdentifiers(patient)}
          </span>
        </p>
      )}
    </div>
  );
}

/** Only for who may read it: the server is asked, since what all in the chat are told does not say where it comes from. */
function SourceLink({ message: { id, chat_id } }: { readonly message: Pick<Message, 'id' | 'chat_id'> }) {
  const call = useCall();
  const { data } = useQuery({
    queryKey: ['forward-source', id],
    queryFn: ({ signal }) => call(getForwardSource, { params: { chat: chat_id, message: id }, signal }),
    staleTime: 60_000,
  });
  if (!data?.source) return null;
  const { chat_id: chatId, facility_id, seq } = data.source;
  return (
    <>
      {' · '}
      <Link href={linkToMessage({ id: chatId, facility_id }, seq)}>Show in its chat</Link>
    </>
  );
}

/** Under a message that called an on-call role which nobody held: it has reached nobody yet, and whom it will. */
export function NobodyOnCall({ mentions }: { readonly mentions: readonly Mention[] }) {
  const roles = mentions.flatMap(({ holder_id, name }) => (holder_id === null ? [formatOnCallAs(name)] : []));
  return (
    <p className="m-pinned">
      <Icon of={UserRoundX} size="sm" />
      {`Nobody was ${roles.join(', or ')}. Whoever takes over next is called.`}
    </p>
  );
}

interface PinnedByProps {
  readonly by: NonNullable<Message['pinned']>;
  readonly myId: string | undefined;
}

/** Under a pinned message: who keeps it at hand. */
export function PinnedBy({ by, myId }: PinnedByProps) {
  return (
    <p className="m-pinned">
      <Icon of={Pin} size="sm" />
      Pinned by {by.user_id === myId ? 'you' : by.name}
    </p>
  );
}

interface EditedProps {
  readonly message: Message;
  readonly at: string;
  readonly timeZone: string;
  readonly acts: MessageActs | undefined;
}

/** Under a message whose text was another: when it was changed; a press opens what it said before. */
export function Edited({ message, at, timeZone, acts }: EditedProps) {
  return (
    <button type="button" className="m-edited" onClick={() => acts?.onVersions(message)}>
      Edited {timeIn(timeZone, Date.parse(at))}
    </button>
  );
}

interface TombstoneProps {
  readonly deleted: NonNullable<Message['deleted']>;
  readonly by: string;
  readonly timeZone: string;
}

/** What stays of a message that was deleted. */
export function Tombstone({ deleted, by, timeZone }: TombstoneProps) {
  return (
    <p className="m-gone">
      <Icon of={Trash2} size="sm" />
      <span>
        {deleted.is_expired
          ? deleted.reason
          : `Deleted by ${by}, ${timeIn(timeZone, Date.parse(deleted.at))}: ${deleted.reason}`}
      </span>
    </p>
  );
}
