import { expect, it } from 'vitest';
import { createRecoveryCodes } from './recovery-codes.ts';
import { createTotp } from './totp.ts';

const appKey = Buffer.from('an app key that is only for tests, 32+');
/** The secret of RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890');
const USER = '01970000-0000-7000-8000-000000000001';
const OTHER = '01970000-0000-7000-8000-000000000002';

function at(seconds: number) {
  return createTotp({ appKey, productName: 'Wardline', now: () => seconds * 1000 });
}

// The RFC's vectors have eight digits; six are the last six of them.
it.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('ACC-3 the code at %i s is that of RFC 6238', (seconds, vector) => {
  const totp = at(seconds);
  const sealed = totp.seal(USER, SECRET);
  const code = vector.slice(2);
  expect(totp.stepOf(USER, sealed, code)).toBe(Math.floor(seconds / 30));
  expect(totp.stepOf(USER, sealed, ` ${code.slice(0, 3)} ${code.slice(3)}`)).toBe(Math.floor(seconds / 30));
});

it('ACC-3 a code counts one step early or late and names its own step, never two', () => {
  const sealed = at(0).seal(USER, SECRET);
  // The code of step 37037036.
  expect([-60, -30, 0, 30, 60].map((off) => at(1111111109 + off).stepOf(USER, sealed, '081804'))).toEqual([
    null,
    37037036,
    37037036,
    37037036,
    null,
  ]);
});

it.each(['', '12345', '1234567', 'abcdef', '٠٨١٨٠٤', '081804x'])('ACC-3 %j is no code', (text) => {
  const totp = at(1111111109);
  expect(totp.stepOf(USER, totp.seal(USER, SECRET), text)).toBeNull();
});

it('A8 a secret is stored sealed, opens for its own person only and with the installation’s key only', () => {
  const totp = at(0);
  const sealed = totp.seal(USER, SECRET);
  expect(sealed.includes(SECRET)).toBe(false);
  expect(totp.seal(USER, SECRET).equals(sealed)).toBe(false);
  expect(totp.secretKey(USER, sealed)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(() => totp.secretKey(OTHER, sealed)).toThrow();
  const elsewhere = createTotp({ appKey: Buffer.from('another app key, of another server'), productName: 'Wardline' });
  expect(() => elsewhere.secretKey(USER, sealed)).toThrow();
  const changed = Buffer.from(sealed);
  changed[20] = (changed[20] ?? 0) ^ 1;
  expect(() => totp.secretKey(USER, changed)).toThrow();
});

it('ACC-3 the address for apps names product, account and secret', () => {
  const totp = at(0);
  const url = new URL(totp.address(USER, totp.seal(USER, SECRET), 'ana@demo.test'));
  expect(url.href.startsWith('otpauth://totp/Wardline:ana')).toBe(true);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ issuer: 'Wardline', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
    ...{ algorithm: 'SHA1', digits: '6', period: '30' },
  });
});

it('ACC-3 ten recovery codes, all different; one counts however it is typed, for its own person', () => {
  const codes = createRecoveryCodes(appKey);
  const made = codes.make();
  expect(new Set(made).size).toBe(10);
  for (const code of made) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  const [code = ''] = made;
  expect(codes.hashOf(USER, code)).toEqual(codes.hashOf(USER, ` ${code.toUpperCase().replace('-', ' ')}`));
  expect(codes.hashOf(USER, code)).not.toEqual(codes.hashOf(OTHER, code));
});

it('ACC-3 fresh recovery codes are shown to the session that made them, for ten minutes', () => {
  let now = 0;
  const codes = createRecoveryCodes(appKey, () => now);
  codes.show('ours', ['a', 'b']);
  now = 599_999;
  expect([codes.shownTo('ours'), codes.shownTo('theirs')]).toEqual([['a', 'b'], []]);
  now = 600_000;
  expect(codes.shownTo('ours')).toEqual([]);
});
