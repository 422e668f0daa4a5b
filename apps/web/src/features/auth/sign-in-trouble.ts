import { ApiError } from '@wardline/client/http/api-error.ts';
import { failureWords, waitWords } from '#/page/failure-words.ts';

/** What to say at which field; `general` where there is no field for it. */
export interface SignInTrouble {
  readonly email?: string;
  readonly password?: string;
  readonly general?: string;
}

/** Turns a failed sign-in into words at the right places. */
export function signInTrouble(error: unknown): SignInTrouble {
  if (!(error instanceof ApiError)) return { general: failureWords(error) };
  if (error.status === 429) return { general: `Too many attempts. ${waitWords(error.retryAfterMs)}` };
  const email = error.fieldErrors['email']?.join(' ');
  const password = error.fieldErrors['password']?.join(' ');
  if (email || password) return { ...(email ? { email } : {}), ...(password ? { password } : {}) };
  return { general: failureWords(error) };
}
