import type { Chat, Mention, Participant } from '@wardline/contract/chat/chat.ts';
import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react';
import { type Candidate, findPeople, type MentionQuery, mentionQuery } from './find-people.ts';
import { useOfferedRoles } from './use-offered-roles.ts';

export interface MentionListProps {
  readonly textarea: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  /** Where they are: its on-call roles are called too. */
  readonly chat: Pick<Chat, 'id' | 'head_seq'>;
  readonly people: readonly Participant[];
  readonly myId: string;
  /** Everybody at once is for who manages the chat. */
  readonly mayCallAll: boolean;
  readonly onPick: (text: string, mention: Mention) => void;
}

/** The people and roles of a chat whose name is being written after an '@': chosen by arrow keys and Enter, or by a press. */
export function MentionList({ textarea, text, chat, people, myId, mayCallAll, onPick }: MentionListProps) {
  const id = useId();
  const [caret, setCaret] = useCaret(textarea, text);
  const roles = useOfferedRoles(chat.id, chat.head_seq);
  const [left, setLeft] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const query = caret === null ? null : mentionQuery(text, caret);
  const isOpen = query !== null && query.start !== left;
  const found = isOpen ? findPeople(query.written, { people, roles, myId, mayCallAll }) : [];
  const chosen = found[Math.min(active, found.length - 1)];
  useListboxOf(textarea, chosen ? { list: id, option: `${id}-${found.indexOf(chosen)}` } : null);

  const pick = ({ kind, id: personId, name }: Candidate, { start, written }: MentionQuery) => {
    const after = text.slice(start + 1 + written.length);
    const before = `${text.slice(0, start)}@${name} `;
    setActive(0);
    // With the text: a key that follows at once must not be read by where the caret was.
    setCaret(before.length);
    onPick(before + after.replace(/^ /u, ''), { kind, id: personId, name });
    // Once the box has the new text.
    setTimeout(() => textarea.current?.setSelectionRange(before.length, before.length));
  };
  useKeys(textarea, (key) => {
    if (!chosen || query === null) return false;
    if (key === 'Escape') setLeft(query.start);
    else if (key === 'Enter' || key === 'Tab') pick(chosen, query);
    else if (key === 'ArrowDown') setActive((found.indexOf(chosen) + 1) % found.length);
    else if (key === 'ArrowUp') setActive((found.indexOf(chosen) + found.length - 1) % found.length);
    else return false;
    return true;
  });

  if (!chosen || query === null) return null;
  return (
    <>
      <div className="mention-list float" role="listbox" id={id} aria-label="Mention">
        {found.map((candidate, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus
          <div
            key={candidate.id ?? 'all'}
            id={`${id}-${index}`}
            className="mention"
            role="option"
            tabIndex={-1}
            aria-selected={candidate === chosen}
            // The box keeps the focus, and on a phone its keyboard.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(candidate, query)}
          >
            <span className="mention-name">{candidate.kind === 'all' ? '@all' : candidate.name}</span>
            <span className="muted">{candidate.title}</span>
          </div>
        ))}
      </div>
      <p className="sr" role="status">
        {found.length} to mention, arrow keys choose, Enter mentions
      </p>
    </>
  );
}

/** Where the caret is in the box; null while the focus is elsewhere or something is selected. */
function useCaret(textarea: RefObject<HTMLTextAreaElement | null>, text: string) {
  const [caret, setCaret] = useState<number | null>(null);
  const look = useEffectEvent(() => {
    const box = textarea.current;
    const isHere = box !== null && document.activeElement === box && box.selectionStart === box.selectionEnd;
    setCaret(isHere ? box.selectionStart : null);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret moves with the text
  useEffect(() => look(), [text]);
  useEffect(() => {
    const kinds = ['selectionchange', 'focusin', 'focusout'] as const;
    const listener = () => look();
    for (const kind of kinds) document.addEventListener(kind, listener);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, listener);
    };
  }, []);
  return [caret, setCaret] as const;
}

/** The keys go to the list before the box takes them as its own; true for one that the list has used. */
function useKeys(textarea: RefObject<HTMLTextAreaElement | null>, onKey: (key: string) => boolean): void {
  const take = useEffectEvent((event: KeyboardEvent) => {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (!onKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const box = textarea.current;
    const listener = (event: KeyboardEvent) => take(event);
    box?.addEventListener('keydown', listener);
    return () => box?.removeEventListener('keydown', listener);
  }, [textarea]);
}

/** Says to the box which option is chosen; it stays a text box of several lines, which may have a list beside it. */
function useListboxOf(
  textarea: RefObject<HTMLTextAreaElement | null>,
  shown: { readonly list: string; readonly option: string } | null,
): void {
  const { list, option } = shown ?? {};
  useEffect(() => {
    const box = textarea.current;
    if (!box || !list || !option) return;
    const said = {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': list,
      'aria-activedescendant': option,
    };
    for (const [name, value] of Object.entries(said)) box.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(said)) box.removeAttribute(name);
    };
  }, [textarea, list, option]);
}
