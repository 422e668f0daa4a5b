import { createHmac, randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { AppError } from '#/platform/http/app-error.ts';

export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Without a hash it takes as long and answers false, so that an unknown address looks like a wrong password. Known devices
   * have a queue of their own, so that nobody waits for the tries of strangers.
   */
  verify(hash: string | null, password: string, from?: { readonly isKnownDevice: boolean }): Promise<boolean>;
  /** True for a hash made at another cost: hash again while the password is at hand. */
  isOutdated(hash: string): boolean;
}

const PRODUCTION_COST: PasswordCost = { memoryKib: 65_536, passes: 3 };
const AT_ONCE = 4;
const KNOWN_AT_ONCE = 2;
const WAITING = 64;
/** Who waited longer than this has pressed the button again, or is an attack. */
const LONGEST_WAIT_MS = 2_000;

/** The hash of a password that nobody knows: a mailed link sets one that somebody does. */
export function hashByLot({ hash }: Pick<Passwords, 'hash'>): Promise<string> {
  return hash(randomBytes(32).toString('base64url'));
}

/** argon2id over an HMAC of the password, keyed from the app key. Another cost is for tests and demo data only. */
export function createPasswords(appKey: Buffer, cost: PasswordCost = PRODUCTION_COST): Passwords {
  const pepper = deriveKey(appKey, 'password pepper');
  // In base64, since the library reads what it verifies as text.
  const peppered = (password: string) =>
    createHmac('sha256', pepper).update(password.normalize('NFC')).digest('base64');
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1, outputLen: 32 };
  const inTurn = createQueue(AT_ONCE, WAITING);
  const knownInTurn = createQueue(KNOWN_AT_ONCE, WAITING);
  const nobodys = hashOfNobody(cost);

  return {
    hash: (password) => inTurn(() => hash(peppered(password), options)),
    verify: (stored, password, from) =>
      (from?.isKnownDevice ? knownInTurn : inTurn)(async () => {
        const isRight = await verify(stored ?? nobodys, peppered(password));
        return isRight && stored !== null;
      }),
    isOutdated(stored) {
      const { memoryCost, timeCost } = parseOptions(stored);
      return memoryCost !== options.memoryCost || timeCost !== options.timeCost;
    },
  };
}

/** What stands in for the hash of an account that is not there: of this cost, and drawn by lot instead of made. */
function hashOfNobody({ memoryKib, passes }: PasswordCost): string {
  const [salt, output] = [16, 32].map((bytes) => randomBytes(bytes).toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${salt}$${output}`;
}

/**
 * Runs at most `atOnce` at a time and lets `waiting` more wait, none of them for long; who comes after that, or would have to
 * wait longer, is sent away with 503.
 */
function createQueue(atOnce: number, waiting: number) {
  const turns: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else if (turns.length < waiting) await takeTurn(turns);
    else throw busy();
    try {
      return await work();
    } finally {
      const next = turns.shift();
      if (next) next();
      else running--;
    }
  };
}

function takeTurn(turns: (() => void)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      clearTimeout(limit);
      resolve();
    };
    const limit = setTimeout(() => {
      turns.splice(turns.indexOf(give), 1);
      reject(busy());
    }, LONGEST_WAIT_MS);
    turns.push(give);
  });
}

function busy(): AppError {
  return new AppError('unavailable', { retryAfterS: 2 });
}
