import type * as contract from '@wardline/contract/account/second-factor.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import type { RecoveryCodes } from './recovery-codes.ts';
import {
  factorChangeJob,
  getFactors,
  hasSecondFactor,
  lockUser,
  replaceRecoveryCodes,
} from './second-factor-queries.ts';

interface RenewDeps {
  readonly recoveryCodes: RecoveryCodes;
}

/** Ten new codes; of those before, none counts any more. */
export function renewRecoveryCodes({ recoveryCodes }: RenewDeps) {
  return async (ctx: RequestContext): Promise<ReplyOf<typeof contract.renewRecoveryCodes>> => {
    const { userId, credential } = ctx.actor;
    const codes = recoveryCodes.make();
    await ctx.write('recovery_codes.renew', async (tx) => {
      await lockUser(tx, userId);
      if (!(await hasSecondFactor(tx, userId))) throw invalidField('code', 'Add a second factor first.');
      await replaceRecoveryCodes(tx, { userId, codes, hashOf: recoveryCodes.hashOf });
      await enqueueJob(tx, factorChangeJob(userId, 'recovery_codes_renewed'));
      return { result: undefined, audit: { objectType: 'user', objectId: userId } };
    });
    recoveryCodes.show(credential.key, codes);
    return { recovery_codes: codes };
  };
}

/** What clients made for Fortify ask for after new codes; ours has them from the answer. */
export function listRecoveryCodes({ recoveryCodes }: Pick<RenewDeps, 'recoveryCodes'>) {
  return async ({ actor }: Pick<RequestContext, 'actor'>): Promise<ReplyOf<typeof contract.listRecoveryCodes>> => [
    ...recoveryCodes.shownTo(actor.credential.key),
  ];
}

export async function getSecondFactors({
  actor,
  db,
}: Pick<RequestContext, 'actor' | 'db'>): Promise<ReplyOf<typeof contract.getSecondFactors>> {
  return getFactors(db, actor.userId);
}
