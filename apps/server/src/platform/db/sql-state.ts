/** Reading what went wrong in PostgreSQL from its five-character state, or from the socket. */

const STORAGE_FULL = new Set(['53100', '54000']);
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);
const RETRYABLE = new Set(['40001', '40P01']);
const LOST_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']);

export type DatabaseErrorKind = 'storage_full' | 'unstorable_text' | 'unavailable' | null;

/** What an error says of the database; null when it is none of its troubles. */
export function databaseErrorKind(error: unknown): DatabaseErrorKind {
  const code = codeOf(error);
  if (STORAGE_FULL.has(code)) return 'storage_full';
  if (UNSTORABLE_TEXT.has(code)) return 'unstorable_text';
  // Classes 08 and 57P are lost connections and shutdowns; 53 is exhausted resources; 25006 is a read-only server.
  if (/^(08|57P|53)/.test(code) || code === '57014' || code === '25006' || LOST_CONNECTION.has(code))
    return 'unavailable';
  if (
    error instanceof Error &&
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
      error.message,
    )
  ) {
    return 'unavailable';
  }
  return null;
}

/** True for a deadlock or a serialisation failure: the same transaction may succeed at once. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error));
}

/** True where a lock that somebody else holds was not waited for any longer. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
