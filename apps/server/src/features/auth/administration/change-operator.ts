import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/system-accounts.ts';
import { endCredentialsOf, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { accountChangeJob } from './account-changes.ts';
import { getAccount } from './account-rows.ts';
import type { AdministrationDeps } from './disable-account.ts';
import { lockAccountOfOther } from './lock-account.ts';

type Context = Pick<RequestContext, 'actor' | 'write'>;

interface OperatorDeps extends AdministrationDeps {
  readonly identityChanged: (userId: string) => void | Promise<void>;
}

/** Makes somebody a system administrator: they find it where they open or load a page next. */
export function addOperator({ identityChanged }: OperatorDeps) {
  return async (
    { actor, write }: Context,
    { params: { user: userId } }: { params: ParamsOf<typeof contract.addOperator> },
  ): Promise<ReplyOf<typeof contract.addOperator>> => {
    requireOperator(actor);
    return write('operator.add', async (tx) => {
      const { email, is_operator, disabled_at } = await lockAccountOfOther(tx, actor, userId);
      if (disabled_at !== null) throw new AppError('conflict', { message: 'Enable the account first.' });
      if (is_operator) return { result: await getAccount(tx, userId), audit: null };
      await tx.updateTable('users').set({ is_operator: true }).where('id', '=', userId).execute();
      await enqueueJob(tx, accountChangeJob(email, 'operator_added'));
      return {
        result: await getAccount(tx, userId),
        audit: { objectType: 'user', objectId: userId },
        afterCommit: () => identityChanged(userId),
      };
    });
  };
}

/** Takes it from somebody else, who is signed out: no page of theirs goes on showing what only a system administrator sees. */
export function removeOperator({ endSessions }: OperatorDeps) {
  return async (
    { actor, write }: Context,
    { params: { user: userId } }: { params: ParamsOf<typeof contract.removeOperator> },
  ): Promise<ReplyOf<typeof contract.removeOperator>> => {
    requireOperator(actor);
    return write('operator.remove', async (tx) => {
      const { email, is_operator } = await lockAccountOfOther(tx, actor, userId);
      if (!is_operator) return { result: await getAccount(tx, userId), audit: null };
      await tx.updateTable('users').set({ is_operator: false }).where('id', '=', userId).execute();
      const ended = await endCredentialsOf(tx, { userId, keep: null });
      await enqueueJob(tx, accountChangeJob(email, 'operator_removed'));
      return {
        result: await getAccount(tx, userId),
        audit: { objectType: 'user', objectId: userId, detail: { ended: ended.length } },
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
  };
}
