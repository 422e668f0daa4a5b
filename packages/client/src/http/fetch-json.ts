import { ApiError, transportError } from './api-error.ts';
import { type Limits, within, withRepeat } from './attempt.ts';
import { readRetryAfter } from './read-reply.ts';

interface FetchJsonOptions extends Limits {
  readonly cache?: RequestCache;
  readonly fetch?: typeof fetch;
}

/**
 * Reads JSON that is no endpoint of the contract: the configuration, build files, payloads. Repeated once where the
 * failure may pass; 400 to 599 and anything that is not JSON reject with an ApiError.
 */
export function fetchJson(
  url: string,
  { cache = 'default', fetch: ask, ...limits }: FetchJsonOptions = {},
): Promise<unknown> {
  return withRepeat(limits.signal, () =>
    within(limits, async (signal) => {
      const answer = await (ask ?? fetch)(url, { headers: { Accept: 'application/json' }, cache, signal });
      if (!answer.ok) {
        throw new ApiError(`${url} was answered with ${answer.status}.`, {
          status: answer.status,
          code: `http_${answer.status}`,
          retryAfterMs: readRetryAfter(answer.headers.get('Retry-After')),
        });
      }
      const text = await answer.text();
      try {
        return JSON.parse(text);
      } catch (cause) {
        throw transportError('malformed_reply', `${url} was not answered with JSON.`, cause);
      }
    }),
  );
}
