import type * as contract from '@wardline/contract/chat.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { must } from '#/platform/authorise/can.ts';
import type { RequestContext } from '#/platform/context.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { chatChanged, messageSent } from './chat-events.ts';
import { storeMessage } from './message-queries.ts';
import { writeMessage } from './policy.ts';
import { requireReadable } from './require-chat.ts';
import { storableInstant } from './storable-time.ts';

type Endpoint = typeof contract.sendMessage;

export async function sendMessage(
  { actor, write }: RequestContext,
  { params, body }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const replyTo = body.reply_to ?? null;
  const deviceTime = storableInstant('device_time', body.device_time);
  return write('chat.message.send', async (tx) => {
    const draft = { chatId: params.chat, senderId: actor.userId, clientId: body.client_id, body: body.body };
    const sending = requireReadable(actor, await storeMessage(tx, { ...draft, replyTo, deviceTime }));
    const { message, outcome, facilityId } = sending;
    if (outcome === 'repeat' && message !== null) {
      if (message.body !== body.body || message.reply_to !== replyTo) throw new AppError('client_id_reused');
      return { result: message, audit: null };
    }
    // The statement has looked already; the rule is asked with the facts it saw under the lock, before the commit.
    must(actor, writeMessage, sending);
    if (message === null) throw invalidField('reply_to', 'This message is not in the chat.');
    return {
      result: message,
      audit: {
        facilityId,
        objectType: 'message',
        objectId: message.id,
        detail: { chat: params.chat, seq: message.seq },
      },
      publish: [messageSent(message), ...chatChanged(sending.news)],
    };
  });
}
