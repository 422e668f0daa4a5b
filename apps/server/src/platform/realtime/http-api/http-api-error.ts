/** What the Pusher HTTP API answers in place of what was asked; the statuses are those that its libraries know. */
export class HttpApiError extends Error {
  readonly status: 400 | 401 | 403 | 413;
  readonly retryAfterS: number | undefined;

  /** `message` is what the caller reads: it repeats nothing that was sent. */
  constructor(status: HttpApiError['status'], message: string, retryAfterS?: number) {
    super(message);
    this.name = 'HttpApiError';
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}
