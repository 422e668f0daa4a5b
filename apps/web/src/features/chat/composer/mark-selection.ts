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
