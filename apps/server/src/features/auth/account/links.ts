import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';

/** What the path and the query of a link to /verify-email say. */
export interface VerifyLink {
  /** Of a registration, or of the person whose address changes. */
  readonly id: string;
  /** SHA-256 of the address, in hex. */
  readonly hash: string;
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

/** The links that are mailed. They lead to the configured origin, whatever host a request named (A4). */
export interface Links {
  signIn(): string;
  forgotPassword(): string;
  resetPassword(claims: { readonly token: string; readonly email: string }): string;
  verifyEmail(claims: { readonly id: string; readonly email: string; readonly expiresAt: Date }): string;
  /** True for a link that was made here and is not late. */
  isValid(link: VerifyLink): boolean;
  /** Notes in a cookie that the link of this registration was followed. */
  noteOf(registrationId: string): string;
  /** The registration of such a note; null where it was not made here. */
  registrationOf(note: string): string | null;
}

const NOTE = /^([0-9a-f-]{36})[.]([0-9a-f]{64})$/;

export function createLinks(appKey: Buffer, publicUrl: () => string): Links {
  const linkKey = deriveKey(appKey, 'verify link');
  const noteKey = deriveKey(appKey, 'followed link');
  const sign = (link: Omit<VerifyLink, 'signature'>) => hmac(linkKey, `${pathOf(link)}?expires=${link.expires}`);
  return {
    signIn: () => `${publicUrl()}/sign-in`,
    forgotPassword: () => `${publicUrl()}/forgot-password`,
    resetPassword: ({ token, email }) =>
      `${publicUrl()}/password-reset/${token}?${new URLSearchParams({ email }).toString()}`,
    verifyEmail({ id, email, expiresAt }) {
      const link = { id, hash: hashOfEmail(email), expires: String(Math.floor(expiresAt.getTime() / 1000)) };
      return publicUrl() + addressOf({ ...link, signature: sign(link) });
    },
    isValid: (link) => isSame(link.signature, sign(link)) && Number(link.expires) * 1000 > Date.now(),
    noteOf: (registrationId) => `${registrationId}.${hmac(noteKey, registrationId)}`,
    registrationOf(note) {
      const [, id = '', proof = ''] = NOTE.exec(note) ?? [];
      return id !== '' && isSame(proof, hmac(noteKey, id)) ? id : null;
    },
  };
}

/** Path and query of a link, for leading back to it. */
export function addressOf(link: VerifyLink): string {
  const { expires, signature } = link;
  return `${pathOf(link)}?${new URLSearchParams({ expires, signature }).toString()}`;
}

export function hashOfEmail(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}

function pathOf({ id, hash }: Pick<VerifyLink, 'id' | 'hash'>): string {
  return `/verify-email/${id}/${hash}`;
}

function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
