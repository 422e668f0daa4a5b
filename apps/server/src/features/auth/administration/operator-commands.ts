import { randomBytes, randomUUID } from 'node:crypto';
import { issueResetLink } from '#/features/auth/account/account-queries.ts';
import type { Links } from '#/features/auth/account/links.ts';
import type { Transaction, Write } from '#/platform/http/context.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { accountChangeJob } from './account-changes.ts';

interface CommandTarget {
  readonly name: string;
  /** A disabled account is left as it is. */
  readonly isDisabled: boolean;
}

export interface NewOperator extends CommandTarget {
  readonly wasOperator: boolean;
}

/**
 * Makes somebody a system administrator for whoever runs the machine, where the last one has left or cannot sign in any more. Null where
 * nobody has the address.
 */
export async function makeOperator(write: Write, email: string): Promise<NewOperator | null> {
  return write<NewOperator | null>('operator.add', async (tx) => {
    const held = await holdAccount(tx, email);
    if (held === null) return { result: null, audit: null };
    const { id, name, is_operator: wasOperator, isDisabled } = held;
    if (isDisabled || wasOperator) return { result: { name, isDisabled, wasOperator }, audit: null };
    await tx.updateTable('users').set({ is_operator: true }).where('id', '=', id).execute();
    await enqueueJob(tx, accountChangeJob(held.email, 'operator_added'));
    return { result: { name, isDisabled, wasOperator }, audit: { objectType: 'user', objectId: id } };
  });
}

export interface HandedResetLink extends CommandTarget {
  /** Null where the account is disabled, or three were asked for within the hour. */
  readonly link: string | null;
}

/** A link for a new password, which is handed over where no mail arrives. Null where nobody has the address. */
export async function makeResetLink(
  write: Write,
  { email, links }: { readonly email: string; readonly links: Links },
): Promise<HandedResetLink | null> {
  const token = randomBytes(32).toString('base64url');
  return write<HandedResetLink | null>('password.reset_link', async (tx) => {
    const held = await holdAccount(tx, email);
    if (held === null) return { result: null, audit: null };
    const { id, name, isDisabled } = held;
    const link = { jobId: randomUUID(), userId: id, tokenHash: hashSecret(token) };
    if (isDisabled || !(await issueResetLink(tx, link)))
      return { result: { name, isDisabled, link: null }, audit: null };
    return {
      result: { name, isDisabled, link: links.resetPassword({ token, email: held.email }) },
      audit: { objectType: 'user', objectId: id },
    };
  });
}

async function holdAccount(tx: Transaction, email: string) {
  const held = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'is_operator', 'disabled_at'])
    .where('email', '=', email.toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held === undefined ? null : { ...held, isDisabled: held.disabled_at !== null };
}
