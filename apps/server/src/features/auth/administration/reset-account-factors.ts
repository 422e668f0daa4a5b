import { randomBytes } from 'node:crypto';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { resetSecondFactors as endpoint } from '@wardline/contract/facilities/system-accounts.ts';
import type { Passwords } from '#/features/auth/credentials/passwords.ts';
import { keysOf } from '#/features/auth/sessions/end-sessions.ts';
import { resetFactorsOf } from '#/features/auth/sessions/reset-factors.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { getAccount } from './account-rows.ts';
import type { AdministrationDeps } from './disable-account.ts';
import { lockAccountOfOther } from './lock-account.ts';

interface ResetDeps extends AdministrationDeps {
  readonly check: { readonly passwords: Passwords };
}

/** For whom has lost every second factor; the command of the console does the same. */
export function resetAccountFactors({ check, endSessions }: ResetDeps) {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { params: { user: userId } }: { params: ParamsOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    const unusableHash = await check.passwords.hash(randomBytes(32).toString('base64url'));
    return write('second_factor.reset', async (tx) => {
      await lockAccountOfOther(tx, actor, userId);
      const { ended, detail } = await resetFactorsOf(tx, { userId, unusableHash });
      return {
        result: { account: await getAccount(tx, userId), loses_password: detail.losesPassword },
        audit: { objectType: 'user', objectId: userId, detail: { ...detail } },
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
  };
}
