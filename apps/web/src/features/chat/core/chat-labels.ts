import { type Chat, type Forwarded, type Message, WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatIdentifier, formatPatient } from '@wardline/format/names.ts';
import { formatBirthDate } from '#/shared/time/zoned-time.ts';
import type { Person } from './chat-view.ts';

export const kindLabels: Readonly<Record<Chat['kind'], string>> = {
  case: 'Patient',
  group: 'Team',
  direct: 'Direct',
  announcement: 'Announcement',
};

export const formatState: Readonly<Record<Chat['state'], string>> = {
  open: 'Open',
  handed_over: 'Handed over',
  closed: 'Closed',
  archived: 'Archived',
};

/** Whom or what a chat is about: the patient's name in a case, the other person of a direct one, the title elsewhere. */
export function chatName(chat: Chat, me: Pick<Person, 'name'>): string {
  if (chat.patient) return chat.patient.name;
  if (chat.kind !== 'direct' || chat.direct) return chat.title;
  // A back end that does not say who the other is names both in the title.
  const others = chat.title.split(', ').filter((name) => name !== me.name);
  return others.length > 0 ? others.join(', ') : chat.title;
}

/** The same where no line under it tells a patient from another of the same name. */
export function fullChatName(chat: Chat, me: Pick<Person, 'name'>): string {
  return chat.patient ? formatPatient(chat.patient) : chatName(chat, me);
}

/** The line under the name: two identifiers of the patient, the title of the other person, or who is in the chat. */
export function formatSubject(chat: Chat): string {
  if (chat.direct)
    return chat.direct.is_member ? (chat.direct.title ?? kindLabels.direct) : 'No longer in this facility';
  const role = chat.direct_role;
  if (role) return role.person ? `As ${role.name}` : 'On-call role';
  if (!chat.patient) return `${kindLabels[chat.kind]} · ${formatPeople(chat.participant_count)}`;
  return formatIdentifiers(chat.patient);
}

/** What tells a patient from another of the same name. */
export function formatIdentifiers({
  identifier,
  born_on,
}: Pick<NonNullable<Chat['patient']>, 'identifier' | 'born_on'>) {
  return born_on ? `${formatIdentifier(identifier)} · born ${formatBirthDate(born_on)}` : formatIdentifier(identifier);
}

/** Before the words of a forwarded message where there is room for a line: a value without its patient is dangerous. */
export function forwardMark(forwarded: Forwarded | null | undefined): string {
  if (!forwarded) return '';
  return forwarded.patient ? `Forwarded about ${forwarded.patient.name}: ` : 'Forwarded: ';
}

/** What stands for files where there is room for a line alone; `files_label` of the database says the same. */
export function filesLabel(files: readonly { readonly name: string; readonly kind?: string }[] = []): string {
  const [first] = files;
  if (!first) return '';
  if (files.length > 1) return `${files.length} ${files.every(({ kind }) => kind === 'image') ? 'photos' : 'files'}`;
  const word = { image: 'Photo', video: 'Video', audio: 'Audio' }[first.kind ?? ''];
  return word ?? `File: ${first.name}`;
}

/** A message in one line: its words, or what stands for its files. */
export function inOneLine({ body, attachments }: Pick<Message, 'body' | 'attachments'>): string {
  return body || filesLabel(attachments);
}

/** True where a chat asks for no attention now: it is muted for a time, or only urgent messages or none come through. */
export function isMuted({ my }: Chat, now: number): boolean {
  const { notify = 'all', muted_until = null } = my;
  return notify === 'urgent' || notify === 'none' || (muted_until !== null && Date.parse(muted_until) > now);
}

/** Whether a chat stands with what is unread: others said something, or I keep it there. */
export function isUnread({ my: { unread, marked_unread_seq = null } }: Chat): boolean {
  return unread > 0 || marked_unread_seq !== null;
}

/** Whether a message that I have not read calls me. */
export function isMentioned({ my: { unread, mention_seq = 0, read_seq } }: Chat): boolean {
  return unread > 0 && mention_seq > read_seq;
}

export function formatPeople(count: number): string {
  return counted(count, 'person', 'people');
}

export function formatUnread(count: number): string {
  return count >= 100 ? 'more than 99 unread' : `${count} unread`;
}

/** The last line of a chat, with who said it: 'You', a name, or nobody for a line of the system. */
export function lastLine(chat: Chat, me: Pick<Person, 'id'>): string {
  const last = chat.last_message;
  if (!last) return 'No messages yet';
  const isMine = last.sender_id === me.id;
  if (last.is_expired) return 'Deleted for its age';
  if (last.kind === 'system') return systemLine(isMine ? 'You' : last.sender_name, last.excerpt);
  if (last.is_deleted) return `${isMine ? 'You' : last.sender_name} deleted a message`;
  if (isMine) return `You: ${last.excerpt}`;
  return chat.kind === 'direct' ? last.excerpt : `${last.sender_name}: ${last.excerpt}`;
}

/** A line of the system: what somebody did ('Ana Reyes closed the chat'), or a sentence of its own ('Alert: …'). */
export function systemLine(who: string, body: string): string {
  // 'Ana is on call … and reads this chat', 'You are … and read …'.
  const said = who === 'You' ? body.replace(/^is\b/, 'are').replace(' and reads ', ' and read ') : body;
  return /^\p{Ll}/u.test(body) ? `${who} ${said}` : body;
}

/** Whether a line says who was let in, called in or out, or may do more or less: as many as before may be others. */
export function tellsOfPeople(kind: Message['kind'], body: string): boolean {
  return (
    kind === 'system' &&
    /^(added|removed|gave|kept|left|called|opened this chat in an emergency|is (no longer|on call))\b/.test(body)
  );
}

/** Whether a tap is still taken here: also from who only reads, not once the chat is over. */
export function mayReact({ state }: Chat): boolean {
  return WRITABLE_STATES.includes(state);
}

/** Whether I may change its people, title and state; the server asks the same. Nobody manages a direct chat. */
export function mayManageChat({ kind, my }: Chat, { permissions }: Facility): boolean {
  return kind !== 'direct' && (my.access === 'manage' || permissions.includes('chats.manage'));
}

/** Why nothing can be written here, or null where it can. */
export function readOnlyReason(chat: Chat): string | null {
  // One that was closed while the other was away is opened again by what is written to them.
  if (chat.direct) return chat.direct.is_member ? null : `${chat.direct.name} is no longer in this facility.`;
  if (!WRITABLE_STATES.includes(chat.state))
    return `This chat is ${formatState[chat.state].toLowerCase()}. New messages can’t be sent.`;
  if (chat.my.access === 'read') {
    return chat.kind === 'announcement'
      ? 'Only those who manage this announcement write in it.'
      : 'You can read this chat but not write in it.';
  }
  return null;
}
