/** What a client that speaks the protocol does after a close with a code. */
export type CloseAction = 'tls_only' | 'refused' | 'back_off' | 'retry_at_once';

/** The closed list of codes the server closes with or names in a `pusher:error` frame. */
export const closeCodes = {
  4000: { name: 'tls_only', meaning: 'The application accepts TLS connections only' },
  4001: { name: 'unknown_app', meaning: 'The application does not exist' },
  4003: { name: 'app_disabled', meaning: 'The application is disabled' },
  4004: { name: 'over_quota', meaning: 'A limit of the application is reached' },
  4005: { name: 'path_not_found', meaning: 'The path is not found' },
  4006: { name: 'bad_version_format', meaning: 'The protocol version is not a number' },
  4007: { name: 'unsupported_protocol', meaning: 'The protocol version is not supported' },
  4008: { name: 'no_protocol', meaning: 'No protocol version was given' },
  4009: { name: 'unauthorized', meaning: 'The connection is not authorised, or no longer' },
  4100: { name: 'over_capacity', meaning: 'The server is over capacity or going away; come back in a second' },
  4200: { name: 'reconnect', meaning: 'A general error; come back at once' },
  4201: { name: 'pong_missing', meaning: 'No answer to a ping in time' },
  4202: { name: 'inactive', meaning: 'Closed after being inactive' },
  4301: { name: 'rate_limited', meaning: 'Too many frames or client events in a short time' },
  4302: { name: 'watchlist_limit', meaning: 'The watchlist is over its limit' },
} as const;

/** One code of the closed list. */
export type CloseCode = keyof typeof closeCodes;

/** Whether a number is in the closed list. */
export function isCloseCode(code: number): code is CloseCode {
  return Object.hasOwn(closeCodes, code);
}

/**
 * What a client does after a close with `code` (any WebSocket close code, also those below 4000).
 * Codes below 4000 without a rule of their own are a back-off: come back after a second.
 */
export function closeActionFor(code: number): CloseAction {
  if (code < 4000) return 'back_off';
  if (code === 4000) return 'tls_only';
  if (code < 4100) return 'refused';
  if (code < 4200) return 'back_off';
  if (code < 4300) return 'retry_at_once';
  return 'refused';
}
