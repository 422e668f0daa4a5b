import { getCsrfCookie } from '@wardline/contract/account/auth.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import type { AnyEndpoint, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Log } from '#/log.ts';
import { hearServerTime } from '#/server-clock.ts';
import { ApiError, statusOf, transportError } from './api-error.ts';
import { within, withRepeat } from './attempt.ts';
import { buildInit, buildUrl } from './build-request.ts';
import type { CallEvents, ClientEvents } from './call-events.ts';
import type { AnyCallInput, CallInput } from './call-input.ts';
import type { TransportFailure } from './classify.ts';
import { createCsrf } from './csrf.ts';
import { readError, readReply } from './read-reply.ts';

/** What a person can do nothing about; whoever set the back end up finds the details in the console. */
const OF_THE_INSTALLATION: ReadonlySet<string> = new Set<TransportFailure>([
  'redirected',
  'malformed_reply',
  'misconfigured',
]);

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
  /** The CSRF cookie was asked for and set. */
  readonly onCsrfCookie?: () => void;
  /** The page's origin, for redirects that stay on this site. */
  readonly origin?: string;
  /** Goes to where an answer was redirected to, in cookie mode and on this site only (HTTP-5). */
  readonly navigate?: (url: string) => void;
}

/** Calls an endpoint of the contract. Resolves with its typed reply; rejects with an ApiError and nothing else. */
export type Call = <E extends AnyEndpoint>(
  endpoint: E,
  ...input: Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
) => Promise<ReplyOf<E>>;

/**
 * Makes the one way in which this application speaks HTTP (HTTP-1 … HTTP-7). Throws in token mode without a token
 * storage (CFG-3).
 */
export function createCall(deps: CallDeps): Call {
  const { config, log, onEvent } = deps;
  if (config.mode === 'token' && deps.tokenStorage === undefined) throw new Error('Token storage is not defined');
  const origin = deps.origin ?? globalThis.location?.origin ?? '';
  const csrf = createCsrf({
    config,
    log,
    readCookies: deps.readCookies ?? (() => globalThis.document?.cookie ?? ''),
    fetchCookie: () => call(getCsrfCookie).then(() => deps.onCsrfCookie?.()),
  });

  const authorize = async (method: string, headers: Headers): Promise<void> => {
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
    const url = buildUrl(config, endpoint, input);
    const { method, headers, body } = buildInit(endpoint, input);
    return await within(
      input,
      async (signal) => {
        await authorize(method, headers);
        const askedAt = Date.now();
        const response = await (input.fetch ?? deps.fetch ?? fetch)(url, {
          method,
          headers,
          redirect: 'manual',
          // Sanctum knows its own pages by Origin or Referer, and a read of the same origin has no Origin.
          referrerPolicy: 'same-origin',
          signal,
          credentials: config.mode === 'cookie' ? 'include' : 'omit',
          ...(body === undefined ? {} : { body }),
        });
        hearServerTime(response.headers.get('Date'), askedAt);
        return await settle(endpoint, response);
      },
      (error) => onEvent('sanctum:error:request', { endpoint, error }),
    );
  };

  const settle = async <E extends AnyEndpoint>(endpoint: E, response: Response): Promise<ReplyOf<E>> => {
    if (response.status >= 400) {
      const error = await readError(endpoint, response.clone());
      onEvent('sanctum:error', { endpoint, response, error });
      if (error.status === 401) onEvent('unauthenticated', { endpoint });
      throw error;
    }
    if (response.redirected && config.mode === 'cookie' && isOfSite(response.url, origin)) {
      onEvent('sanctum:redirect', { url: response.url });
      deps.navigate?.(response.url);
    }
    // A browser hides where a manual redirect leads: status 0 without a body. That is never an empty success (HTTP-5).
    if (response.type === 'opaqueredirect' || response.status < 200 || response.status >= 300 || response.redirected) {
      throw transportError('redirected', `The server answered ${endpoint.name} with a redirect.`);
    }
    return await readReply(endpoint, response);
  };

  /** A write with an old CSRF token had no effect: a fresh one is worth one more try, of any write (F-L2). */
  const write = async (endpoint: AnyEndpoint, input: AnyCallInput): Promise<unknown> => {
    try {
      return await attempt(endpoint, input);
    } catch (error) {
      if (config.mode !== 'cookie' || statusOf(error) !== 419) throw error;
      await csrf.renew();
      return await attempt(endpoint, input);
    }
  };

  const call = async (endpoint: AnyEndpoint, input: AnyCallInput = {}): Promise<unknown> => {
    const read = () => attempt(endpoint, input);
    try {
      if (endpoint.method !== 'GET') return await write(endpoint, input);
      return await (config.retry === 'once' ? withRepeat(input.signal, read) : read());
    } catch (error) {
      if (statusOf(error) === 419) onEvent('csrf_mismatch', { endpoint });
      if (error instanceof ApiError && OF_THE_INSTALLATION.has(error.code)) log.error(error.message);
      throw error;
    }
  };
  return call as Call;
}

function isOfSite(url: string, origin: string): boolean {
  return URL.canParse(url, origin) && new URL(url, origin).origin === origin;
}
