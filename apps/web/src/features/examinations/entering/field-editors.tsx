import type { LiveEntry } from '@wardline/client/live/live-store.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { PencilLine } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import { useLive, useLiveEntries } from '#/shared/contexts/live-store.ts';

interface FieldEditorsState {
  /** Who else is in a field now. */
  of(field: string): readonly LiveEntry[];
  /** For what is around the fields, each in an element with `data-field`. */
  readonly around: { onFocus(event: FocusEvent): void; onBlur(event: FocusEvent): void };
}

/** Who is in which field of an examination, and tells the others in which one is oneself. */
export function useFieldEditors({ id, chat_id }: Pick<Examination, 'id' | 'chat_id'>): FieldEditorsState {
  const fields = `chats/${chat_id}/examinations/${id}/fields`;
  const [mine, setMine] = useState<string | null>(null);
  useLive(mine === null ? null : `${fields}/${mine}`, 'editing');
  const entries = useLiveEntries(fields);
  return {
    of: (field) => entries.filter(({ path }) => path === `${fields}/${field}`),
    around: {
      onFocus: ({ target }) => setMine(fieldOf(target)),
      onBlur: ({ relatedTarget }) => setMine(fieldOf(relatedTarget)),
    },
  };
}

function fieldOf(target: EventTarget | null): string | null {
  const around = target instanceof Element ? target.closest<HTMLElement>('[data-field]') : null;
  return around?.dataset['field'] ?? null;
}

/** Who is in a field, by initials and in words; nothing where nobody is. */
export function FieldEditors({ people, myId }: { readonly people: readonly LiveEntry[]; readonly myId: string }) {
  const [first] = people;
  if (first === undefined) return null;
  return (
    <span className="exam-editors">
      <Icon of={PencilLine} size="sm" />
      <Avatar alt={first.name} size={20} />
      <span>{formatEditors(people, myId)}</span>
    </span>
  );
}

function formatEditors(people: readonly LiveEntry[], myId: string): string {
  const names = people.map(({ userId, name }) => (userId === myId ? 'You (another window)' : name || 'A colleague'));
  const [first = '', second] = names;
  if (second === undefined) return people[0]?.userId === myId ? `${first} are editing` : `${first} is editing`;
  return `${names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`} are editing`;
}
