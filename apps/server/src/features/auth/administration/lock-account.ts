import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { SERVER_ACCOUNT } from './account-rows.ts';

export interface LockedAccount {
  readonly id: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly disabled_at: Date | null;
}

/**
 * Holds the account and every system administrator until the end of the transaction, in the order of their ids. Whoever acts must
 * still be one, and acts on nobody's account but another's: so one of them always stays (A30).
 */
export async function lockAccountOfOther(
  tx: Transaction,
  actor: Pick<Actor, 'userId'>,
  userId: string,
): Promise<LockedAccount> {
  const held = await tx
    .selectFrom('users')
    .select(['id', 'email', 'is_operator', 'disabled_at'])
    .where(({ or, eb }) => or([eb('is_operator', '=', true), eb('id', '=', userId)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const isAllowed = held.some(({ id, ...of }) => id === actor.userId && of.is_operator && of.disabled_at === null);
  const account = held.find(({ id }) => id === userId);
  if (!isAllowed || !account || userId === SERVER_ACCOUNT) throw new AppError('not_found');
  if (userId === actor.userId) {
    throw new AppError('conflict', {
      message: 'Your own account is changed by you in your settings, or by another system administrator.',
    });
  }
  return account;
}
