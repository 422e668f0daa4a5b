import { ApiError, timeoutError, transportError } from './api-error.ts';

export const DEFAULT_TIMEOUT_MS = 15_000;
/** A read waits this long before its one repeat where the server did not say. */
export const RETRY_PAUSE_MS = 300;
export const LONGEST_RETRY_AFTER_MS = 10_000;
const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** For each attempt, the reading of the answer included; 15 s unless told. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs one attempt until it is done, cancelled or out of time. Rejects with an ApiError only; `onFailure` is told of
 * those that are named here because there was no answer.
 */
export async function within<Answer>(
  limits: Limits,
  work: (signal: AbortSignal) => Promise<Answer>,
  onFailure: (error: ApiError) => void = () => undefined,
): Promise<Answer> {
  const timeout = new AbortController();
  const limitMs = limits.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timer = setTimeout(() => timeout.abort(), limitMs);
  const signal = limits.signal === undefined ? timeout.signal : AbortSignal.any([limits.signal, timeout.signal]);
  try {
    signal.throwIfAborted();
    return await Promise.race([work(signal), whenAborted(signal)]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const failure =
      timeout.signal.aborted && limits.signal?.aborted !== true
        ? timeoutError(limitMs, error)
        : nameFailure(error, limits.signal);
    onFailure(failure);
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Repeats a read once where its failure may pass (HTTP-6): not without a network, which does not come back so soon. Not
 * for writes: whether they were done is unknown.
 */
export async function withRepeat<Answer>(
  signal: AbortSignal | undefined,
  read: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    const pauseMs = pauseBeforeRepeat(error);
    if (pauseMs === null) throw error;
    await pause(pauseMs, signal);
    return await read();
  }
}

/** How long to wait before the one repeat, or null when there is none, nor a wait of more than 10 s. */
function pauseBeforeRepeat(error: unknown): number | null {
  if (!(error instanceof ApiError)) return null;
  if (!RETRIED.has(error.status) && error.code !== 'network') return null;
  if (error.code === 'network' && globalThis.navigator?.onLine === false) return null;
  const waitMs = error.retryAfterMs ?? RETRY_PAUSE_MS;
  return waitMs <= LONGEST_RETRY_AFTER_MS ? waitMs : null;
}

function nameFailure(error: unknown, cancel: AbortSignal | undefined): ApiError {
  if (cancel?.aborted === true) return transportError('cancelled', 'The request was cancelled.', error);
  return transportError('network', 'The server could not be reached.', error);
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(transportError('cancelled', 'The request was cancelled.'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
