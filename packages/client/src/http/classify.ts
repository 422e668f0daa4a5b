/** What a failure means for the work that met it: keep it and try again, or give it back to the person. */
export type FailureKind = 'temporary' | 'final';

/** Failures that happen before there is an answer of the API to speak of. */
export type TransportFailure = 'network' | 'timeout' | 'cancelled' | 'redirected' | 'malformed_reply' | 'misconfigured';

const TEMPORARY_BELOW_500 = new Set([401, 408, 419, 425, 429]);

/**
 * The one place where a failure is called temporary or final. Without an API answer the outcome is unknown, hence temporary:
 * the network, the clock, a redirect or a page of some captive portal say nothing about the request itself. Only an
 * address that the configuration lacks does not come by waiting.
 */
export function classify(failure: number | TransportFailure): FailureKind {
  if (typeof failure === 'string') return failure === 'misconfigured' ? 'final' : 'temporary';
  return failure >= 500 || TEMPORARY_BELOW_500.has(failure) ? 'temporary' : 'final';
}
