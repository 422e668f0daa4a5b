/** The signs that Ctrl or ⌘ with a letter puts around what is selected. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '_' };

/** The mark that this press asks for; null for every other key. */
export function markOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  return (ctrlKey || metaKey) && !altKey && !shiftKey ? (MARKS[key.toLowerCase()] ?? null) : null;
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Puts the mark around the selection, or takes it away where it stands already; one step for the browser's Undo. */
export function markSelection(textarea: HTMLTextAreaElement, mark: string): void {
  const { selectionStart: from, selectionEnd: to, value } = textarea;
  const length = mark.length;
  const isMarked = value.slice(from - length, from) === mark && value.slice(to, to + length) === mark;
  const selected = value.slice(from, to);
  if (isMarked) textarea.setSelectionRange(from - length, to + length);
  // Deprecated without another in its place: nothing else that writes is known to the browser's Undo.
  document.execCommand('insertText', false, isMarked ? selected : mark + selected + mark);
  const start = isMarked ? from - length : from + length;
  textarea.setSelectionRange(start, start + selected.length);
}
