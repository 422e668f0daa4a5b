import { createECDH } from 'node:crypto';
import { expect, it } from 'vitest';
import { areUsableKeys, encryptPayload } from './encrypt-payload.ts';
import { decryptPayload } from './testing/push-service.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** RFC 8291, appendix A. */
const RFC = {
  text: 'When I grow up, I want to be a watermelon',
  serverKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  browserKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

it('CHAT-16 encrypts the published example to the published bytes', () => {
  const { text, p256dh, auth, salt } = RFC;
  const body = encryptPayload(text, { p256dh, auth }, { privateKey: RFC.serverKey, salt, paddedBytes: 0 });
  expect(body.toString('base64url')).toBe(RFC.body);
});

it('CHAT-16 A36 only the browser’s own key reads it, and its length tells nothing', () => {
  const keys = { p256dh: RFC.p256dh, auth: RFC.auth };
  const [short, long] = ['{"type":"test","id":""}', `{"type":"message_aloud","id":"${crypto.randomUUID()}"}`];
  for (const text of [short, long]) {
    const sealed = encryptPayload(text, keys);
    expect(decryptPayload(sealed, { privateKey: RFC.browserKey, auth: RFC.auth })).toBe(text);
    expect(sealed.length).toBe(encryptPayload('', keys).length);
    const other = createECDH('prime256v1');
    other.generateKeys();
    expect(() => decryptPayload(sealed, { privateKey: other.getPrivateKey(), auth: RFC.auth })).toThrow();
    expect(() => decryptPayload(sealed, { privateKey: RFC.browserKey, auth: Buffer.alloc(16) })).toThrow();
  }
});

it('CHAT-16 takes no key that is no point of the curve', () => {
  expect(areUsableKeys({ p256dh: RFC.p256dh, auth: RFC.auth })).toBe(true);
  const off = Buffer.from(RFC.p256dh);
  off[64] = (off[64] ?? 0) ^ 1;
  expect(areUsableKeys({ p256dh: off, auth: RFC.auth })).toBe(false);
  expect(areUsableKeys({ p256dh: RFC.p256dh, auth: RFC.auth.subarray(1) })).toBe(false);
});
