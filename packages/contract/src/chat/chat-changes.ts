import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, Nothing, Page, Seq, Text } from '../values.ts';
import { MESSAGE_BODY_MAX, Message, ReactionCode } from './chat.ts';

const messageParams = z.strictObject({ chat: Id, message: Id });

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

export const editMessage = endpoint({
  name: 'editMessage',
  summary:
    'Gives a message of mine another text, with the version that I saw; 409 where it has another by now. The same text again changes nothing.',
  method: 'PATCH',
  path: '/api/chats/{chat}/messages/{message}',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: z.strictObject({ expected_version: z.int(), body: Text(1, MESSAGE_BODY_MAX) }),
  status: 200,
  reply: Message,
});

/** A text that a message had, or has. */
export const MessageVersion = z.object({ version: z.int(), body: z.string(), written_at: Instant });
export type MessageVersion = z.infer<typeof MessageVersion>;

export const listMessageVersions = endpoint({
  name: 'listMessageVersions',
  summary: 'The texts that a message has had, the newest first; none of a deleted message.',
  method: 'GET',
  path: '/api/chats/{chat}/messages/{message}/versions',
  access: 'signed-in',
  params: messageParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(MessageVersion),
});

export const DELETE_REASON_MAX = 200;

export const deleteMessage = endpoint({
  name: 'deleteMessage',
  summary:
    'Takes the text of a message of mine away for good, with a reason; who, when and why stay. A repeat changes nothing.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/deletion',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: z.strictObject({ reason: Text(1, DELETE_REASON_MAX) }),
  status: 200,
  reply: Message,
});

/** As many messages of a chat are pinned at once. */
export const PINS_MAX = 50;

export const setPin = endpoint({
  name: 'setPin',
  summary: 'Pins a message for all in the chat, or unpins it; the same again changes nothing. Answers the message.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/pin',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: z.strictObject({ is_pinned: z.boolean() }),
  status: 200,
  reply: Message,
});

export const listPins = endpoint({
  name: 'listPins',
  summary: 'The pinned messages of a chat that I may read, the newest pin first; at most 50, on one page.',
  method: 'GET',
  path: '/api/chats/{chat}/pins',
  access: 'signed-in',
  params: z.strictObject({ chat: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Page(Message),
});

export const forwardMessage = endpoint({
  name: 'forwardMessage',
  summary:
    'Sends the text of a message that I may read, as it stands, to another chat of its facility, with who said it first, when and about which patient. A repeat is answered as by sendMessage.',
  method: 'POST',
  path: '/api/chats/{chat}/forwards',
  access: 'signed-in',
  params: z.strictObject({ chat: Id }),
  query: Nothing,
  body: z.strictObject({
    client_id: Id,
    source: z.strictObject({ chat: Id, message: Id }),
    device_time: z.optional(z.nullable(Instant)),
  }),
  status: 201,
  reply: Message,
});

/** Where a forwarded message was taken from. */
export const ForwardSource = z.object({ chat_id: Id, facility_id: Id, seq: Seq });
export type ForwardSource = z.infer<typeof ForwardSource>;

export const getForwardSource = endpoint({
  name: 'getForwardSource',
  summary: 'Where a message was forwarded from; null where that is not mine to read, or is gone.',
  method: 'GET',
  path: '/api/chats/{chat}/messages/{message}/source',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ source: z.nullable(ForwardSource) }),
});

/** What becomes of a message after it was sent. */
export const chatChangeEndpoints = [
  setReaction,
  editMessage,
  listMessageVersions,
  deleteMessage,
  setPin,
  listPins,
  forwardMessage,
  getForwardSource,
] as const;
