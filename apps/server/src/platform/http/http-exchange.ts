/** The few facts of the HTTP exchange that a verb may see, and the cookies it may set. */
export interface HttpExchange {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string | null;
  /** X-Socket-ID: the socket that must not hear the echo of this request. */
  readonly socketId: string | null;
  /** The value of the session cookie that came with the request, if it is well formed. */
  readonly sessionId: string | null;
  /** Gives the browser a new session id; `maxAgeS` null means until the browser closes. Rotates the CSRF token too. */
  startSession(sessionId: string, maxAgeS: number | null): void;
  /** What the last mailed link left in this browser, if there was one. */
  readonly followedLink: string | null;
  /** Keeps in this browser which mailed link was followed, for half an hour; null forgets it. */
  noteFollowedLink(value: string | null): void;
}
