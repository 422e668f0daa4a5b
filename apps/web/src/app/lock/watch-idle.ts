import { forgetLock, LOCKED, SEEN } from './lock-mark.ts';

const INPUT = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** Pressed in the menu of the account. */
const LOCK_NOW = 'wardline-lock-now';

/** Covers the screens of this person's tabs; one that does not listen yet finds the mark as soon as it does. */
export function lockNow(userId: string): void {
  write(LOCKED, userId);
  window.dispatchEvent(new Event(LOCK_NOW));
}

const checkMs = 5_000;

interface IdleOptions {
  readonly userId: string;
  readonly afterMs: number;
  /** Also told by the other tabs. */
  readonly onChange: (isLocked: boolean) => void;
}

interface IdleWatch {
  /** The server has confirmed who is here: in all tabs. */
  unlock(): void;
  stop(): void;
}

/** Covers the screens of all tabs once nobody has touched any of them for so long, or at once when asked. */
export function watchIdle({ userId, afterMs, onChange }: IdleOptions): IdleWatch {
  let isLocked = false;
  let seen = Date.now();
  let noted = 0;
  const set = (next: boolean) => {
    if (next === isLocked) return;
    isLocked = next;
    seen = Date.now();
    onChange(next);
  };
  const lock = () => {
    write(LOCKED, userId);
    set(true);
  };
  const check = () => {
    // Another tab may have been used. A clock that was set back does not keep the screen open.
    const last = Math.min(Math.max(seen, Number(read(SEEN) ?? 0)), Date.now());
    seen = last;
    if (!isLocked && Date.now() - last >= afterMs) lock();
  };
  const note = () => {
    if (isLocked) return;
    // The first touch after a computer has slept comes before any timer.
    check();
    if (isLocked) return;
    seen = Date.now();
    if (Math.abs(seen - noted) < checkMs) return;
    noted = seen;
    write(SEEN, String(seen));
  };
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === LOCKED) set(newValue === userId);
  };
  const timer = setInterval(check, checkMs);
  const capture = { capture: true, passive: true } as const;
  for (const name of INPUT) window.addEventListener(name, note, capture);
  window.addEventListener('storage', onStorage);
  window.addEventListener(LOCK_NOW, lock);
  document.addEventListener('visibilitychange', check);
  // Locked while this was on its way.
  if (read(LOCKED) === userId) set(true);
  note();
  return {
    unlock() {
      forgetLock();
      set(false);
      note();
    },
    stop() {
      clearInterval(timer);
      for (const name of INPUT) window.removeEventListener(name, note, capture);
      window.removeEventListener('storage', onStorage);
      window.removeEventListener(LOCK_NOW, lock);
      document.removeEventListener('visibilitychange', check);
    },
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Not allowed: this tab locks by itself, and a reload asks the server who is here.
  }
}
