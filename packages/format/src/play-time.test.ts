import { expect, it } from 'vitest';
import { formatPlayTime } from './play-time.ts';

it('CHAT-14 a length is written in minutes and seconds, never in less than nothing', () => {
  expect([0, 999, 7_400, 61_000, 750_000, 3_600_000, -1].map(formatPlayTime)).toEqual([
    '0:00',
    '0:00',
    '0:07',
    '1:01',
    '12:30',
    '60:00',
    '0:00',
  ]);
});
