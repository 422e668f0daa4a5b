import { expect, it } from 'vitest';
import { greetingLine } from './format-greeting.ts';

const at = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);

it('the dashboard greets by the clock of the facility, with its day', () => {
  expect(greetingLine('Ana Reyes', 'UTC', at('00:38'))).toBe('Good evening, Ana · Fri 20 Nov, 00:38');
  expect(greetingLine('Dr. Mira Okafor', 'UTC', at('08:42'))).toBe('Good morning, Mira · Fri 20 Nov, 08:42');
  expect(greetingLine('Ana Reyes', 'America/New_York', at('02:00'))).toBe('Good evening, Ana · Thu 19 Nov, 21:00');
  expect(greetingLine('Ana Reyes', 'Asia/Kathmandu', at('08:00'))).toBe('Good afternoon, Ana · Fri 20 Nov, 13:45');
});
