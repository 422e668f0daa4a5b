import type { LiveEntry } from '@wardline/client/live/live-store.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
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

interface FieldEditorsProps {
  readonly id: string;
  readonly people: readonly LiveEntry[];
  readonly myId: string;
  /** The name alone is shown; what they do is said. */
  readonly isShort: boolean;
}

/** Who is in a field, by initials and name, in a line that has its place anyway; nothing where nobody is. */
export function FieldEditors({ id, people, myId, isShort }: FieldEditorsProps) {
  const [first] = people;
  if (first === undefined) return null;
  const names = formatNames(people.map(({ userId, name }) => (userId === myId ? YOU : name || 'A colleague')));
  const text = `${names} ${people.length > 1 || names === YOU ? 'are' : 'is'} editing`;
  return (
    <span className="exam-editors" id={id} title={text}>
      <Avatar alt={first.name} size={16} />
      <span className="clip">
        {names}
        <span className={isShort ? 'sr' : undefined}>{text.slice(names.length)}</span>
      </span>
    </span>
  );
}

const YOU = 'You (another window)';

function formatNames([first = '', second, ...others]: readonly string[]): string {
  if (second === undefined) return first;
  return others.length === 0 ? `${first} and ${second}` : `${first} and ${others.length + 1} others`;
}
