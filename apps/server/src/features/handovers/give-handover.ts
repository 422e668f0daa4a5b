import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type {
  giveHandover as endpoint,
  HandoverSheetInput,
  HandoverVersion,
} from '@wardline/contract/examinations/handovers.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import type { HandoverDeps } from './core/deps.ts';
import { handoverChanged } from './core/handover-changed.ts';
import { giveHandover as mayGive } from './core/policy.ts';
import { requireHandover, serializeHandover } from './core/require-handover.ts';
import { describeSheet, prepareSheet, storeSheet } from './core/sign-sheet.ts';

type Endpoint = typeof endpoint;

/** Signs a sheet and gives it to one person: the sheet, who comes into the chat, the line and the audit entry, or nothing. */
export function giveHandover(deps: HandoverDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, chatId: params.chat };
    const seen = await deps.chats.open(db, question);
    authorize(actor, mayGive, seen);
    const { facilityId } = seen;
    return write('handover.give', async (tx) => {
      // Before the chat's lock, as everything that holds a member; a repeat needs nobody any more.
      const isRepeat = (await findOwn(tx, actor, body.client_id)) !== undefined;
      const receiver = isRepeat ? null : await deps.handovers.findReceiver(tx, { facilityId, to: body.to });
      await deps.chats.lock(tx, params.chat);
      const chat = await deps.chats.open(tx, question);
      authorize(actor, mayGive, chat);
      const made = await findOwn(tx, actor, body.client_id);
      if (made)
        return {
          result: await answerRepeat(deps, tx, { actor, made, chatId: chat.id, body }),
          audit: null,
        };
      if (receiver === null) throw new Error('a repeat that is none');
      if (chat.kind !== 'case') throw invalidField('sheet', 'Only a chat about a patient is handed over by a sheet.');
      const { sheet, hands_over_chat: handsOverChat } = body;
      const prepared = await prepareSheet(deps, tx, { actor, chat, receiver, sheet, handsOverChat, reason: null });
      const id = newId();
      const content = { ...prepared.content, handover: id, version: 1 };
      await tx
        .insertInto('handovers')
        .values({
          ...{ id, chat_id: chat.id, facility_id: facilityId, client_id: body.client_id, format: sheet.format },
          ...{ severity: sheet.severity, given_by: actor.userId, given_at: content.given.at },
          ...{ to_user: receiver.user_id, to_role: receiver.role?.id ?? null },
        })
        .execute();
      const sha256 = await storeSheet(tx, content);
      const line = `handed over to ${describeSheet(content)}`;
      const said = await deps.chats.say(tx, { ...question, facilityId, body: line, act: { kind: 'handover', id } });
      const opened = await requireHandover(deps, tx, { actor, handoverId: id });
      const detail = { chat: chat.id, to: receiver.user_id, role: receiver.role?.id ?? null, version: 1, sha256 };
      return {
        result: await serializeHandover(tx, { actor, opened }),
        audit: { facilityId, objectType: 'handover', objectId: id, detail },
        publish: await handoverChanged(tx, opened.handover),
        // The answer does not say it: who did it reads the lines as all others do.
        publishToAll: [...prepared.publish, ...said],
      };
    });
  };
}

interface Made {
  readonly id: string;
  readonly chat_id: string;
  readonly to_role: string | null;
}

function findOwn(tx: Transaction, { userId }: Actor, clientId: string): Promise<Made | undefined> {
  return tx
    .selectFrom('handovers')
    .select(['id', 'chat_id', 'to_role'])
    .where('given_by', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** The one that was given; under the same id nothing else is. */
async function answerRepeat(
  deps: HandoverDeps,
  tx: Transaction,
  { actor, made, chatId, body }: { actor: Actor; made: Made; chatId: string; body: BodyOf<Endpoint> },
) {
  if (made.chat_id !== chatId) throw new AppError('client_id_reused');
  const opened = await requireHandover(deps, tx, { actor, handoverId: made.id });
  const handover = await serializeHandover(tx, { actor, opened });
  const first = handover.versions.at(-1);
  const isSame =
    first !== undefined &&
    isToSame(body.to, { first, roleId: handover.versions.length === 1 ? made.to_role : null }) &&
    first.hands_over_chat === body.hands_over_chat &&
    wordsOf(first) === wordsOf(body.sheet);
  if (!isSame) throw new AppError('client_id_reused');
  return handover;
}

/** By the first version, since a correction may give it to somebody else. `roleId`: null where it was corrected, and the role’s name alone is kept. */
function isToSame(
  to: BodyOf<Endpoint>['to'],
  { first, roleId }: { readonly first: HandoverVersion; readonly roleId: string | null },
): boolean {
  // Of a role it is the same whoever held it.
  if (to.role_id !== null) return first.role !== null && (roleId === null || to.role_id === roleId);
  return first.role === null && to.user_id === first.to.user_id;
}

function wordsOf({ format, severity, lines, actions }: HandoverSheetInput) {
  return JSON.stringify([
    format,
    severity,
    lines.map(({ section, text }) => [section, text]),
    actions.map(({ text }) => text),
  ]);
}
