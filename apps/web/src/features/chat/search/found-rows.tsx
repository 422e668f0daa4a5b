import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { FoundFile, FoundMessage, FoundPerson } from '@wardline/contract/chat/search.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formatIdentifier, formatPatient } from '@wardline/format/names.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Mic } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { iconOfKind } from '#/features/chat/attachments/file-icon.ts';
import { chatName, formatSubject, forwardMark } from '#/features/chat/core/chat-labels.ts';
import { ChatMark } from '#/features/chat/core/chat-mark.tsx';
import { chatPath, linkToMessage, personPath } from '#/features/chat/core/chat-paths.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { lastSaid } from '#/features/chat/core/day-label.ts';
import { rememberPerson } from '#/features/chat/core/known-person.ts';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { useQueries } from '#/shared/queries/queries-context.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import { HighlightedText } from './highlighted-text.tsx';

interface Place {
  readonly me: Person;
  /** Of what was found, where I have several. */
  readonly facility: Facility | undefined;
  readonly isOneOfMany: boolean;
  readonly now: number;
}

/** Tells once that a row that somebody waits for is drawn. */
function useSeen(onSeen: (() => void) | undefined): void {
  const seen = useEffectEvent(() => onSeen?.());
  const isWaitedFor = onSeen !== undefined;
  useEffect(() => {
    if (isWaitedFor) seen();
  }, [isWaitedFor]);
}

/** A message that was found: where, by whom, when, and the words; a press leads to it. */
export function FoundMessageRow({
  message,
  me,
  facility,
  isOneOfMany,
  now,
  onSeen,
}: Place & { message: FoundMessage; onSeen?: (() => void) | undefined }) {
  useSeen(onSeen);
  const { chat, sender } = message;
  const at = Date.parse(message.created_at);
  const zone = facility?.time_zone ?? 'UTC';
  return (
    <ListRow
      href={linkToMessage(chat, message.seq)}
      leading={<PersonAvatar name={sender.name} url={null} size={40} />}
      title={chat.patient?.name ?? chat.title}
      mark={
        <>
          {chat.patient && <span className="lrow-id">{formatIdentifier(chat.patient.identifier)}</span>}
          {isOneOfMany && <span className="lrow-id only-desk">{facility?.name}</span>}
        </>
      }
      meta={
        <time dateTime={message.created_at} title={momentIn(zone, at)}>
          {lastSaid(at, now, zone)}
        </time>
      }
      text={
        <>
          {sender.id === me.id ? 'You' : sender.name}: {forwardMark(message.forwarded)}
          <HighlightedText {...message} />
        </>
      }
    />
  );
}

const fileKindLabels: Readonly<Record<string, string>> = {
  image: 'Photo',
  pdf: 'PDF',
  audio: 'Audio',
  video: 'Video',
  office: 'Office document',
  dicom: 'DICOM',
};

/** A file that was found: its name, what it is, where, by whom and when; a press leads to its message. */
export function FoundFileRow({
  file,
  me,
  facility,
  isOneOfMany,
  now,
  onSeen,
}: Place & { file: FoundFile; onSeen?: (() => void) | undefined }) {
  useSeen(onSeen);
  const { chat, sender } = file;
  const at = Date.parse(file.created_at);
  const zone = facility?.time_zone ?? 'UTC';
  const what = file.is_voice ? 'Voice note' : (fileKindLabels[file.kind] ?? 'File');
  return (
    <ListRow
      href={linkToMessage(chat, file.seq)}
      leading={<Avatar alt={what} size={40} icon={file.is_voice ? Mic : iconOfKind(file.kind)} />}
      title={
        <bdi>
          <HighlightedText excerpt={file.name} ranges={file.ranges} />
        </bdi>
      }
      mark={isOneOfMany && <span className="lrow-id only-desk">{facility?.name}</span>}
      meta={
        <time dateTime={file.created_at} title={momentIn(zone, at)}>
          {lastSaid(at, now, zone)}
        </time>
      }
      text={`${what} from ${sender.id === me.id ? 'you' : sender.name} · ${chat.patient ? formatPatient(chat.patient) : chat.title}`}
    />
  );
}

/** A chat or patient that was found, with what tells it from others. */
export function FoundChatRow({ chat, me, facility, isOneOfMany, now }: Place & { chat: Chat }) {
  const zone = facility?.time_zone ?? 'UTC';
  const at = Date.parse(chat.last_message?.created_at ?? chat.created_at);
  return (
    <ListRow
      href={chatPath(chat)}
      leading={<ChatMark chat={chat} me={me} />}
      title={chatName(chat, me)}
      mark={isOneOfMany && <span className="lrow-id only-desk">{facility?.name}</span>}
      meta={
        <time dateTime={new Date(at).toISOString()} title={momentIn(zone, at)}>
          {lastSaid(at, now, zone)}
        </time>
      }
      text={formatSubject(chat)}
    />
  );
}

/** A person that was found; a press opens the chat with them. */
export function FoundPersonRow({
  person,
  facility,
  isOneOfMany,
}: Pick<Place, 'facility' | 'isOneOfMany'> & { person: FoundPerson }) {
  const queries = useQueries();
  const { facility_id, ...known } = person;
  return (
    <ListRow
      href={personPath(facility_id, person.user_id)}
      onClick={() => rememberPerson(queries, facility_id, known)}
      leading={<PersonAvatar name={person.name} url={person.avatar_url} size={40} />}
      title={person.name}
      text={[person.title, isOneOfMany && facility?.name].filter(Boolean).join(' · ')}
    />
  );
}
