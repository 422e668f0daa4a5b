import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { setAsideLaboratoryResult as endpoint } from '@wardline/contract/examinations/laboratory.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from '../core/deps.ts';
import { assignResults, seeLaboratory } from '../core/policy.ts';
import { holdWaitingCall } from './call-about-waiting.ts';
import { findResult, holdFeed } from './feed-queries.ts';

type Endpoint = typeof endpoint;

/** Takes a result off the list of those that wait. It is kept, and can still be assigned until it is emptied. */
export function setResultAside(deps: ExaminationDeps) {
  return async ({ actor, write }: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId, result: id } = params;
    authorizeToKnow(actor, seeLaboratory, { facilityId });
    authorize(actor, assignResults, { facilityId });
    return write('result.set_aside', async (tx) => {
      await holdFeed(tx, facilityId);
      const call = await holdWaitingCall(deps, tx, facilityId);
      await authorizeNow(tx, actor, assignResults, { facilityId });
      const result = await findResult(tx, { facilityId, id });
      if (result === null) throw new AppError('not_found');
      if (result.version !== body.version || result.state !== 'unmatched') throw new AppError('conflict');
      const version = result.version + 1;
      await tx
        .updateTable('laboratory_results')
        .set({ state: 'set_aside', version, closed_by: actor.userId, closed_at: new Date(), reason: body.reason })
        .where('id', '=', id)
        .execute();
      return {
        result: { version },
        audit: { facilityId, objectType: 'laboratory_result', objectId: id },
        publishToAll: await call.settled(actor),
      };
    });
  };
}
