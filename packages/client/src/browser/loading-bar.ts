import { createSource, type Observable } from '#/observable.ts';
import { schedule as pageSchedule, type Schedule } from '#/schedule.ts';

export interface LoadingBarState {
  /** 0 to 100. */
  readonly progress: number;
  readonly isVisible: boolean;
  /** Whether what was waited for failed; until the next start. */
  readonly hasError: boolean;
  /** In the words of a progress bar: nothing known yet, under way, there. */
  readonly state: 'indeterminate' | 'loading' | 'complete';
}

/** The bar of a page that is on its way (LOAD-1). */
export interface LoadingBar extends Observable<LoadingBarState> {
  /** Something is waited for. The bar shows after the throttle, or never when it was quicker. */
  start(): void;
  /** At least this much is done, 0 to 100; the estimate goes on from there, and 100 finishes. */
  set(progress: number): void;
  /** It has come, or failed. `isForced` takes the bar away without showing that it is full. */
  finish(how?: { readonly hasError?: boolean; readonly isForced?: boolean }): void;
}

export interface LoadingBarHost {
  readonly now?: () => number;
  readonly schedule?: Schedule;
  /** Runs `work` before the next picture is drawn; the answer takes that back. */
  readonly requestFrame?: (work: () => void) => () => void;
}

export interface LoadingBarTimes {
  /** How long a page is expected to take; the bar is half full at half of it and never full by itself. */
  readonly durationMs?: number;
  readonly throttleMs?: number;
  readonly hideDelayMs?: number;
  readonly resetDelayMs?: number;
}

/** How full the bar is after `elapsedMs`, in percent: quick at first, then ever slower, never 100. */
export function estimatedProgress(elapsedMs: number, durationMs: number): number {
  return (2 / Math.PI) * 100 * Math.atan(((elapsedMs / durationMs) * 100) / 50);
}

const IDLE: LoadingBarState = { progress: 0, isVisible: false, hasError: false, state: 'indeterminate' };

/** Makes a loading bar; one per page. */
export function createLoadingBar(host: LoadingBarHost = {}, times: LoadingBarTimes = {}): LoadingBar {
  const { now = () => performance.now(), schedule = pageSchedule, requestFrame = pageFrame } = host;
  const { durationMs = 2000, throttleMs = 200, hideDelayMs = 500, resetDelayMs = 400 } = times;
  const bar = createSource<LoadingBarState>(IDLE);
  let cancelNext: () => void = () => undefined;
  let startedAt = 0;
  let least = 0;

  const change = (part: Partial<LoadingBarState>): void => bar.set({ ...bar.get(), ...part });
  /** One thing at a time is to come: showing, the next frame, hiding or the way back to the beginning. */
  const next = (cancel: () => void): void => {
    cancelNext();
    cancelNext = cancel;
  };
  const draw = (): void => {
    const progress = Math.max(least, estimatedProgress(now() - startedAt, durationMs));
    change({ progress, isVisible: true, state: 'loading' });
    next(requestFrame(draw));
  };
  const hide = (): void => {
    change({ isVisible: false });
    next(schedule(() => change({ progress: 0, state: 'indeterminate' }), resetDelayMs));
  };

  const begin = (progress: number): void => {
    startedAt = now();
    least = progress;
    change({ progress, hasError: false, state: 'indeterminate' });
    next(schedule(draw, throttleMs));
  };
  const finish: LoadingBar['finish'] = ({ hasError = false, isForced = false } = {}) => {
    if (isForced) {
      next(() => undefined);
      bar.set({ ...IDLE, hasError });
      return;
    }
    change({ progress: 100, hasError: hasError || bar.get().hasError, state: 'complete' });
    next(schedule(hide, hideDelayMs));
  };

  return {
    get: bar.get,
    subscribe: bar.subscribe,
    start: () => begin(0),
    set(progress) {
      if (progress >= 100) finish();
      else if (bar.get().state === 'loading') least = Math.max(0, progress);
      else begin(Math.max(0, progress));
    },
    finish,
  };
}

function pageFrame(work: () => void): () => void {
  const frame = requestAnimationFrame(work);
  return () => cancelAnimationFrame(frame);
}
