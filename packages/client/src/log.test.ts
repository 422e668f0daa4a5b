import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createBackoff } from './backoff.ts';
import { createLog } from './log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('LOG-1 the same line within 1000 ms is written once and then with its count', () => {
  const written: string[] = [];
  const log = createLog({ write: (level, line) => written.push(`${level} ${line}`) });
  for (let index = 0; index < 4; index += 1) log.warn('again');
  expect(written).toEqual(['warn again']);
  vi.advanceTimersByTime(1000);
  expect(written).toEqual(['warn again', 'warn again (repeated 3×)']);
  log.warn('again');
  log.debug('hidden at this level');
  log.error('again');
  expect(written.slice(2)).toEqual(['warn again', 'error again']);
});

it('RTA-6 backs off from 1 s by 1.5 up to 60 s, with jitter, and begins anew after a reset', () => {
  const most = createBackoff(() => 1);
  const delays = Array.from({ length: 14 }, () => most.next());
  expect(delays.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
  expect(Math.max(...delays)).toBe(60_000);
  most.reset();
  expect(most.next()).toBe(1000);
  expect(createBackoff(() => 0).next()).toBe(500);
});
