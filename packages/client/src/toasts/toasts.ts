import { createSource, type Observable } from '#/observable.ts';
import { schedule as pageSchedule, type Schedule } from '#/schedule.ts';
import { createCountdown } from './countdown.ts';
import { checkToast, isBlank, makeToast, type Toast, type ToastInput } from './toast.ts';

export const TOAST_DURATION_MS = 5000;
export const MOST_TOASTS = 5;
/** How long a closed toast stays in the list, so that it can be seen leaving. */
export const LEAVE_MS = 200;

export interface ToastDeps {
  readonly now?: () => number;
  readonly schedule?: Schedule;
  readonly max?: number;
  readonly duration?: number;
  /** What is said before each announcement. */
  readonly label?: string;
}

/** The toasts of a page, oldest first (TOAST-1). */
export interface Toasts<Icon = string> extends Observable<readonly Toast<Icon>[]> {
  readonly label: string;
  /** Puts a toast in the queue; one appears per tick, and the oldest makes room. Throws for an invalid one. */
  add(input: ToastInput<Icon>): Toast<Icon>;
  /** Changes a part of a toast; a new duration begins anew. Nothing where there is no such toast. */
  update(id: string, change: Partial<ToastInput<Icon>>): void;
  /** Lets a toast leave: not open from now on, gone after 200 ms. */
  close(id: string): void;
  /** Takes away all at once, also those that still wait in the queue. */
  clear(): void;
  /** While somebody reads, no toast runs down. */
  pause(): void;
  resume(): void;
  readonly isPaused: Observable<boolean>;
  /** Milliseconds until a toast closes by itself; null for one that doesn't, or whose time has not begun. */
  remaining(id: string): number | null;
}

/** Makes the toasts of a page. Throws for a blank label. */
export function createToasts<Icon = string>(deps: ToastDeps = {}): Toasts<Icon> {
  const {
    now = () => performance.now(),
    schedule = pageSchedule,
    max = MOST_TOASTS,
    duration = TOAST_DURATION_MS,
  } = deps;
  const label = deps.label ?? 'Notification';
  if (isBlank(label)) {
    throw new Error('Invalid prop `label` supplied to `ToastProvider`. Expected non-empty `string`.');
  }
  const shown = createSource<readonly Toast<Icon>[]>([]);
  const isPaused = createSource(false);
  const countdown = createCountdown({ now, schedule, onEnd: (id) => close(id) });
  let count = 0;

  const show = (next: Toast<Icon>): void => {
    const all = [...shown.get(), next];
    const kept = all.slice(Math.max(0, all.length - max));
    for (const dropped of all.slice(0, all.length - kept.length)) countdown.end(dropped.id);
    if (kept.includes(next)) countdown.begin(next.id, next.duration);
    shown.set(kept);
  };
  const queue = createToastQueue(schedule, show);
  const replace = (id: string, change: (toast: Toast<Icon>) => Toast<Icon>): void => {
    const apply = (toast: Toast<Icon>) => (toast.id === id ? change(toast) : toast);
    queue.change((toasts) => toasts.map(apply));
    if (shown.get().some((toast) => toast.id === id)) shown.set(shown.get().map(apply));
  };
  const find = (id: string) => [...shown.get(), ...queue.get()].find((toast) => toast.id === id);

  const close = (id: string): void => {
    queue.change((toasts) => toasts.filter((toast) => toast.id !== id));
    if (find(id)?.open !== true) return;
    countdown.end(id);
    replace(id, (toast) => ({ ...toast, open: false }));
    schedule(() => shown.set(shown.get().filter((toast) => toast.id !== id)), LEAVE_MS);
  };
  const hold = (isHeld: boolean): void => {
    if (isHeld) countdown.pause();
    else countdown.resume();
    isPaused.set(isHeld);
  };

  return {
    label,
    get: shown.get,
    subscribe: shown.subscribe,
    add(input) {
      count += 1;
      const toast = makeToast(`toast-${count}`, duration, input);
      queue.add(toast);
      return toast;
    },
    update(id, change) {
      const before = find(id);
      if (before === undefined) return;
      const after: Toast<Icon> = { ...before, ...change };
      checkToast(after);
      replace(id, () => after);
      const isRunning = after.open && shown.get().includes(after);
      if (isRunning && after.duration !== before.duration) countdown.begin(id, after.duration);
    },
    close,
    clear() {
      for (const toast of shown.get()) countdown.end(toast.id);
      queue.change(() => []);
      shown.set([]);
    },
    pause: () => hold(true),
    resume: () => hold(false),
    isPaused,
    remaining: countdown.remaining,
  };
}

/** What waits to be shown: one toast per tick. */
function createToastQueue<Icon>(schedule: Schedule, show: (toast: Toast<Icon>) => void) {
  let queue: readonly Toast<Icon>[] = [];
  let isShowing = false;

  const showNext = (): void => {
    if (isShowing || queue.length === 0) return;
    isShowing = true;
    schedule(() => {
      isShowing = false;
      const [next, ...rest] = queue;
      queue = rest;
      if (next !== undefined) show(next);
      showNext();
    }, 0);
  };

  return {
    get: () => queue,
    add(toast: Toast<Icon>): void {
      queue = [...queue, toast];
      showNext();
    },
    change(apply: (queue: readonly Toast<Icon>[]) => readonly Toast<Icon>[]): void {
      queue = apply(queue);
    },
  };
}
