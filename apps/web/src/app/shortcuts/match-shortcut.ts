/** What a press of keys asks for. */
export type ShortcutAction =
  | { readonly type: 'palette' }
  | { readonly type: 'sheet' }
  | { readonly type: 'go'; readonly path: string };

/** The parts of a KeyboardEvent that matter here. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly target: EventTarget | null;
}

interface ShortcutOptions {
  readonly now: () => number;
  /** Keys without Ctrl or ⌘ get in the way of speech input and can be switched off (WCAG 2.1.4). */
  readonly hasSingleKeys: () => boolean;
}

/** The second key after G, and where it leads. */
export const GO_KEYS: Readonly<Record<string, string>> = { d: '/dashboard', c: '/chats', n: '/census', s: '/settings' };
const sequenceMs = 1500;

/** Tells what each press asks for: Ctrl or ⌘ with K everywhere; ? and G followed by a letter where nobody is typing. */
export function createShortcutMatcher({ now, hasSingleKeys }: ShortcutOptions) {
  let wentAt = Number.NEGATIVE_INFINITY;
  return (press: KeyPress): ShortcutAction | null => {
    const key = press.key.toLowerCase();
    if (press.isComposing || press.altKey) return null;
    if (press.ctrlKey || press.metaKey) return key === 'k' ? { type: 'palette' } : null;
    if (!hasSingleKeys() || isTypedInto(press.target)) return null;
    const isSecond = now() - wentAt < sequenceMs;
    wentAt = key === 'g' ? now() : Number.NEGATIVE_INFINITY;
    if (key === '?') return { type: 'sheet' };
    const path = isSecond ? GO_KEYS[key] : undefined;
    return path === undefined ? null : { type: 'go', path };
  };
}

/** Where a key is a letter of a text or moves in a menu, it is no shortcut. */
function isTypedInto(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]') !== null
  );
}
