import type { BrokenRule } from '@wardline/contract/errors.ts';
import { classify, type FailureKind, type TransportFailure } from './classify.ts';

interface ApiErrorDetails {
  /** Status of the answer; 0 when there was none. */
  readonly status: number;
  /** A code of the contract, or what went wrong on the way. */
  readonly code: string;
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>>;
  readonly findings?: readonly BrokenRule[];
  readonly retryAfterMs?: number | null;
  readonly limitMs?: number | null;
  readonly cause?: unknown;
  readonly kind?: FailureKind;
}

/** Why a call failed; the only error that `call` rejects with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly kind: FailureKind;
  /** On 422: field → sentences for the person. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /** The rules of the domain that were broken, each with its code and field. */
  readonly findings: readonly BrokenRule[];
  /** What the server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** How long the call was waited for, where that was too long; in milliseconds. */
  readonly limitMs: number | null;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.kind = details.kind ?? classify(details.status);
    this.fieldErrors = details.fieldErrors ?? {};
    this.findings = details.findings ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.limitMs = details.limitMs ?? null;
  }
}

/** A failure of the way there or back. */
export function transportError(code: TransportFailure, message: string, cause?: unknown): ApiError {
  return new ApiError(message, { status: 0, code, kind: classify(code), cause });
}

/** The failure of a call whose answer did not come within so many milliseconds. */
export function timeoutError(limitMs: number, cause?: unknown): ApiError {
  const code = 'timeout';
  return new ApiError('The server did not answer in time.', { status: 0, code, kind: classify(code), limitMs, cause });
}

/** True for a failure that is worth keeping the work for. Anything that is not an ApiError is a fault of ours: final. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'temporary';
}

/** Status of a failed call, or 0. */
export function statusOf(error: unknown): number {
  return error instanceof ApiError ? error.status : 0;
}
