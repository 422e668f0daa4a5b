import { expect, test } from 'vitest';
import { isOlder } from './node-version.mjs';

test.each([
  ['20.18.3', '20.19', true],
  ['20.19.0', '20.19', false],
  ['20.9.0', '20.19', true],
  ['24.0.0', '20.19', false],
  ['18.20.8', '20.19', true],
])('OPS-1 Node %s against the wanted %s: too old is %s', (version, wanted, expected) => {
  expect(isOlder(version, wanted)).toBe(expected);
});
