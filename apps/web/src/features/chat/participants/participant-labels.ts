import type { Chat, Participant, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { mayManageChat } from '#/features/chat/core/chat-labels.ts';

/** What one may do with the people of a chat; the server asks the same. */
export interface PeopleRights {
  /** Two people make a direct chat: nobody is added to it, and each may only leave. */
  readonly mayManage: boolean;
  /** Why not, and who could; null where one may. */
  readonly whyNot: string | null;
}

export const accessLabels: Readonly<Record<ParticipantAccess, string>> = {
  read: 'Can read',
  write: 'Can read and write',
  manage: 'Manages the chat',
};

export function peopleRights(chat: Chat, facility: Facility, people: readonly Participant[]): PeopleRights {
  if (chat.kind === 'direct') {
    const { direct_role: role } = chat;
    const whom = role ? `${role.person ? role.person.name : 'you'} and whoever holds ${role.name}` : 'two people';
    return { mayManage: false, whyNot: `A direct chat is between ${whom}. For more, start a new chat.` };
  }
  if (mayManageChat(chat, facility)) return { mayManage: true, whyNot: null };
  const managers = managersOf(people).map(({ name }) => name);
  const who = managers.length > 0 ? `Ask ${formatNames(managers, 'or')}.` : 'Ask a facility administrator.';
  return { mayManage: false, whyNot: `You can’t add or remove people here. ${who}` };
}

/** Why one has to stay for now: an announcement without a manager has nobody who could write in it. */
export function stayReason(chat: Chat, people: readonly Participant[], myId: string): string | null {
  const others = people.filter(({ user_id }) => user_id !== myId);
  const isLast = chat.kind === 'announcement' && chat.my.access === 'manage' && managersOf(others).length === 0;
  if (!isLast || others.length === 0) return null;
  return 'Nobody else manages this announcement. Let someone else manage it before you leave.';
}

/** Who manages the chat once its last manager has left: of those who may write and stay, who has read furthest. The server says the same. */
function heirOf(others: readonly Participant[]): Participant | undefined {
  const [heir] = others
    .filter(({ access, is_by_role, emergency_until }) => access === 'write' && !is_by_role && !emergency_until)
    .sort((a, b) => b.read_seq - a.read_seq || (a.user_id < b.user_id ? -1 : 1));
  return heir;
}

/** What leaving means for those who stay, and for oneself. */
export function leaveWarning(chat: Chat, people: readonly Participant[], myId: string): string {
  const others = people.filter(({ user_id }) => user_id !== myId);
  if (people.length > 0) {
    if (others.length === 0) return 'You are the last person here. Nobody can read this chat once you leave.';
    if (chat.my.access === 'manage' && managersOf(others).length === 0) {
      const heir = heirOf(others);
      return heir
        ? `You are the only one who manages this chat. ${heir.name} will manage it once you leave; for somebody else, let them manage it first.`
        : 'You are the only one who manages this chat. Once you leave, nobody left in it may be able to add or remove people.';
    }
  }
  return 'You will not see its messages any more, and it is taken off your devices. The others see that you left.';
}

/** How far somebody has got, in words. */
export function formatMarker({ read_seq, delivered_seq }: Participant, headSeq: number): string {
  if (headSeq === 0) return 'no messages yet';
  if (read_seq >= headSeq) return 'has read everything';
  const unread = headSeq - read_seq;
  return delivered_seq >= headSeq ? `${unread} unread, delivered` : `${unread} unread`;
}

/** `Ana`, `Ana and Mira`, `Ana, Mira and 2 others`; with `or` between them where one of them is meant. */
export function formatNames(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} ${word} ${last}`;
}

function managersOf(people: readonly Participant[]): Participant[] {
  return people.filter(({ access }) => access === 'manage');
}
