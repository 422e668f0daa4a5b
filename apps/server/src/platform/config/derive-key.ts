import { createHmac } from 'node:crypto';

export type Purpose =
  | 'password pepper'
  | 'device key'
  | 'audited email'
  | 'audit head'
  | 'totp secret'
  | 'recovery code'
  | 'verify link'
  | 'followed link'
  | 'known device'
  | 'single sign-on'
  | 'draft'
  | 'census feed'
  | 'channel secrets'
  | 'record signature'
  | 'image address'
  | 'attachment address'
  | 'push services'
  | 'server bus';

/** A key of its own for each purpose, from the one secret of the installation. */
export function deriveKey(appKey: Buffer, purpose: Purpose): Buffer {
  return createHmac('sha256', appKey).update(`wardline ${purpose}`).digest();
}
