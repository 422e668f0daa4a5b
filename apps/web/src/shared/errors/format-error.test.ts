import { ApiError, timeoutError, transportError } from '@wardline/client/http/api-error.ts';
import { expect, it } from 'vitest';
import { formatFailure } from './format-error.ts';

it.each([
  [15_000, 'The server did not answer in 15 s.'],
  [120_000, 'The server did not answer in 120 s.'],
])('HTTP-7 a call that took too long says how long it was waited for: %i ms', (limitMs, text) => {
  expect(formatFailure(timeoutError(limitMs))).toBe(text);
});

it('HTTP-7 what else went wrong is said in its own words', () => {
  expect(formatFailure(transportError('network', 'x'))).toBe('The server could not be reached. Check the connection.');
  const limited = new ApiError('Too Many Attempts.', { status: 429, code: 'too_many', retryAfterMs: 61_000 });
  expect(formatFailure(limited)).toBe('Too many requests. Try again in 61 s.');
  expect(formatFailure(new ApiError('The day is locked.', { status: 409, code: 'locked' }))).toBe('The day is locked.');
  expect(formatFailure(new TypeError('x is undefined'))).toBe('Something went wrong here. Load the page again.');
});

it('OPS-6 what another back end does not have is said without its address, and what it does not find in its words', () => {
  const notFound = (message: string) => new ApiError(message, { status: 404, code: 'not_found' });
  expect(formatFailure(notFound('The route api/user/sessions could not be found.'))).toBe(
    'This server does not offer it.',
  );
  expect(formatFailure(notFound('This chat is not there.'))).toBe('This chat is not there.');
});
