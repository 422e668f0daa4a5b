import type { AnyEndpoint, ReplyOf } from '@wardline/contract/endpoint.ts';
import { ERRORS, ErrorBody } from '@wardline/contract/errors.ts';
import * as z from 'zod/mini';
import { ApiError, transportError } from './api-error.ts';

/** The reply as the contract types it. Throws an ApiError that names the path of the wrong field (HTTP-7). */
export async function readReply<E extends AnyEndpoint>(endpoint: E, response: Response): Promise<ReplyOf<E>> {
  const body = await readBody(response);
  // Back ends that say "Logged out" where nothing is expected; a page of HTML is still not theirs.
  if (endpoint.status === 204 && typeof body === 'object') return undefined as ReplyOf<E>;
  const parsed = z.safeParse(endpoint.reply, body);
  if (parsed.success) return parsed.data as ReplyOf<E>;
  const [issue] = parsed.error.issues;
  const path = issue === undefined || issue.path.length === 0 ? '(whole)' : issue.path.map(String).join('.');
  const why = issue !== undefined && 'expected' in issue ? `expected ${issue.expected}` : issue?.message;
  throw transportError('malformed_reply', `The answer of ${endpoint.name} does not fit at ${path}: ${why}`);
}

/** An answer of 400 to 599 as an error. */
export async function readError(endpoint: AnyEndpoint, response: Response): Promise<ApiError> {
  const parsed = z.safeParse(ErrorBody, await readBody(response));
  const body = parsed.success ? parsed.data : undefined;
  // `abort(403)` says nothing: then it is the sentence of the status (F-L7).
  return new ApiError(body?.message.trim() || sentenceOf(endpoint, response.status), {
    status: response.status,
    code: body?.code ?? `http_${response.status}`,
    fieldErrors: body?.errors ?? {},
    findings: body?.findings ?? [],
    retryAfterMs: readRetryAfter(response.headers.get('Retry-After')),
  });
}

function sentenceOf(endpoint: AnyEndpoint, status: number): string {
  const known = Object.values(ERRORS).find((error) => error.status === status);
  return known?.message ?? `${endpoint.name} failed with status ${status}.`;
}

/** Retry-After as milliseconds from now: seconds or a date; null where there is none. */
export function readRetryAfter(value: string | null, now: number = Date.now()): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
