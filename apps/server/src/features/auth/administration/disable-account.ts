import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import type * as contract from '@wardline/contract/facilities/system-accounts.ts';
import { sql } from 'kysely';
import { type EndSessions, endCredentialsOf, keysOf } from '#/features/auth/sessions/end-sessions.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { accountChangeJob } from './account-changes.ts';
import { getAccount } from './account-rows.ts';
import { lockAccountOfOther } from './lock-account.ts';

export interface AdministrationDeps {
  readonly endSessions: EndSessions;
}

type Context = Pick<RequestContext, 'actor' | 'write'>;
type Disable = typeof contract.disableAccount;

/** From the commit on nobody signs in with it, nothing goes on under it, and nobody calls its person: their shifts end. */
export function disableAccount({ endSessions }: AdministrationDeps) {
  return async (
    { actor, write }: Context,
    { params: { user: userId }, body }: { params: ParamsOf<Disable>; body: BodyOf<Disable> },
  ): Promise<ReplyOf<Disable>> => {
    requireOperator(actor);
    return write('account.disable', async (tx) => {
      const { email, disabled_at } = await lockAccountOfOther(tx, actor, userId);
      if (disabled_at !== null) return { result: await getAccount(tx, userId), audit: null };
      const disabled = { disabled_at: sql<Date>`now()`, disabled_reason: body.reason };
      await tx.updateTable('users').set(disabled).where('id', '=', userId).execute();
      const ended = await endCredentialsOf(tx, { userId, keep: null });
      await enqueueJob(tx, accountChangeJob(email, 'disabled'));
      const account = await getAccount(tx, userId);
      return {
        result: account,
        audit: { objectType: 'user', objectId: userId, detail: { ended: ended.length } },
        publish: account.facilities.map(({ id }) => dutyChanged(id)),
        afterCommit: () => endSessions(keysOf(ended)),
      };
    });
  };
}

/** For whoever of the facility sees who is on call. */
function dutyChanged(facilityId: string): Publication {
  return publication(facilityChannel, facilityId, ['OnCallChanged', { facility_id: facilityId, role_id: null }]);
}

/** They sign in as before; what had ended stays so. */
export async function enableAccount(
  { actor, write }: Context,
  { params: { user: userId } }: { params: ParamsOf<typeof contract.enableAccount> },
): Promise<ReplyOf<typeof contract.enableAccount>> {
  requireOperator(actor);
  return write('account.enable', async (tx) => {
    const { email, disabled_at } = await lockAccountOfOther(tx, actor, userId);
    if (disabled_at === null) return { result: await getAccount(tx, userId), audit: null };
    const enabled = { disabled_at: null, disabled_reason: null };
    await tx.updateTable('users').set(enabled).where('id', '=', userId).execute();
    await enqueueJob(tx, accountChangeJob(email, 'enabled'));
    const audit = { objectType: 'user', objectId: userId };
    return { result: await getAccount(tx, userId), audit };
  });
}
