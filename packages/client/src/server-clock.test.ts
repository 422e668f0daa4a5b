import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hearServerTime, onServerClock, serverNow } from './server-clock.ts';

const at = (text: string) => Date.parse(text);

describe('the time by the server’s clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: at('2036-11-22T09:00:00Z') });
  });
  afterEach(() => {
    hearServerTime(new Date().toUTCString(), Date.now());
    vi.useRealTimers();
  });

  it('R20 is the device’s until an answer was heard, and then the server’s, whichever way the device is off', () => {
    expect(serverNow()).toBe(at('2036-11-22T09:00:00Z'));
    hearServerTime('Sun, 22 Nov 2026 09:00:05 GMT', Date.now());
    expect(serverNow()).toBe(at('2026-11-22T09:00:05Z'));
    expect(onServerClock(at('2036-11-22T08:00:00Z'))).toBe(at('2026-11-22T08:00:05Z'));
    vi.setSystemTime('2016-11-22T09:00:00Z');
    hearServerTime('Sun, 22 Nov 2026 09:00:05 GMT', Date.now());
    expect(serverNow()).toBe(at('2026-11-22T09:00:05Z'));
  });

  it('R20 runs on between answers, and is the device’s again once that is set right', () => {
    hearServerTime('Sun, 22 Nov 2026 09:00:00 GMT', Date.now());
    vi.advanceTimersByTime(90_000);
    expect(serverNow()).toBe(at('2026-11-22T09:01:30Z'));
    vi.setSystemTime('2026-11-22T09:02:00.400Z');
    hearServerTime('Sun, 22 Nov 2026 09:02:00 GMT', Date.now());
    expect(serverNow()).toBe(at('2026-11-22T09:02:00.400Z'));
  });

  it('R20 is not taken from an answer without a date, from one that was long under way, or across a jump of the clock', () => {
    hearServerTime(null, Date.now());
    hearServerTime('soon', Date.now());
    hearServerTime('Sun, 22 Nov 2026 09:00:00 GMT', Date.now() - 11_000);
    hearServerTime('Sun, 22 Nov 2026 09:00:00 GMT', Date.now() + 1);
    expect(serverNow()).toBe(at('2036-11-22T09:00:00Z'));
  });
});
