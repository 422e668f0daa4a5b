import type { User } from '@wardline/contract/account/auth.ts';

/** Whose screen is covered on this device, for every tab and after a reload. */
export const LOCKED = 'wardline-locked';
/** When somebody last touched any tab, in ms. */
export const SEEN = 'wardline-seen';

/** Asked before anything of a signed-in person is drawn. */
export function isLocked({ id, lock_after_minutes: minutes }: User): boolean {
  if (!minutes) return false;
  try {
    const seen = Number(localStorage.getItem(SEEN) ?? Number.NaN);
    return localStorage.getItem(LOCKED) === id || Date.now() - seen > minutes * 60_000;
  } catch {
    return false;
  }
}

/** At a sign-out, and when the screen is opened. */
export function forgetLock(): void {
  try {
    for (const key of [LOCKED, SEEN]) localStorage.removeItem(key);
  } catch {
    // Nothing was noted either.
  }
}
