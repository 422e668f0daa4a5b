import type { Account } from '@wardline/contract/account/account.ts';
import { deleteEmailChange, getAccountRow, toAccount } from '#/features/auth/account/account-queries.ts';
import type { RequestContext } from '#/platform/http/context.ts';

/** Forgets the address that waits; its link has no force any more. */
export async function cancelEmailChange({ actor, write }: Pick<RequestContext, 'actor' | 'write'>): Promise<Account> {
  const { userId } = actor;
  return write('email.change_cancel', async (tx) => {
    const wasWaiting = await deleteEmailChange(tx, userId);
    return {
      result: toAccount(await getAccountRow(tx, userId)),
      audit: wasWaiting ? { objectType: 'user', objectId: userId } : null,
    };
  });
}
