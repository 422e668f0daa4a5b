import { createHmac, randomInt } from 'node:crypto';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';

/** Codes for the day on which the phone is lost: ten, each good once. Only their HMACs are stored. */
export interface RecoveryCodes {
  make(): string[];
  /** What is stored of a code; the same however it is typed. */
  hashOf(userId: string, code: string): Buffer;
  /** Keeps fresh codes in memory for the session that made them, for clients that ask for them afterwards. */
  show(sessionKey: string, codes: readonly string[]): void;
  /** The codes that this session made within ten minutes; later none. */
  shownTo(sessionKey: string): readonly string[];
}

export const CODES_AT_ONCE = 10;
/** Nothing that is mistaken for something else in handwriting. 30 letters, ten of them: 49 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz2346789';
const GROUP = 5;
const SHOWN_FOR_MS = 10 * 60_000;
const SESSIONS_SHOWN = 1_000;

export function createRecoveryCodes(appKey: Buffer, now: () => number = () => performance.now()): RecoveryCodes {
  const key = deriveKey(appKey, 'recovery code');
  const shown = new RecentlyUsed<string, { readonly codes: readonly string[]; readonly until: number }>(SESSIONS_SHOWN);
  return {
    make: () => Array.from({ length: CODES_AT_ONCE }, () => `${randomLetters(GROUP)}-${randomLetters(GROUP)}`),
    hashOf(userId, code) {
      const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
      return createHmac('sha256', key).update(`${userId} ${letters}`).digest();
    },
    show: (sessionKey, codes) => shown.set(sessionKey, { codes, until: now() + SHOWN_FOR_MS }),
    shownTo(sessionKey) {
      const found = shown.get(sessionKey);
      return found && now() < found.until ? found.codes : [];
    },
  };
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
