import { createHmac } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';

/** What the audit says of an address: the same for the same address, and nothing to anybody without the app key. */
export function auditedEmail(appKey: Buffer, email: string): { readonly email_hmac: string } {
  return { email_hmac: createHmac('sha256', deriveKey(appKey, 'audited email')).update(email).digest('hex') };
}
