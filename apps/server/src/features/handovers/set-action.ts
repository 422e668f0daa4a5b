import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { setHandoverAction as endpoint } from '@wardline/contract/examinations/handovers.ts';
import { mayTick } from '@wardline/examination/handover.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { HandoverDeps } from './core/deps.ts';
import { handoverChanged } from './core/handover-changed.ts';
import { tickAction } from './core/policy.ts';
import { requireHandover, serializeHandover } from './core/require-handover.ts';
import { now } from './core/sign-sheet.ts';

type Endpoint = typeof endpoint;

/** Whoever works on in the chat says that an action is done, or not after all. Who said it first stays. */
export function setHandoverAction(deps: HandoverDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, handoverId: params.handover };
    const seen = await requireHandover(deps, db, question);
    authorize(actor, tickAction, seen.chat);
    return write('handover.act', async (tx) => {
      await deps.chats.lock(tx, seen.chat.id);
      const { chat, handover } = await requireHandover(deps, tx, question);
      authorize(actor, tickAction, chat);
      const { summary } = handover;
      const row = await tx
        .selectFrom('handover_actions')
        .select('done_at')
        .where('handover_id', '=', summary.id)
        .where('action_id', '=', params.action)
        .where('sheet_version', '=', summary.sheet_version)
        .executeTakeFirst();
      if (!row) throw new AppError('not_found');
      if (!mayTick(summary.state)) {
        throw new AppError('conflict', { message: 'It has to be received before its actions are done.' });
      }
      const isChange = (row.done_at !== null) !== body.is_done;
      if (isChange) {
        await tx
          .updateTable('handover_actions')
          .set(body.is_done ? { done_by: actor.userId, done_at: now(deps) } : { done_by: null, done_at: null })
          .where('handover_id', '=', summary.id)
          .where('action_id', '=', params.action)
          .execute();
      }
      const opened = await requireHandover(deps, tx, question);
      const result = await serializeHandover(tx, { actor, opened });
      if (!isChange) return { result, audit: null };
      const detail = { chat: chat.id, action: params.action, is_done: body.is_done };
      return {
        result,
        audit: { facilityId: chat.facilityId, objectType: 'handover', objectId: summary.id, detail },
        publish: await handoverChanged(tx, opened.handover),
      };
    });
  };
}
