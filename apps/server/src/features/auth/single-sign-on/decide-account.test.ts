import { describe, expect, it } from 'vitest';
import { decideAccount, decideOwnLink } from './decide-account.ts';
import type { Claims } from './providers.ts';
import { readClaims } from './read-claims.ts';

const stranger = { linkedTo: null, sameAddress: null, hasVerifiedEmail: true, mayCreate: false };
const account = { userId: 'ana', isVerified: true, isTaken: false };

describe('whom a sign-in at a provider signs in', () => {
  it('ACC-4 is the linked account, whatever the address', () => {
    const known = { ...stranger, linkedTo: 'ana', hasVerifiedEmail: false };
    expect(decideAccount(known)).toEqual({ does: 'enter', userId: 'ana' });
    expect(decideAccount({ ...known, sameAddress: { ...account, userId: 'ben' } })).toMatchObject({ userId: 'ana' });
  });

  it('ACC-4 is the account of the address only where both sides have verified it', () => {
    expect(decideAccount({ ...stranger, sameAddress: account })).toEqual({ does: 'link', userId: 'ana' });
    const refused = (change: object) => decideAccount({ ...stranger, sameAddress: account, ...change });
    expect(refused({ hasVerifiedEmail: false })).toEqual({ does: 'refuse', why: 'unverified' });
    expect(refused({ sameAddress: { ...account, isVerified: false } })).toMatchObject({ why: 'account_unverified' });
    expect(refused({ sameAddress: { ...account, isTaken: true } })).toMatchObject({ why: 'conflict' });
  });

  it('ACC-4 is a new account only where the settings allow it, and the address is verified', () => {
    expect(decideAccount(stranger)).toEqual({ does: 'refuse', why: 'no_account' });
    expect(decideAccount({ ...stranger, mayCreate: true })).toEqual({ does: 'create' });
    const unverified = { ...stranger, mayCreate: true, hasVerifiedEmail: false };
    expect(decideAccount(unverified)).toEqual({ does: 'refuse', why: 'unverified' });
    const taken = { ...stranger, mayCreate: true, sameAddress: { ...account, isVerified: false } };
    expect(decideAccount(taken)).toMatchObject({ does: 'refuse' });
  });

  it('ACC-4 one subject is one account’s, and an account has one subject', () => {
    const own = { linkedTo: null, ownSubject: null, subject: 's' };
    expect(decideOwnLink('ana', own)).toBe('link');
    expect(decideOwnLink('ana', { ...own, linkedTo: 'ana', ownSubject: 's' })).toBe('linked');
    expect(decideOwnLink('ana', { ...own, linkedTo: 'ben' })).toBe('conflict');
    expect(decideOwnLink('ana', { ...own, ownSubject: 'another' })).toBe('conflict');
  });
});

describe('what a provider says', () => {
  const rules = {
    ...{ email_verified_claim: 'email_verified', groups_claim: 'groups' },
    groups: { nurses: [{ facility: 'SM', role: 'Clinician' }] },
    ...{ second_factor_amr: ['mfa'], second_factor_acr: ['gold'] },
  };
  const read = (claims: object) => readClaims(rules, { iss: 'https://login.example', sub: 's', ...claims } as Claims);

  it.each([
    [{ email: ' Ana@Ward.Example', email_verified: true }, 'ana@ward.example'],
    [{ email: 'ana@ward.example', email_verified: 'true' }, 'ana@ward.example'],
    [{ email: 'ana@ward.example' }, null],
    [{ email: 'ana@ward.example', email_verified: false }, null],
    [{ email: 'ana@ward.example', email_verified: 'false' }, null],
    [{ email: ['ana@ward.example'], email_verified: true }, null],
    [{ email: 'ana@ward.example, ben@ward.example', email_verified: true }, null],
  ])('ACC-4 takes of %j the address %s', (claims, verifiedEmail) => {
    expect(read(claims)?.verifiedEmail).toBe(verifiedEmail);
  });

  it('ACC-4 gives roles by the groups that the settings name, and by nothing that an object has by itself', () => {
    const roles = [{ facility: 'SM', role: 'Clinician' }];
    expect(read({ groups: ['nurses', 'toString', '__proto__', 7] })?.roles).toEqual(roles);
    expect(read({ groups: 'nurses' })?.roles).toEqual(roles);
    expect(read({ groups: { nurses: true } })?.roles).toEqual([]);
    expect(read({})?.roles).toEqual([]);
  });

  it('ACC-3 counts a second factor only as the settings trust it', () => {
    expect(read({ amr: ['pwd', 'mfa'] })?.hasFactor).toBe(true);
    expect(read({ acr: 'gold' })?.hasFactor).toBe(true);
    expect(read({ amr: ['pwd', 'otp'], acr: 'silver' })?.hasFactor).toBe(false);
    expect(read({})?.hasFactor).toBe(false);
  });

  it('ACC-4 takes no subject that cannot be kept, and a name without line breaks', () => {
    expect(read({ sub: '' })).toBeNull();
    expect(read({ sub: 'x'.repeat(256) })).toBeNull();
    expect(read({ sub: 'a\u0000b' })).toBeNull();
    expect(read({ name: ' Ana\n Reyes ' })?.name).toBe('Ana Reyes');
    expect(read({ given_name: 'Ana', family_name: 'Reyes' })?.name).toBe('Ana Reyes');
    expect(read({ name: '' })?.name).toBeNull();
  });
});
