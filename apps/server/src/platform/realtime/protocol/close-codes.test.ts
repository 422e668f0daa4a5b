import { expect, test } from 'vitest';
import { closeCodes } from './close-codes.ts';

test('RT-4 the closed list has exactly the documented codes', () => {
  expect(Object.keys(closeCodes).map(Number)).toEqual([
    4000, 4001, 4003, 4004, 4005, 4006, 4007, 4008, 4009, 4100, 4200, 4201, 4202, 4301, 4302,
  ]);
});
