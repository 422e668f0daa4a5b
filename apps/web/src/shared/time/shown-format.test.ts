// @vitest-environment happy-dom
import { USUAL_FORMAT } from '@wardline/format/facility-format.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { showFormat, shownFormat } from './shown-format.ts';
import { formatBirthDate, formatDay, momentIn, secondsIn, timeIn } from './zoned-time.ts';

const at = Date.parse('2026-11-19T23:02:07Z');
const theirs = { hour_cycle: 'h12', date_order: 'mdy' } as const;
afterEach(() => {
  vi.restoreAllMocks();
  showFormat(USUAL_FORMAT);
});

it('F-N16 a page writes as the facility in view does, whatever the browser’s language', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
  expect([timeIn('UTC', at), formatDay('2026-11-19', '2026-01-01')]).toEqual(['23:02', 'Thu 19 Nov']);
  expect(momentIn('UTC', at)).toBe('Thu 19 Nov 2026, 23:02:07 UTC+00:00');
  showFormat(theirs);
  expect([timeIn('UTC', at), secondsIn('UTC', at)]).toEqual(['11:02 PM', '11:02:07 PM']);
  expect([formatDay('2026-11-19', '2026-01-01'), formatBirthDate('1948-03-14')]).toEqual([
    'Thu Nov 19',
    'Mar 14, 1948',
  ]);
});

it('F-N16 the format is kept, so that the next page agrees before its facility is known', async () => {
  showFormat(theirs);
  vi.resetModules();
  const next = await import('./shown-format.ts');
  expect(next.shownFormat()).toEqual(theirs);
  next.showFormat(USUAL_FORMAT);
});

it('F-N16 where storage is closed the page still writes as its facility does', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('closed');
  });
  showFormat(theirs);
  expect(shownFormat()).toEqual(theirs);
});
