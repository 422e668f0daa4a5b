import * as z from 'zod/mini';
import { Message, ReactionCode } from './chat.ts';
import { endpoint } from './endpoint.ts';
import { Id, Nothing } from './values.ts';

export const setReaction = endpoint({
  name: 'setReaction',
  summary: 'Gives a message one of my reactions or takes it back; the same again changes nothing. Answers the message.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/reactions/{code}',
  access: 'signed-in',
  params: z.strictObject({ chat: Id, message: Id, code: ReactionCode }),
  query: Nothing,
  body: z.strictObject({ is_set: z.boolean() }),
  status: 200,
  reply: Message,
});

/** What becomes of a message after it was sent. */
export const chatChangeEndpoints = [setReaction] as const;
