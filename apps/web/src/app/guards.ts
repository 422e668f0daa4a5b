import { notFound, redirect } from '@tanstack/react-router';
import { Id } from '@wardline/contract/values.ts';
import type { RouterContext } from './router-context.ts';
import { safeRedirect } from './safe-redirect.ts';

interface GuardInput {
  readonly context: RouterContext;
  readonly location: { readonly href: string };
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why one was sent to the sign-in page. */
    reason?: 'session-ended';
  }
}

/** Sends a signed-out person to sign in, with the whole path asked for as the way back. */
export function requireSignedIn({ context, location }: GuardInput): void {
  if (context.auth.isSignedIn()) return;
  throw redirect({
    to: safeRedirect(context.redirects.on_auth_only, '/sign-in'),
    search: { redirect: location.href },
    replace: true,
    ...(context.auth.hasEnded() ? { state: { reason: 'session-ended' } } : {}),
  });
}

/** Sends a signed-in person on: to where they were going, else to their first page. */
export function requireGuest({ context, search }: Pick<GuardInput, 'context'> & { search: SignInSearch }): void {
  if (!context.auth.isSignedIn()) return;
  throw redirect({ href: afterSignIn(search, context.redirects.on_guest_only), replace: true });
}

export interface SignInSearch {
  redirect?: string;
}

/** Keeps a `redirect` that leads inside this site and nothing else. */
export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const path = safeRedirect(search['redirect'], '');
  return path === '' ? {} : { redirect: path };
}

/** The path to go to once signed in. */
export function afterSignIn(search: SignInSearch, configured: string | false): string {
  return safeRedirect(search.redirect, safeRedirect(configured, '/dashboard'));
}

/** An id of the wrong form in an address is a page that does not exist. */
export function requireIds(...ids: readonly string[]): void {
  if (ids.every((id) => Id.safeParse(id).success)) return;
  throw notFound({ data: 'wrong-id' });
}
