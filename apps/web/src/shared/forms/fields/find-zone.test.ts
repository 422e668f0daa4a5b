import { expect, it } from 'vitest';
import { checkZone, findZone } from './find-zone.ts';

it.each([
  ['Dublin', 'Europe/Dublin'],
  [' new york ', 'America/New_York'],
  ['europe/berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['UTCDublin', null],
  ['Atlantis', null],
  [' ', null],
])('ADM-1 finds the time zone of %j', (text, zone) => {
  expect(findZone(text)).toBe(zone);
});

it('ADM-1 says of what is no time zone how to find one', () => {
  expect(checkZone('Dublin')).toBeUndefined();
  expect(checkZone('UTCDublin')).toMatch(/^There is no time zone “UTCDublin”\. Type a city/);
});
