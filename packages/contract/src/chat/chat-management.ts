import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Day, Id, Instant, NoContent, Nothing, Seq, Text } from '../values.ts';
import { CHAT_STATES, Chat, Notifications, Notify, Participant, ParticipantAccess } from './chat.ts';

/** How long a chat's title may be. */
export const CHAT_TITLE_MAX = 120;

/**
 * Where a chat may go from each state: open ⇄ handed_over; either may be closed; a closed one is reopened or archived; an
 * archived one comes back closed.
 */
export const CHAT_MOVES: Readonly<Record<Chat['state'], readonly Chat['state'][]>> = {
  open: ['handed_over', 'closed'],
  handed_over: ['open', 'closed'],
  closed: ['open', 'archived'],
  archived: ['closed'],
};

const chatParams = z.strictObject({ chat: Id });
const participantParams = z.strictObject({ chat: Id, user: Id });

const patientInput = z.strictObject({
  name: Text(1, 120),
  identifier: Text(1, 60),
  born_on: z.optional(z.nullable(Day)),
  bed: z.optional(z.nullable(Text(1, 20))),
});

export const createChat = endpoint({
  name: 'createChat',
  summary:
    'Opens a case, a group chat or an announcement, which only who manages it writes in. The same client_id again returns the chat that exists.',
  method: 'POST',
  path: '/api/facilities/{facility}/chats',
  access: 'signed-in',
  params: z.strictObject({ facility: Id }),
  query: Nothing,
  body: z.strictObject({
    client_id: Id,
    kind: z.enum(['case', 'group', 'announcement']),
    title: z.optional(Text(1, CHAT_TITLE_MAX)),
    patient: z.optional(patientInput),
    participant_ids: z.array(Id).check(z.maxLength(200, 'At most 200 people.')),
  }),
  status: 201,
  reply: Chat,
});

/** A case chat of mine about a patient who is asked for by their number. */
const OwnCase = z.object({
  id: Id,
  facility_id: Id,
  title: z.string(),
  patient: z.object({ name: z.string(), identifier: z.string() }),
});
export type OwnCase = z.infer<typeof OwnCase>;

export const findOwnCases = endpoint({
  name: 'findOwnCases',
  summary:
    'The case chats that go on in a facility about the patient with this number, of those that I am in; of others nothing is said. Last activity first.',
  method: 'POST',
  path: '/api/facilities/{facility}/own-cases',
  access: 'signed-in',
  params: z.strictObject({ facility: Id }),
  query: Nothing,
  body: z.strictObject({ identifier: Text(1, 60) }),
  status: 200,
  reply: z.object({ data: z.array(OwnCase) }),
});

export const updateChat = endpoint({
  name: 'updateChat',
  summary: 'Renames a chat or moves it to another state; 409 when expected_version is stale.',
  method: 'PATCH',
  path: '/api/chats/{chat}',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z.strictObject({
    expected_version: z.int(),
    title: z.optional(Text(1, CHAT_TITLE_MAX)),
    state: z.optional(z.enum(CHAT_STATES)),
  }),
  status: 200,
  reply: Chat,
});

export const addParticipant = endpoint({
  name: 'addParticipant',
  summary: 'Brings a member of the facility into the chat.',
  method: 'PUT',
  path: '/api/chats/{chat}/participants/{user}',
  access: 'signed-in',
  params: participantParams,
  query: Nothing,
  body: z.strictObject({
    access: z.optional(ParticipantAccess),
    /** What a newcomer sees of the past: all of it, or what is said from now on. */
    history: z.optional(z.enum(['all', 'now'])),
  }),
  status: 200,
  reply: Participant,
});

export const setNotifications = endpoint({
  name: 'setNotifications',
  summary: 'Says what of a chat reaches me, whether aloud, and mutes it for a time. Nobody else is told.',
  method: 'PUT',
  path: '/api/chats/{chat}/notifications',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z.strictObject({
    notify: Notify,
    muted_until: z.optional(z.nullable(Instant)),
    /** Whether routine messages make a sound here; left out, it stays as it is. */
    sound: z.optional(z.boolean()),
  }),
  status: 200,
  reply: Notifications,
});

export const setFavorite = endpoint({
  name: 'setFavorite',
  summary: 'Keeps a chat among my favourites, or no longer. Nobody else is told.',
  method: 'PUT',
  path: '/api/chats/{chat}/favorite',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z.strictObject({ is_favorite: z.boolean() }),
  status: 200,
  reply: z.object({ is_favorite: z.boolean() }),
});

export const setUnreadMark = endpoint({
  name: 'setUnreadMark',
  summary:
    'Keeps a chat as unread for me from a message on, or no longer. How far I have read stays as it is, and nobody else is told.',
  method: 'PUT',
  path: '/api/chats/{chat}/unread-mark',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z.strictObject({ marked_unread_seq: z.nullable(Seq) }),
  status: 200,
  reply: z.object({ marked_unread_seq: z.nullable(Seq) }),
});

export const removeParticipant = endpoint({
  name: 'removeParticipant',
  summary: 'Takes a person, or oneself, out of the chat.',
  method: 'DELETE',
  path: '/api/chats/{chat}/participants/{user}',
  access: 'signed-in',
  params: participantParams,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

/** How a chat and its people come about and change: for the dialogs that do it, which load them when they open. */
export const chatManagementEndpoints = [
  createChat,
  findOwnCases,
  updateChat,
  addParticipant,
  removeParticipant,
  setNotifications,
  setFavorite,
  setUnreadMark,
] as const;
