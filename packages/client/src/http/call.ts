import { getCsrfCookie } from '@wardline/contract/auth.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import type { AnyEndpoint, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Log } from '#/log.ts';
import { ApiError, transportError } from './api-error.ts';
import { buildInit, buildUrl } from './build-request.ts';
import type { CallEvents, ClientEvents } from './call-events.ts';
import type { AnyCallInput, CallInput } from './call-input.ts';
import { checkHttpConfig } from './check-config.ts';
import { createCsrf } from './csrf.ts';
import { readError, readReply } from './read-reply.ts';

export const DEFAULT_TIMEOUT_MS = 15_000;
/** A read waits this long before its one repeat where the server did not say. */
export const RETRY_PAUSE_MS = 300;
export const LONGEST_RETRY_AFTER_MS = 10_000;
const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** Where token mode keeps its bearer token. */
export interface TokenStorage {
  get(): string | null;
  set(token: string | null): void;
}

export interface CallDeps {
  readonly config: ClientConfig;
  readonly log: Log;
  readonly onEvent: <Name extends keyof CallEvents>(name: Name, payload: ClientEvents[Name]) => void;
  readonly fetch?: typeof fetch;
  readonly tokenStorage?: TokenStorage;
  /** The realtime socket's id, so that it is not told what this tab itself did. */
  readonly socketId?: () => string | null;
  readonly readCookies?: () => string;
  /** Reads are repeated once unless 'off'. */
  readonly retry?: 'off' | 'once';
  /** The page's origin, for redirects that stay on this site. */
  readonly origin?: string;
}

/** Calls an endpoint of the contract. Resolves with its typed reply; rejects with an ApiError and nothing else. */
export interface Call {
  <E extends AnyEndpoint>(
    endpoint: E,
    ...input: Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
  ): Promise<ReplyOf<E>>;
  /** Fetches the CSRF cookie anew; nothing in token mode. */
  renewCsrf(): Promise<void>;
}

/** Makes the one way in which this application speaks HTTP (HTTP-1 … HTTP-7). Throws when the configuration lacks something. */
export function createCall(deps: CallDeps): Call {
  const { config, log, onEvent } = deps;
  checkHttpConfig(config, deps.tokenStorage !== undefined);
  const origin = deps.origin ?? globalThis.location?.origin ?? '';
  const csrf = createCsrf({
    config,
    log,
    readCookies: deps.readCookies ?? (() => globalThis.document?.cookie ?? ''),
    fetchCookie: () => call(getCsrfCookie),
  });

  const authorise = async (method: string, headers: Headers): Promise<void> => {
    if (config.mode === 'token') {
      const token = deps.tokenStorage?.get() ?? null;
      if (token === null) log.debug('There is no token; the request goes without');
      else headers.set('Authorization', `Bearer ${token}`);
    } else if (method !== 'GET') {
      const header = await csrf.header();
      if (header !== null) headers.set(header.name, header.value);
    }
    const socketId = deps.socketId?.() ?? null;
    if (socketId !== null) headers.set('X-Socket-ID', socketId);
  };

  const attempt = async <E extends AnyEndpoint>(endpoint: E, input: AnyCallInput): Promise<ReplyOf<E>> => {
    const { method, headers, body } = buildInit(endpoint, input);
    await authorise(method, headers);
    const timeout = abortAfter(input.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const signal = input.signal === undefined ? timeout.signal : AbortSignal.any([input.signal, timeout.signal]);
    try {
      const response = await (deps.fetch ?? fetch)(buildUrl(config, endpoint, input), {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
        ...(config.mode === 'cookie' ? { credentials: 'include' as const } : {}),
      });
      return await settle(endpoint, response);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const failure = nameFailure(error, input.signal, timeout.signal);
      onEvent('sanctum:error:request', { endpoint, error: failure });
      throw failure;
    } finally {
      timeout.clear();
    }
  };

  const settle = async <E extends AnyEndpoint>(endpoint: E, response: Response): Promise<ReplyOf<E>> => {
    if (response.status >= 400) {
      const error = await readError(endpoint, response.clone());
      onEvent('sanctum:error', { endpoint, response, error });
      if (error.status === 401) onEvent('unauthenticated', { endpoint });
      if (error.status === 419) onEvent('csrf_mismatch', { endpoint });
      throw error;
    }
    if (response.redirected && config.mode === 'cookie' && isOfSite(response.url, origin)) {
      onEvent('sanctum:redirect', { url: response.url });
    }
    // A browser hides where a manual redirect leads: status 0 without a body. That is never an empty success (HTTP-5).
    if (response.type === 'opaqueredirect' || response.status < 200 || response.status >= 300 || response.redirected) {
      throw transportError('redirected', `${endpoint.name} was answered by a redirect.`);
    }
    return await readReply(endpoint, response);
  };

  const call = async (endpoint: AnyEndpoint, input: AnyCallInput = {}): Promise<unknown> => {
    try {
      return await attempt(endpoint, input);
    } catch (error) {
      const pauseMs = deps.retry === 'off' ? null : retryPause(endpoint, error);
      if (pauseMs === null) throw error;
      await pause(pauseMs, input.signal);
      return await attempt(endpoint, input);
    }
  };
  const renewCsrf = (): Promise<void> => (config.mode === 'cookie' ? csrf.renew() : Promise.resolve());
  return Object.assign(call as Call, { renewCsrf });
}

/** How long to wait before the one repeat, or null when there is none: writes never, nor longer than 10 s (HTTP-6). */
function retryPause(endpoint: AnyEndpoint, error: unknown): number | null {
  if (endpoint.method !== 'GET' || !(error instanceof ApiError)) return null;
  if (!RETRIED.has(error.status) && error.code !== 'network') return null;
  const waitMs = error.retryAfterMs ?? RETRY_PAUSE_MS;
  return waitMs <= LONGEST_RETRY_AFTER_MS ? waitMs : null;
}

function nameFailure(error: unknown, cancel: AbortSignal | undefined, timeout: AbortSignal): ApiError {
  if (cancel?.aborted === true) return transportError('cancelled', 'The request was cancelled.', error);
  if (timeout.aborted) return transportError('timeout', 'The server did not answer in time.', error);
  return transportError('network', 'The server could not be reached.', error);
}

function isOfSite(url: string, origin: string): boolean {
  return URL.canParse(url, origin) && new URL(url, origin).origin === origin;
}

function abortAfter(ms: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
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
