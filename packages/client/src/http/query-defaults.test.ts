import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { queryDefaults } from './query-defaults.ts';

it.each([
  ['nothing failed', null, true],
  ['a fault of ours', new Error('broken'), true],
  ['a server that was away', new ApiError('away', { status: 503, code: 'unavailable' }), true],
  ['a refusal', new ApiError('no', { status: 403, code: 'forbidden' }), false],
])('HTTP-6 after %s, coming back to the window asks again or not', (_what, error, asksAgain) => {
  expect(queryDefaults().queries.refetchOnWindowFocus({ state: { error } })).toBe(asksAgain);
});
