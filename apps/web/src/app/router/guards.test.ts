import { isRedirect } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { afterSignIn, messageSearch, requireGuest, requireSignedIn } from './guards.ts';
import type { RouterContext } from './router-context.ts';
import { shouldStay } from './should-stay.ts';

const redirects: RouterContext['redirects'] = {
  on_login: '/dashboard',
  on_logout: '/',
  on_auth_only: '/enter',
  on_guest_only: '/home',
  if_unauthenticated: true,
};

function guard(isSignedIn: boolean, change: Partial<RouterContext['redirects']> = {}) {
  const told: string[] = [];
  const context: RouterContext = {
    auth: { isSignedIn: () => isSignedIn, hasEnded: () => false, may: () => true, isOperator: () => false },
    redirects: { ...redirects, ...change },
    onRedirect: (url) => told.push(url),
  };
  const ledTo = (run: () => void): unknown => {
    try {
      run();
      return null;
    } catch (thrown) {
      if (isRedirect(thrown)) return thrown.options;
      throw thrown;
    }
  };
  return { context, told, ledTo };
}
const location = { href: '/chats?x=1' };

describe('guards and configured targets', () => {
  it('CFG-5 AUTH-4 a signed-out person goes to the configured page, with the place kept, and other code is told', () => {
    const { context, told, ledTo } = guard(false);
    expect(ledTo(() => requireSignedIn({ context, location }))).toMatchObject({
      to: '/enter',
      search: { redirect: '/chats?x=1' },
      replace: true,
    });
    expect(told).toEqual(['/enter']);
    ledTo(() => requireSignedIn({ context, location, preload: true }));
    expect(told).toHaveLength(1);
  });

  it('CFG-5 a signed-in person at a page for guests goes to the configured page, or where they wanted to be', () => {
    const { context, told, ledTo } = guard(true);
    expect(ledTo(() => requireGuest({ context }))).toMatchObject({ href: '/home', replace: true });
    expect(ledTo(() => requireGuest({ context, search: { redirect: '/chats' } }))).toMatchObject({ href: '/chats' });
    expect(told).toEqual(['/home', '/chats']);
  });

  it('CFG-5 without a target a page that is not for one is forbidden', () => {
    const guest = guard(false, { on_auth_only: false });
    expect(guest.ledTo(() => requireSignedIn({ context: guest.context, location }))).toMatchObject({ to: '/403' });
    const person = guard(true, { on_guest_only: false });
    expect(person.ledTo(() => requireGuest({ context: person.context }))).toMatchObject({ href: '/403' });
    const search = { redirect: '/chats' };
    expect(person.ledTo(() => requireGuest({ context: person.context, search }))).toMatchObject({ href: '/chats' });
  });

  it('CFG-5 without a target of its own a sign-in stays at its page, whose guard leads on', () => {
    expect(afterSignIn({}, false)).toBe('/sign-in');
    expect(afterSignIn({ redirect: '/chats' }, false)).toBe('/chats');
    expect(afterSignIn({}, '/census')).toBe('/census');
  });

  it('AUTH-2 a session that ended by itself leaves the page only where the configuration says so', () => {
    const expired = { status: 'signed-out', reason: 'expired' } as const;
    expect(shouldStay(expired, redirects)).toBe(false);
    expect(shouldStay(expired, { ...redirects, if_unauthenticated: false })).toBe(true);
    expect(shouldStay(expired, { ...redirects, on_auth_only: false })).toBe(true);
    const signedOut = { status: 'signed-out', reason: 'signed-out' } as const;
    expect(shouldStay(signedOut, { ...redirects, if_unauthenticated: false })).toBe(false);
  });
});

it.each([
  [7, { message: 7 }],
  ['12', { message: 12 }],
  [undefined, {}],
  [0, {}],
  [-3, {}],
  [1.5, {}],
  ['x', {}],
  [2 ** 53, {}],
  [['7', '8'], {}],
])('CHAT-11 CFG-3 of the address of a message %o is taken as %o', (message, kept) => {
  expect(messageSearch({ message, other: 1 })).toEqual(kept);
});
