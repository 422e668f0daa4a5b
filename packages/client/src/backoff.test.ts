import { expect, it } from 'vitest';
import { createBackoff, FIRST_RETRY, planRetry } from './backoff.ts';

/** The steps of RTA-6: from 1 s by 1.5 up to 60 s. */
const STEPS = [1000, 1500, 2250, 3375, 5062.5, 7593.75, 11390.625, 17085.9375, 25628.90625, 38443.359375];

it.each([
  ['half of its step', 0, 0.5],
  ['three quarters of its step', 0.5, 0.75],
  ['almost the whole of its step', 0.999, 0.9995],
])('RTA-6 waits %s when chance says so, and never longer than 60 s', (_how, chance, part) => {
  const backoff = createBackoff(() => chance);
  const steps = [...STEPS, 57665.0390625, 60_000, 60_000, 60_000];
  expect(steps.map(() => backoff.next())).toEqual(steps.map((step) => Math.round(step * part)));
});

it('RTA-6 begins at one second again after a success', () => {
  const backoff = createBackoff(() => 0);
  backoff.next();
  backoff.next();
  backoff.reset();
  expect([backoff.next(), backoff.next()]).toEqual([500, 750]);
});

it('RTA-6 plans one try at a time, no sooner than it is asked for', () => {
  const first = planRetry(FIRST_RETRY, 0);
  expect(first).toEqual({ retry: { stepMs: 1500, isPlanned: true }, delayMs: 500 });
  expect(first && planRetry(first.retry, 0)).toBeNull();
  expect(planRetry(FIRST_RETRY, 0, 7_000)?.delayMs).toBe(7_000);
});
