import { expect, it } from 'vitest';
import { testConfig } from '#/testing/test-config.ts';
import { createDeviceOwner } from './device-owner.ts';
import { GUEST_COOKIE_MS, hasSessionHint, isMarkedGuest } from './session-hint.ts';

const COOKIE = 'a=1; XSRF-TOKEN=eyJ%3D';

function device({ mode = 'cookie' as 'cookie' | 'token', cookies = '', hasToken = false, laterMs = 0 } = {}) {
  const owner = createDeviceOwner(null);
  const now = () => Date.now() + laterMs;
  const deps = { config: testConfig({ mode }), owner, hasToken: () => hasToken, readCookies: () => cookies, now };
  return { owner, hasHint: () => hasSessionHint(deps) };
}

it('F-C6 a device on which nobody signed in, without a cookie or a token, has no hint', () => {
  expect(device().hasHint()).toBe(false);
  expect(device({ mode: 'token', cookies: COOKIE }).hasHint()).toBe(false);
});

it('F-C6 a sign-in leaves a hint on the device, and a sign-out takes it away, guest’s cookie or not', () => {
  const { owner, hasHint } = device({ cookies: COOKIE });
  owner.set('u1');
  expect(hasHint()).toBe(true);
  owner.set(null);
  expect(hasHint()).toBe(false);
  owner.oweSignOut(true);
  expect(hasHint()).toBe(true);
});

it('F-C6 a CSRF cookie hints at a session that began elsewhere on this host, a token at its own', () => {
  expect(device({ cookies: COOKIE }).hasHint()).toBe(true);
  expect(device({ mode: 'token', hasToken: true }).hasHint()).toBe(true);
});

it('F-C6 a CSRF cookie that our server marks as a guest’s is no hint', () => {
  expect(device({ cookies: 'a=1; XSRF-TOKEN=guest.eyJ' }).hasHint()).toBe(false);
});

it('F-C6 a cookie that is there when the one of the sign-out must have run out is of a later session', () => {
  const { owner, hasHint } = device({ cookies: COOKIE, laterMs: GUEST_COOKIE_MS + 1 });
  owner.set(null);
  expect(hasHint()).toBe(true);
});

it.each([
  ['a=1; XSRF-TOKEN=guest.eyJ', true],
  [COOKIE, false],
  ['', false],
])('F-C6 with the cookies %j our server has marked a guest: %j', (cookies, isMarked) => {
  expect(isMarkedGuest(testConfig(), cookies)).toBe(isMarked);
});
