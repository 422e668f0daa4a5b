import type { noteUrgentDelivered as endpoint } from '@wardline/contract/chat/urgent-acts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { findMessage } from '#/features/chat/core/message-queries.ts';
import { answerUrgent } from '#/features/chat/core/policy.ts';
import { requireChat } from '#/features/chat/core/require-chat.ts';
import { lockEscalation } from '#/platform/escalation/escalation-queries.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { noteReachedBy } from './note-reached.ts';

type Endpoint = typeof endpoint;

/** A device of who was called shows the call, wherever its chat has got to there. Nothing clinical, so that no entry tells of it. */
export async function noteUrgentDelivered(
  { actor, write }: RequestContext,
  { params }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const { userId } = actor;
  return write('urgent.deliver', async (tx) => {
    const chat = await requireChat(tx, { actor, chatId: params.chat });
    if ((await findMessage(tx, { chatId: params.chat, userId, messageId: params.message })) === null) {
      throw new AppError('not_found');
    }
    const stored = await lockEscalation(tx, { kind: 'message', id: params.message });
    if (stored === null) throw new AppError('not_found');
    const isCalled = stored.escalation.people.some((person) => person.userId === userId);
    authorize(actor, answerUrgent, { chat, isCalled });
    const publishToAll = await noteReachedBy(tx, stored, {
      ...{ messageId: params.message, chatId: params.chat, userId, type: 'delivered' },
    });
    return { result: undefined, audit: null, publishToAll };
  });
}
