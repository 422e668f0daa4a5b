import type { SsoFailure } from '@wardline/contract/account/single-sign-on.ts';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { RequestContext } from '#/platform/http/context.ts';

/** A way to a provider and back that leads to nothing, for a reason that the person is told. */
export class SsoRefusal extends Error {
  readonly why: SsoFailure;
  /** Whose account it was about. */
  readonly userId: string | null;

  constructor(why: SsoFailure, userId: string | null = null) {
    super(why);
    this.name = 'SsoRefusal';
    this.why = why;
    this.userId = userId;
  }
}

const CODE = /^[A-Za-z_]{1,60}$/;

/** Codes alone: what a provider or an address says besides may name people and hold secrets (A45). */
export function logFailure(log: RequestContext['log'], { id }: { readonly id: string }, error: unknown): void {
  const codes = [codeOf(error, 'code'), codeOf(error, 'error'), codeOf(causeOf(error), 'code')];
  log.warn({ provider: id, codes: codes.filter((code) => code !== null) }, 'a sign-in provider could not be used');
}

/** Which failure the person is told of, for what the library threw. */
export function failureOf(error: unknown): SsoFailure {
  if (error instanceof AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'provider';
  if (error instanceof ResponseBodyError) return 'provider';
  // What came was not what it has to be: a wrong nonce, a wrong signature, another clock.
  if (error instanceof ClientError) return isNoAnswer(error) ? 'unreachable' : 'provider';
  return 'unreachable';
}

function isNoAnswer(error: ClientError): boolean {
  return error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT' || error.code === undefined;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function codeOf(error: unknown, key: 'code' | 'error'): string | null {
  if (typeof error !== 'object' || error === null || !(key in error)) return null;
  const value = (error as Record<string, unknown>)[key];
  return typeof value === 'string' && CODE.test(value) ? value : null;
}
