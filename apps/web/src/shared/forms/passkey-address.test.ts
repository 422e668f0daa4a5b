import { expect, it } from 'vitest';
import { hasPasskeyAddress } from './passkey-address.ts';

it.each([
  ['wards.example', true, true],
  ['localhost', true, true],
  ['127.0.0.1', true, false],
  ['[::1]', true, false],
  ['wards.example', false, false],
])('ACC-3 at %s, secure %s, a passkey can be used: %s', (hostname, isSecure, expected) => {
  expect(hasPasskeyAddress({ hostname } as Location, isSecure)).toBe(expected);
});
