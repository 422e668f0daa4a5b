import { expect, test } from 'vitest';
import { type CloseAction, closeActionFor, closeCodes, isCloseCode } from './close-codes.ts';

test('RT-4 the closed list has exactly the documented codes', () => {
  expect(Object.keys(closeCodes).map(Number)).toEqual([
    4000, 4001, 4003, 4004, 4005, 4006, 4007, 4008, 4009, 4100, 4200, 4201, 4202, 4301, 4302,
  ]);
  expect(isCloseCode(4009)).toBe(true);
  expect(isCloseCode(4002)).toBe(false);
});

test.each<[number, CloseAction]>([
  [1000, 'back_off'],
  [1006, 'back_off'],
  [1009, 'back_off'],
  [4000, 'tls_only'],
  [4001, 'refused'],
  [4009, 'refused'],
  [4099, 'refused'],
  [4100, 'back_off'],
  [4199, 'back_off'],
  [4200, 'retry_at_once'],
  [4299, 'retry_at_once'],
  [4300, 'refused'],
  [4301, 'refused'],
])('RTA-4 after %i a client does: %s', (code, action) => {
  expect(closeActionFor(code)).toBe(action);
});
