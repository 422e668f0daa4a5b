import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { type correctHandover as endpoint, HANDOVER_VERSIONS_MAX } from '@wardline/contract/examinations/handovers.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { decide } from './core/decide.ts';
import type { HandoverDeps } from './core/deps.ts';
import { handoverChanged } from './core/handover-changed.ts';
import { changeHandover } from './core/policy.ts';
import { requireHandover, serializeHandover } from './core/require-handover.ts';
import { describeSheet, prepareSheet, storeSheet } from './core/sign-sheet.ts';

type Endpoint = typeof endpoint;

/** Signs the next version of a sheet, perhaps for somebody else. What was signed before stays as it was. */
export function correctHandover(deps: HandoverDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, handoverId: params.handover };
    const seen = await requireHandover(deps, db, question);
    const { chat_id: chatId, facility_id: facilityId } = seen.handover.summary;
    authorize(actor, changeHandover, { chat: seen.chat, givenBy: seen.handover.givenBy });
    return write('handover.correct', async (tx) => {
      const receiver = await deps.handovers.findReceiver(tx, { facilityId, to: body.to });
      await deps.chats.lock(tx, chatId);
      const { chat, handover } = await requireHandover(deps, tx, question);
      const { next } = await decide(tx, handover, {
        event: 'correct',
        expectedVersion: body.expected_version,
        text: body.reason,
      });
      authorize(actor, changeHandover, { chat, givenBy: handover.givenBy });
      if (next.sheetVersion > HANDOVER_VERSIONS_MAX) throw invalidField('reason', 'Give a new hand-over instead.');
      const { sheet, hands_over_chat: handsOverChat, reason } = body;
      const prepared = await prepareSheet(deps, tx, { actor, chat, receiver, sheet, handsOverChat, reason });
      const content = { ...prepared.content, handover: params.handover, version: next.sheetVersion };
      await tx
        .updateTable('handovers')
        .set({
          ...{ state: next.state, version: next.version, sheet_version: next.sheetVersion, format: sheet.format },
          ...{ severity: sheet.severity, given_at: content.given.at, to_user: receiver.user_id },
          ...{ to_role: receiver.role?.id ?? null, ended_by: null, ended_at: null, reason: null },
        })
        .where('id', '=', params.handover)
        .execute();
      const sha256 = await storeSheet(tx, content);
      const line = `corrected the hand-over to ${describeSheet(content)}, version ${next.sheetVersion}: ${reason}`;
      const act = { kind: 'handover', id: params.handover } as const;
      const said = await deps.chats.say(tx, { actor, chatId, facilityId, body: line, act });
      const opened = await requireHandover(deps, tx, question);
      const detail = {
        chat: chatId,
        from: handover.summary.state,
        to: receiver.user_id,
        version: next.sheetVersion,
        sha256,
      };
      return {
        result: await serializeHandover(tx, { actor, opened }),
        audit: { facilityId, objectType: 'handover', objectId: params.handover, detail },
        publish: await handoverChanged(tx, opened.handover),
        publishToAll: [...prepared.publish, ...said],
      };
    });
  };
}
