import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';

/**
 * What the device cookie holds: when it was made, a random id of the device, and a mark for each account that has signed in
 * there; signed. A mark is an HMAC of the address and the device's id, so that the cookie names nobody and two devices of a
 * person have nothing in common.
 */
export interface KnownDevices {
  /** Names the device where this account has signed in on it before; otherwise null. */
  find(cookie: string | null, email: string): string | null;
  /** Names the device of a cookie that we have set; otherwise null. */
  read(cookie: string | null): string | null;
  /** The cookie of the device after this account has signed in on it. */
  add(cookie: string | null, email: string): string;
}

/** A ward's computer is used by many: those who came last are kept. */
const ACCOUNTS = 60;
const LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;
const FORM = /^(\d{1,15})\.([A-Za-z0-9_-]{22})\.((?:[A-Za-z0-9_-]{11}){1,60})\.([A-Za-z0-9_-]{43})$/;
const MARK = /.{11}/g;

interface Device {
  readonly madeAt: number;
  readonly id: string;
  readonly marks: readonly string[];
}

export function createKnownDevices(appKey: Buffer, now: () => number = Date.now): KnownDevices {
  const key = deriveKey(appKey, 'known device');
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest();
  const markOf = (email: string, id: string) =>
    hmac(`mark ${id} ${normalizeEmail(email)}`)
      .subarray(0, 8)
      .toString('base64url');
  const sign = (text: string) => hmac(`cookie ${text}`);

  function read(cookie: string | null): Device | null {
    const [, madeAt = '', id = '', marks = '', signature = ''] = FORM.exec(cookie ?? '') ?? [];
    if (id === '') return null;
    const given = Buffer.from(signature, 'base64url');
    const expected = sign(`${madeAt}.${id}.${marks}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const age = now() - Number(madeAt);
    return age >= 0 && age < LIFETIME_MS ? { madeAt: Number(madeAt), id, marks: marks.match(MARK) ?? [] } : null;
  }

  return {
    read: (cookie) => read(cookie)?.id ?? null,
    find(cookie, email) {
      const device = read(cookie);
      return device?.marks.includes(markOf(email, device.id)) ? device.id : null;
    },
    add(cookie, email) {
      const { id, marks } = read(cookie) ?? { id: randomBytes(16).toString('base64url'), marks: [] };
      const mark = markOf(email, id);
      const kept = [mark, ...marks.filter((known) => known !== mark)].slice(0, ACCOUNTS);
      const text = `${now()}.${id}.${kept.join('')}`;
      return `${text}.${sign(text).toString('base64url')}`;
    },
  };
}

/** However an address is written, it is one account. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}
