import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Instant, NoContent, Nothing, Seq } from '../values.ts';
import { sendDirectMessage } from './chat.ts';

/** As many on-call roles are in one chat. */
export const CHAT_ROLES_MAX = 10;

/** An on-call role in a chat: whoever holds it reads, and perhaps writes. */
export const ChatRole = z.object({
  role_id: Id,
  name: z.string(),
  /** True once there is no such role any more; it is then taken out of the chat. */
  is_retired: z.boolean(),
  access: z.enum(['read', 'write']),
  /** Its holders see what comes after it: 0 for the whole chat. */
  joined_seq: Seq,
  /** Who holds it now, and until when; null where nobody does. */
  holder: z.nullable(z.object({ user_id: Id, name: z.string(), until: Instant })),
});
export type ChatRole = z.infer<typeof ChatRole>;

const chatParams = z.strictObject({ chat: Id });
const roleParams = z.strictObject({ chat: Id, role: Id });

export const listChatRoles = endpoint({
  name: 'listChatRoles',
  summary: 'The on-call roles of a chat by name, with who holds each now; no more than fit into one answer.',
  method: 'GET',
  path: '/api/chats/{chat}/roles',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(ChatRole) }),
});

export const addChatRole = endpoint({
  name: 'addChatRole',
  summary:
    'Brings an on-call role of the facility into the chat: whoever holds it is in it, from one shift to the next.',
  method: 'PUT',
  path: '/api/chats/{chat}/roles/{role}',
  access: 'signed-in',
  params: roleParams,
  query: Nothing,
  body: z.strictObject({
    access: z.optional(z.enum(['read', 'write'])),
    /** What its holders see of the past: all of it, or what is said from now on. */
    history: z.optional(z.enum(['all', 'now'])),
  }),
  status: 200,
  reply: ChatRole,
});

export const removeChatRole = endpoint({
  name: 'removeChatRole',
  summary: 'Takes an on-call role out of the chat; who was in it by that alone reads nothing any more.',
  method: 'DELETE',
  path: '/api/chats/{chat}/roles/{role}',
  access: 'signed-in',
  params: roleParams,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const sendRoleMessage = endpoint({
  name: 'sendRoleMessage',
  summary:
    'Stores a message in the one chat that I have with this on-call role, which whoever holds it reads; the first one makes the chat. A repeat is answered as by sendMessage.',
  method: 'POST',
  path: '/api/facilities/{facility}/on-call-roles/{role}/messages',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, role: Id }),
  query: Nothing,
  body: sendDirectMessage.body,
  status: 201,
  reply: sendDirectMessage.reply,
});

/** On-call roles as participants: for the dialogs and pages that show them, which load them when they open. */
export const chatRoleEndpoints = [listChatRoles, addChatRole, removeChatRole, sendRoleMessage] as const;
