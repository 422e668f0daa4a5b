import type { Counter, CreateCounter } from '#/platform/http/rate-limit.ts';

/** How often things of an account may be asked for; each take beyond it answers 429. */
export interface AccountLimits {
  /** Asking for a link for a new password, per place. What one account is mailed is limited in the job. */
  readonly resetLinks: Counter;
  /** Following such links, per place: each try costs a hash. */
  readonly resets: Counter;
  /** Asking for an account, per place. */
  readonly registrations: Counter;
  /** Links to an address that waits to be verified, per person. */
  readonly verificationLinks: Counter;
  /** Challenges for passkeys and their answers, per place; a whole ward may sit behind one. */
  readonly passkeys: Counter;
  /** Ways to a provider, and back, per place. */
  readonly singleSignOn: Counter;
}

const HOUR_S = 3600;

export function createAccountLimits(createCounter: CreateCounter): AccountLimits {
  const perHour = (name: string, points: number) => createCounter(name, { points, duration: HOUR_S });
  return {
    resetLinks: perHour('reset links', 10),
    resets: perHour('resets', 30),
    registrations: perHour('registrations', 60),
    verificationLinks: perHour('verification links', 6),
    passkeys: createCounter('passkeys', { points: 300, duration: 60 }),
    singleSignOn: createCounter('single sign-on', { points: 240, duration: 60 }),
  };
}
