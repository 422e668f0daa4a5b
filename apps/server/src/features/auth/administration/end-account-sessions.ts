import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { endAccountSessions as endpoint } from '@wardline/contract/facilities/system-accounts.ts';
import { endCredentialsOf, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { accountChangeJob } from './account-changes.ts';
import { getAccount } from './account-rows.ts';
import type { AdministrationDeps } from './disable-account.ts';
import { lockAccountOfOther } from './lock-account.ts';

/** Ends every session and token of somebody else, at once. */
export function endAccountSessions({ endSessions }: AdministrationDeps) {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { params: { user: userId } }: { params: ParamsOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    return write('account.end_sessions', async (tx) => {
      const { email } = await lockAccountOfOther(tx, actor, userId);
      const ended = await endCredentialsOf(tx, { userId, keep: null });
      const result = await getAccount(tx, userId);
      if (ended.length === 0) return { result, audit: null };
      await enqueueJob(tx, accountChangeJob(email, 'signed_out'));
      return {
        result,
        audit: { objectType: 'user', objectId: userId, detail: { ended: ended.length } },
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
  };
}
