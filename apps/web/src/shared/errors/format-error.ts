import { ApiError } from '@wardline/client/http/api-error.ts';

/** As Laravel answers for an address that it does not have: not every back end has all that Wardline's own has. */
const UNKNOWN_ROUTE = /^The route \S+ could not be found[.]$/;

/** What went wrong, said to the person: the server's own sentence, or that it could not be reached. */
export function formatFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong here. Load the page again.';
  if (error.code === 'network') return 'The server could not be reached. Check the connection.';
  if (error.code === 'timeout')
    return error.limitMs === null ? error.message : `The server did not answer in ${error.limitMs / 1000} s.`;
  if (error.status === 404 && UNKNOWN_ROUTE.test(error.message)) return 'This server does not offer it.';
  if (error.status === 429) return `Too many requests. ${formatWait(error.retryAfterMs)}`;
  return error.message;
}

/** How long to wait, in words. */
export function formatWait(waitMs: number | null): string {
  if (waitMs === null) return 'Wait a moment, then try again.';
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  if (seconds < 90) return `Try again in ${seconds} s.`;
  return `Try again in ${Math.ceil(seconds / 60)} min.`;
}
