import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';

/** Where the chain of the audit ends. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: Buffer;
  /** Null before its first entry. */
  readonly mac: Buffer | null;
}

/** What only the server can put beside the end of the chain: the database does not know the key. */
export function signHead(appKey: Buffer, { seq, hash }: Pick<AuditHead, 'seq' | 'hash'>): Buffer {
  return createHmac('sha256', deriveKey(appKey, 'audit head')).update(`${seq} `).update(hash).digest();
}

/** Whether this server, or another one with its key, was the last that moved the end of the chain. */
export function isSigned(appKey: Buffer, head: AuditHead): boolean {
  if (head.seq === 0 && head.mac === null) return true;
  return head.mac !== null && timingSafeEqual(head.mac, signHead(appKey, head));
}
