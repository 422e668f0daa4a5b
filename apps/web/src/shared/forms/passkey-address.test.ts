// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { hasPasskeyAddress } from './passkey-address.ts';

const boot = readFileSync(path.join(import.meta.dirname, '../../../public/mode.js'), 'utf8');

/** The script that runs before the first paint, as a browser at that address would run it. */
const bootAt = (hostname: string, isSecureContext: boolean) =>
  new Function('isSecureContext', 'location', boot)(isSecureContext, {
    hostname,
    pathname: '/',
    href: `https://${hostname}/`,
  });

afterEach(() => {
  delete document.documentElement.dataset['passkeys'];
});

it.each([
  ['wards.example', true, true],
  ['localhost', true, true],
  ['127.0.0.1', true, false],
  ['[::1]', true, false],
  ['[2001:db8::a]', true, false],
  ['wards.example', false, false],
])('ACC-3 at %s, secure %s, a passkey can be used: %s', (hostname, isSecure, expected) => {
  bootAt(hostname, isSecure);
  expect(hasPasskeyAddress()).toBe(expected);
});
