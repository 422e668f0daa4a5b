/** What is filled in: the end of a line that ends in a colon, with the marks of bold or italic around it. */
const gap = /:(?:\*\*|\*|_)?[^\S\n]*$/gmu;

/**
 * Puts a template into the box at the caret, on lines of its own; what was typed stays. The caret goes to the first gap, and
 * Tab from there to the next ones, until there is none or the box loses the focus.
 */
export function insertTemplate(box: HTMLTextAreaElement, body: string): void {
  const { value, selectionEnd: caret } = box;
  const [before, after] = [value.slice(0, caret), value.slice(caret)];
  const opening = before === '' || before.endsWith('\n') ? '' : '\n';
  const closing = after === '' || after.startsWith('\n') ? '' : '\n';
  // Bold ends only before a space, so what is written next stands behind one.
  const text = body.replace(gap, (mark) => `${mark.trimEnd()} `);
  box.focus();
  box.setSelectionRange(caret, caret);
  // Deprecated without another in its place: nothing else that writes is known to the browser's Undo.
  document.execCommand('insertText', false, opening + text + closing);
  const start = caret + opening.length;
  const first = nextGap(text, 0) ?? text.length;
  box.setSelectionRange(start + first, start + first);
  goThroughGaps(box);
}

/** Where the first gap after this place is; null where there is none. */
function nextGap(text: string, from: number): number | null {
  for (const match of text.matchAll(gap)) {
    const end = match.index + match[0].length;
    if (end > from) return end;
  }
  return null;
}

/** Tab only ever goes forward, and leaves the box from the last gap: nobody is caught in it. */
function goThroughGaps(box: HTMLTextAreaElement): void {
  const end = () => {
    box.removeEventListener('keydown', onKeyDown);
    box.removeEventListener('blur', end);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // With a list of people open, Tab chooses from it.
    if (event.key !== 'Tab' || event.isComposing || box.hasAttribute('aria-activedescendant')) return;
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = nextGap(box.value, box.selectionEnd);
    if (next === null) return end();
    event.preventDefault();
    box.setSelectionRange(next, next);
  };
  box.addEventListener('keydown', onKeyDown);
  box.addEventListener('blur', end);
}
