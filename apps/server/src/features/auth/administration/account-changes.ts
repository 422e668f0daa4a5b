import type { NewJob } from '#/platform/jobs/jobs.ts';

export const ACCOUNT_CHANGES = ['disabled', 'enabled', 'signed_out', 'operator_added', 'operator_removed'] as const;
/** What a system administrator did to an account, as its owner is told by mail. */
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

/** By the address: who is disabled is told too. */
export function accountChangeJob(email: string, change: AccountChange): NewJob {
  return { kind: 'auth.account_changed', payload: { email, change } };
}
