import { notFound, redirect } from '@tanstack/react-router';
import { Id } from '@wardline/contract/values.ts';
import { navigateTarget } from './navigate-target.ts';
import type { RouterContext } from './router-context.ts';
import { safeRedirect } from './safe-redirect.ts';

interface GuardInput {
  readonly context: RouterContext;
  readonly location: { readonly href: string };
  readonly preload?: boolean;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why one was sent to the sign-in page. */
    reason?: 'session-ended' | 'password-set';
  }
}

/** Where a target is false, there is no page to go to: one stays, and is told that this one is not for them. */
const forbidden = '/403';

/** Sends a signed-out person to sign in, with the whole path asked for as the way back. */
export function requireSignedIn({ context, location, preload }: GuardInput): void {
  if (context.auth.isSignedIn()) return;
  const { on_auth_only: target } = context.redirects;
  if (target === false) throw redirect({ to: forbidden, replace: true });
  if (!preload) context.onRedirect?.(target);
  throw redirect({
    to: safeRedirect(target, '/sign-in'),
    search: { redirect: location.href },
    replace: true,
    ...(context.auth.hasEnded() ? { state: { reason: 'session-ended' } } : {}),
  });
}

/** Sends a signed-in person on: to where they were going, else to their first page. */
export function requireGuest({
  context,
  search = {},
  preload,
}: Omit<GuardInput, 'location'> & { search?: WayBack }): void {
  if (!context.auth.isSignedIn()) return;
  const { on_guest_only: target } = context.redirects;
  const href = target === false ? safeRedirect(search.redirect, forbidden) : afterSignIn(search, target);
  if (!preload) context.onRedirect?.(href);
  throw redirect(navigateTarget(href));
}

interface WayBack {
  redirect?: string;
}

interface SignInSearch extends WayBack {
  /** The address was confirmed by its link; the account begins with the sign-in. */
  verify?: 1;
  link?: 'invalid';
}

/** Keeps a `redirect` that leads inside this site, and what a mailed link has led to. */
export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const path = safeRedirect(search['redirect'], '');
  return {
    ...(path === '' ? {} : { redirect: path }),
    ...(String(search['verify']) === '1' ? { verify: 1 } : {}),
    ...linkSearch(search),
  };
}

/** Keeps the word that a mailed link has no force any more. */
export function linkSearch(search: Record<string, unknown>): { link?: 'invalid' } {
  return search['link'] === 'invalid' ? { link: 'invalid' } : {};
}

const longestToken = 255;

/** Keeps the secret of an invitation. One of the wrong form is kept too: the page says that it has no force. */
export function invitationSearch(search: Record<string, unknown>): { invitation?: string } {
  const token = search['invitation'];
  return token === undefined || token === '' ? {} : { invitation: String(token).slice(0, longestToken) };
}

/** Where somebody who is signed in takes an invitation. */
export function joinPath(token: string): string {
  return `/settings?invitation=${encodeURIComponent(token)}`;
}

/** Keeps the message that an address of a chat names by its seq. */
export function messageSearch({ message }: Record<string, unknown>): { message?: number } {
  const seq = Number(message);
  return Number.isSafeInteger(seq) && seq > 0 ? { message: seq } : {};
}

const hash = /^[\w.~-]{20,255}$/;

/** The secret of a mailed link, whoever's back end made it; one of the wrong form is a page that does not exist. */
export function requireHash(token: string): void {
  if (!hash.test(token)) throw notFound({ data: 'wrong-id' });
}

/** The path to go to once signed in: where one wanted to be, else the target; without one the guard of this page decides. */
export function afterSignIn(search: WayBack, configured: string | false): string {
  return safeRedirect(search.redirect, configured === false ? '/sign-in' : safeRedirect(configured, '/dashboard'));
}

/** An id of the wrong form in an address is a page that does not exist. */
export function requireIds(...ids: readonly string[]): void {
  if (ids.every((id) => Id.safeParse(id).success)) return;
  throw notFound({ data: 'wrong-id' });
}
