/** What was typed before the field was there. */
export interface TypedAhead {
  readonly text: string;
  /** Enter came last. */
  readonly isEntered: boolean;
}

/** Keeps what is typed between the shortcut that opens a field and the moment the field has the focus. */
export interface TypeAhead {
  start(): void;
  /** Ends it and hands over what was typed. */
  take(): TypedAhead;
}

const MOST = 80;
const nothing: TypedAhead = { text: '', isEntered: false };

/** Escape before the field is there takes the wish back. */
export function createTypeAhead(onEscape: () => void): TypeAhead {
  let typed = nothing;
  const onKey = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? nothing : withKey(typed, event);
    if (next === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    typed = next;
    if (event.key === 'Escape') onEscape();
  };
  return {
    start() {
      typed = nothing;
      window.addEventListener('keydown', onKey, true);
    },
    take() {
      window.removeEventListener('keydown', onKey, true);
      const taken = typed;
      typed = nothing;
      return taken;
    },
  };
}

/** Null for a key that writes nothing. */
function withKey(typed: TypedAhead, { key, repeat, ctrlKey, altKey, metaKey }: KeyboardEvent): TypedAhead | null {
  const { text } = typed;
  // AltGr comes as Ctrl and Alt.
  if (metaKey || (ctrlKey && !altKey)) return null;
  // A key that is held, as the one that pressed a button, is no second press.
  if (key === 'Enter') return repeat ? typed : { text, isEntered: text.trim() !== '' };
  if (key === 'Backspace') return { text: [...text].slice(0, -1).join(''), isEntered: false };
  if ([...key].length !== 1) return null;
  return text.length < MOST ? { text: text + key, isEntered: false } : typed;
}
