import type { HistoryState } from '@tanstack/react-router';
import type { SignInNotice } from '#/features/auth/index.ts';
import type { signInSearch } from './guards.ts';

/** Why one is on the sign-in page: what a mailed link has led to, else what sent one here. */
export function signInNotice(
  search: ReturnType<typeof signInSearch>,
  reason: HistoryState['reason'],
): SignInNotice | null {
  if (search.link === 'invalid') return 'link-invalid';
  if (search.verify === 1) return 'address-confirmed';
  return reason ?? null;
}
