import { createHash } from 'node:crypto';
import type { Quota } from '#/platform/http/context.ts';
import { neighbourhoodOf, placeOf } from '#/platform/http/edge/client-address.ts';
import {
  type CreateCounter,
  createCounter as countHere,
  type ShareNumbers,
  shareWithNobody,
  tooMany,
} from '#/platform/http/rate-limit.ts';
import { RecentlyUsed } from '#/platform/recently-used.ts';
import { normalizeEmail } from './known-device.ts';

/** Counts tries to sign in. A try is counted before its password is hashed, so that parallel ones cannot slip through. */
export interface SignInLimits {
  /** Throws 429 with the seconds to wait. `device` names a device on which the account has signed in before. */
  begin(email: string, from: SignInPlace): Promise<SignInTry>;
}

/** A try that counts as failed until it is told otherwise. */
export interface SignInTry {
  readonly quota: Quota;
  /** The password was right. */
  succeeded(): Promise<void>;
  /** The password was not looked at, for want of a turn: the try is given back, and `cause` thrown on. */
  notChecked(cause: unknown): Promise<never>;
}

interface SignInPlace {
  readonly ip: string;
  readonly device: string | null;
}

export interface SignInLimitOptions {
  /** What is tried, where more than one thing is: each has counters of its own. */
  readonly name?: string;
  /** Left out, this process counts by itself. */
  readonly createCounter?: CreateCounter;
  /** Left out, no other server hears of failures in a row and of places that are known. */
  readonly share?: ShareNumbers;
  readonly now?: () => number;
  /** Keys kept per counter; the least recently used is forgotten first. */
  readonly keys?: number;
}

const FAILURES_BEFORE_DELAY = 100;
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 15 * 60_000;
/** Failures further back than this are not of the same attack. */
const FORGOTTEN_MS = 24 * 3_600_000;

interface Failures {
  readonly count: number;
  readonly notBefore: number;
  /** When the last one was. */
  readonly at: number;
}

const NONE: Failures = { count: 0, notBefore: 0, at: 0 };

/**
 * 5 a minute and 20 an hour per account and address, 30 a minute per /24 or /64. From the 100th failure in a row an
 * account answers strangers after a growing delay only, until one of them knows the password or a day is over; that its
 * owner signs in meanwhile gives strangers nothing anew. A device on which the account has signed in before has counters of
 * its own, 5 a minute and 20 an hour, and an address from which it was signed in before answers to none of its
 * neighbourhood: strangers never lock anybody out.
 */
export function createSignInLimits(options: SignInLimitOptions = {}) {
  const { now = () => performance.now(), keys = 50_000, name = 'sign-in' } = options;
  const { createCounter = countHere, share = shareWithNobody } = options;
  const perMinute = createCounter(`${name} a minute`, { points: 5, duration: 60, keys });
  const perHour = createCounter(`${name} an hour`, { points: 20, duration: 3600, keys });
  const nearby = createCounter(`${name} nearby`, { points: 30, duration: 60, keys });
  const failures = new RecentlyUsed<string, Failures>(keys);
  const knownPlaces = new RecentlyUsed<string, true>(keys);
  const tellFailures = share(`${name} failures`, (account, count) => {
    if (count === 0) failures.delete(account);
    // A server that began later has counted less.
    else if (count > failuresOf(account).count) noteFailures(account, count);
  });
  const tellPlace = share(`${name} places`, (place) => knownPlaces.set(place, true));

  function failuresOf(account: string): Failures {
    const found = failures.get(account) ?? NONE;
    return now() - found.at > FORGOTTEN_MS ? NONE : found;
  }

  /** Before the hundredth there is no delay. */
  function noteFailures(account: string, count: number): Failures {
    const over = count - FAILURES_BEFORE_DELAY;
    const delayMs = over < 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** Math.min(over, 20), LONGEST_DELAY_MS);
    const noted = { count, notBefore: now() + delayMs, at: now() };
    failures.set(account, noted);
    return noted;
  }

  /** Of strangers. */
  function countFailure(account: string): () => void {
    const before = failuresOf(account);
    if (now() < before.notBefore) throw tooMany(before.notBefore - now());
    const counted = noteFailures(account, before.count + 1);
    tellFailures(account, counted.count);
    return () => {
      const current = failures.get(account) ?? NONE;
      if (current === counted) failures.set(account, before);
      // Somebody failed meanwhile: the delay is theirs.
      else if (current.count > 0) failures.set(account, { ...current, count: current.count - 1 });
    };
  }

  const limits: SignInLimits = {
    async begin(email, { ip, device }) {
      const account = keyOf(normalizeEmail(email));
      const accountHere = keyOf(device === null ? `${account} ${placeOf(ip)}` : `${account} device ${device}`);
      const isKnown = device !== null || knownPlaces.get(accountHere) === true;
      const neighbourhood = isKnown ? null : neighbourhoodOf(ip);
      if (neighbourhood !== null) await nearby.take(neighbourhood);
      const quota = await perMinute.take(accountHere);
      await perHour.take(accountHere);
      const uncountFailure = isKnown ? () => undefined : countFailure(account);
      return {
        quota,
        async succeeded() {
          if (!isKnown) {
            failures.delete(account);
            tellFailures(account, 0);
          }
          if (device === null) {
            knownPlaces.set(accountHere, true);
            tellPlace(accountHere, 1);
          }
          await perMinute.forget(accountHere);
          await perHour.forget(accountHere);
          // A ward that signs in at the change of shift from one address is no attack.
          if (neighbourhood !== null) await nearby.giveBack(neighbourhood);
        },
        async notChecked(cause) {
          uncountFailure();
          await perMinute.giveBack(accountHere);
          await perHour.giveBack(accountHere);
          if (neighbourhood !== null) await nearby.giveBack(neighbourhood);
          throw cause;
        },
      };
    },
  };
  return limits;
}

/** Keys have one length, whatever was sent as an email. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
