import { statusOf } from '@wardline/client/http/api-error.ts';

/** True where it does not exist for who asks, or no longer. */
export function isGone(error: unknown): boolean {
  return [403, 404].includes(statusOf(error));
}
