import { createHash, randomBytes } from 'node:crypto';
import nacl from 'tweetnacl';

/** An event of a private-encrypted channel as the protocol carries it: XSalsa20 and Poly1305, both parts in base64. */
export interface EncryptedEvent {
  readonly nonce: string;
  readonly ciphertext: string;
}

/** The secret of one channel, from the master key as Pusher's server libraries derive it. Its members get it as base64. */
export function channelSecret(masterKey: Buffer, channel: string): Buffer {
  return createHash('sha256').update(channel).update(masterKey).digest();
}

/** Encrypts the JSON text of an event for the members of its channel. The nonce is of one use. */
export function encryptEvent(masterKey: Buffer, channel: string, text: string): EncryptedEvent {
  const nonce = randomBytes(nacl.secretbox.nonceLength);
  const ciphertext = nacl.secretbox(Buffer.from(text), nonce, channelSecret(masterKey, channel));
  return { nonce: nonce.toString('base64'), ciphertext: Buffer.from(ciphertext).toString('base64') };
}
