import type { KeyboardEvent } from 'react';

/** Enter alone, which sends or saves; not with Shift, and not while an input method is composing (229 where the flag comes late). */
export function isEnter(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false;
  return !event.nativeEvent.isComposing && event.keyCode !== 229;
}
