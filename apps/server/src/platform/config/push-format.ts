import { createECDH } from 'node:crypto';

/** `push.example.org`, or `*.example.org` for every name below it. */
const HOST = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

export function isHostPattern(text: string): boolean {
  return HOST.test(text);
}

/** Whether it is a private key of P-256: some few numbers of 32 bytes are none. */
export function isPrivateKey(key: Buffer): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(key);
    return key.length === 32;
  } catch {
    return false;
  }
}
