import type { Mention, Participant } from '@wardline/contract/chat/chat.ts';
import type { OfferedRole } from './use-offered-roles.ts';

const LONGEST_QUERY = 40;
const SHOWN = 8;

/** Whom somebody is about to call: where the '@' stands, and what was written since. */
export interface MentionQuery {
  readonly start: number;
  readonly written: string;
}

/** What is being written before the caret, where that is a name after an '@'; null where it is anything else. */
export function mentionQuery(text: string, caret: number): MentionQuery | null {
  const start = text.lastIndexOf('@', caret - 1);
  if (start < 0 || caret <= start || !/^[\s(]?$/u.test(text.slice(Math.max(0, start - 1), start))) return null;
  const written = text.slice(start + 1, caret);
  return written.length > LONGEST_QUERY || /^\s|\n/u.test(written) ? null : { start, written };
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

interface Place {
  readonly people: readonly Participant[];
  /** The on-call roles of the chat. */
  readonly roles: readonly OfferedRole[];
  readonly myId: string;
  readonly mayCallAll: boolean;
}

export interface Candidate extends Mention {
  /** What stands under the name. */
  readonly title: string | null;
}

/** Those of a chat, its roles too, whose name has words that begin so; nobody once a whole name and a space stand there. */
export function findPeople(written: string, { people, roles, myId, mayCallAll }: Place): Candidate[] {
  const parts = plain(written).split(/\s+/u).filter(Boolean);
  const fits = (name: string) => {
    const ofName = plain(name).split(/[\s-]+/u);
    return parts.every((part) => ofName.some((word) => word.startsWith(part)));
  };
  const others: readonly Candidate[] = [
    ...people.flatMap(({ user_id: id, name, title }) => (id === myId ? [] : [{ kind: 'user', id, name, title }])),
    // Whom I would call as its holder is me.
    ...roles.flatMap((role) => (role.is_retired || role.holder?.user_id === myId ? [] : [toCandidate(role)])),
  ];
  const names = [...others.map(({ name }) => name), ...(mayCallAll ? ['all'] : [])];
  if (/\s$/u.test(written) && names.some((name) => plain(name) === plain(written).trim())) return [];
  const all = { kind: 'all', id: null, name: 'all', title: `Everyone in this chat, ${people.length} people` };
  const found = others.filter(({ name }) => fits(name));
  const begins = (name: string) => plain(name).startsWith(parts[0] ?? '');
  const ordered = [...found.filter(({ name }) => begins(name)), ...found.filter(({ name }) => !begins(name))];
  return [
    ...ordered.slice(0, SHOWN),
    ...(mayCallAll && parts.length < 2 && 'all'.startsWith(parts[0] ?? '') ? [all] : []),
  ];
}

function toCandidate({ role_id: id, name, holder }: OfferedRole): Candidate {
  const known = holder ? `On call: ${holder.name}` : 'On call: nobody now';
  return { kind: 'role', id, name, title: holder === undefined ? 'On-call role' : known };
}
