import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import nacl from 'tweetnacl';
import { expect, test } from 'vitest';
import { channelSecret, encryptEvent } from './encryption.ts';

const channel = 'private-encrypted-ward.1';

test('F-C2 RT-1 the secret of a channel is SHA-256 of its name and the master key, as Pusher documents it', () => {
  const masterKey = Buffer.from('01234567890123456789012345678901');
  expect(channelSecret(masterKey, channel).toString('hex')).toBe(
    '4d5aff0c71415033f72cb1ce518d660757ca88e6f4c429b341280c59938c32d4',
  );
});

test('F-C2 RT-1 any text is read again with the secret of its channel, and with no other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const masterKey = randomBytes(32);
      const { nonce, ciphertext } = encryptEvent(masterKey, channel, text);
      const open = (secret: Buffer) =>
        nacl.secretbox.open(Buffer.from(ciphertext, 'base64'), Buffer.from(nonce, 'base64'), secret);
      expect(Buffer.from(open(channelSecret(masterKey, channel)) ?? []).toString()).toBe(text);
      expect(open(channelSecret(masterKey, `${channel}1`))).toBeNull();
    }),
  );
});

test('F-C2 the same event is never encrypted twice alike', () => {
  const masterKey = randomBytes(32);
  expect(encryptEvent(masterKey, channel, 'x').nonce).not.toBe(encryptEvent(masterKey, channel, 'x').nonce);
});
