import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { schedule } from '#/schedule.ts';
import { createLoadingBar, type LoadingBarTimes } from './loading-bar.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const frameMs = 10;

function setUp(times?: LoadingBarTimes) {
  const bar = createLoadingBar({ requestFrame: (work) => schedule(work, frameMs) }, times);
  return { bar, pass: (ms: number) => void vi.advanceTimersByTime(ms) };
}

it.each([
  [200, 12.57],
  [1000, 50],
  [2000, 70.48],
  [10_000, 93.65],
])('LOAD-1 after %i ms the bar stands at %f percent of an expected 2000 ms', (ms, percent) => {
  const { bar, pass } = setUp();
  bar.start();
  pass(ms);
  expect(bar.get().progress).toBeCloseTo(percent, 2);
  expect(bar.get()).toMatchObject({ isVisible: true, state: 'loading', hasError: false });
});

it('LOAD-1 the bar shows only after 200 ms, so that a quick page shows none', () => {
  const { bar, pass } = setUp();
  const seen: boolean[] = [];
  bar.subscribe(() => seen.push(bar.get().isVisible));
  bar.start();
  pass(199);
  expect(bar.get()).toMatchObject({ isVisible: false, state: 'indeterminate' });
  bar.finish();
  pass(5000);
  expect(seen).not.toContain(true);
});

it('LOAD-1 a finished bar is full at once, hidden 500 ms later and at the beginning 400 ms after that', () => {
  const { bar, pass } = setUp();
  bar.start();
  pass(1000);
  bar.finish();
  expect(bar.get()).toEqual({ progress: 100, isVisible: true, hasError: false, state: 'complete' });
  pass(499);
  expect(bar.get().isVisible).toBe(true);
  pass(1);
  expect(bar.get()).toMatchObject({ progress: 100, isVisible: false });
  pass(399);
  expect(bar.get().progress).toBe(100);
  pass(1);
  expect(bar.get()).toMatchObject({ progress: 0, state: 'indeterminate' });
});

it('LOAD-1 a failure is shown until the next start', () => {
  const { bar, pass } = setUp();
  bar.start();
  pass(1000);
  bar.finish({ hasError: true });
  bar.finish();
  expect(bar.get().hasError).toBe(true);
  pass(5000);
  expect(bar.get().hasError).toBe(true);
  bar.start();
  expect(bar.get().hasError).toBe(false);
});

it('LOAD-1 a forced finish takes the bar away at once', () => {
  const { bar, pass } = setUp();
  bar.start();
  pass(1000);
  bar.finish({ isForced: true });
  const after = bar.get();
  expect(after).toMatchObject({ progress: 0, isVisible: false });
  pass(5000);
  expect(bar.get()).toBe(after);
});

it('LOAD-1 a start while the last one hides begins anew', () => {
  const { bar, pass } = setUp();
  bar.start();
  pass(1000);
  bar.finish();
  pass(300);
  bar.start();
  pass(1000);
  expect(bar.get()).toMatchObject({ isVisible: true, state: 'loading' });
  expect(bar.get().progress).toBeCloseTo(50, 2);
});

it('LOAD-1 a known progress is never fallen below, and 100 finishes', () => {
  const { bar, pass } = setUp();
  bar.start();
  pass(200);
  bar.set(60);
  pass(frameMs);
  expect(bar.get().progress).toBe(60);
  pass(5000);
  expect(bar.get().progress).toBeGreaterThan(80);
  bar.set(100);
  expect(bar.get().state).toBe('complete');
});

it('LOAD-1 its times can be set', () => {
  const { bar, pass } = setUp({ durationMs: 1000, throttleMs: 0, hideDelayMs: 10, resetDelayMs: 10 });
  bar.start();
  pass(500);
  expect(bar.get().progress).toBeCloseTo(50, 2);
  bar.finish();
  pass(20);
  expect(bar.get()).toMatchObject({ progress: 0, isVisible: false });
});
