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
