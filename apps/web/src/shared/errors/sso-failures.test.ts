import { describe, expect, it } from 'vitest';
import { readSsoFailure } from './sso-failures.ts';

describe('what an address tells of a way to a sign-in provider', () => {
  it.each([
    ['#sso=denied', 'denied'],
    ['#sso=no_account', 'no_account'],
    ['#sso=linked', null],
    ['#sso=', null],
    ['#sso=toString', null],
    ['#security', null],
    ['', null],
  ])('ACC-4 reads %j as %s', (hash, failure) => {
    expect(readSsoFailure(hash)).toBe(failure);
  });
});
