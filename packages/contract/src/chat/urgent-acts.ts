import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, NoContent, Nothing, Page, Seq } from '../values.ts';
import { Message, Patient } from './chat.ts';
import { CriticalCategory } from './critical.ts';
import { LADDER_STEPS_MAX, LadderStep, UrgentNote, UrgentState } from './urgent.ts';

const messageParams = z.strictObject({ chat: Id, message: Id });
const facilityParams = z.strictObject({ facility: Id });

export const acceptUrgent = endpoint({
  name: 'acceptUrgent',
  summary:
    'I take care of an urgent message that I was called for; nobody further is called. A repeat changes nothing. 409 for a critical result, which is read back.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/urgent/acceptance',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Message,
});

export const noteUrgentDelivered = endpoint({
  name: 'noteUrgentDelivered',
  summary:
    'A device of mine shows that I was called for an urgent message. Its chat counts as delivered once it is opened. A repeat changes nothing.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/urgent/delivery',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const closeUrgent = endpoint({
  name: 'closeUrgent',
  summary: 'Closes an urgent message that I was called for, by what was done. A repeat of the same changes nothing.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/urgent/closure',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: z.strictObject({ note: UrgentNote }),
  status: 200,
  reply: Message,
});

export const withdrawUrgent = endpoint({
  name: 'withdrawUrgent',
  summary: 'Takes back the call of an urgent message of mine, with a reason; the message stays. 409 when it is over.',
  method: 'PUT',
  path: '/api/chats/{chat}/messages/{message}/urgent/withdrawal',
  access: 'signed-in',
  params: messageParams,
  query: Nothing,
  body: z.strictObject({ note: UrgentNote }),
  status: 200,
  reply: Message,
});

/** An urgent message that waits for me, or of mine that waits for others. */
export const WaitingUrgent = z.object({
  message_id: Id,
  chat_id: Id,
  facility_id: Id,
  seq: Seq,
  /** Of a direct chat the other person's name. */
  chat_title: z.string(),
  patient: z.nullable(z.object({ name: Patient.shape.name, identifier: Patient.shape.identifier })),
  sender: z.object({ user_id: Id, name: z.string() }),
  /** At most 160 characters of the text. */
  excerpt: z.string(),
  state: UrgentState,
  sent_at: Instant,
  /** When I was called first; of mine when it was sent. */
  called_at: Instant,
  /** That I accept it, that I say what was done; or it is mine and waits for others. */
  waits_for: z.enum(['accept', 'act', 'others']),
  /** A device of mine has shown it; of mine whatever others have. */
  is_delivered: z.optional(z.boolean()),
  /** How soon, of a critical result: it is accepted by reading it back. */
  critical: z.optional(z.nullable(CriticalCategory)),
  /** Of mine: who was called and has not accepted it. */
  missing: z.array(z.object({ user_id: Id, name: z.string(), has_seen: z.boolean() })),
});
export type WaitingUrgent = z.infer<typeof WaitingUrgent>;

export const listUrgent = endpoint({
  name: 'listUrgent',
  summary:
    'Urgent messages that wait for me, over all my facilities, who has waited longest first; or those of mine that are open.',
  method: 'GET',
  path: '/api/urgent',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({
    of: z.optional(z.enum(['me', 'others'])),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: z.object({
    ...Page(WaitingUrgent).shape,
    /** Of all, not of this page. */
    counts: z.object({ accept: z.int(), act: z.int(), others: z.int() }),
  }),
});

/** How a facility calls on where nobody acknowledges an urgent message. */
export const UrgentLadder = z.object({
  steps: z.array(LadderStep),
  /** Whom 'fallback' calls; null where nobody was chosen. */
  fallback: z.nullable(
    z.object({ role_id: Id, name: z.string(), holder: z.nullable(z.object({ user_id: Id, name: z.string() })) }),
  ),
  version: z.int(),
});
export type UrgentLadder = z.infer<typeof UrgentLadder>;

export const getUrgentLadder = endpoint({
  name: 'getUrgentLadder',
  summary: 'Who is called after how many minutes where nobody acknowledges an urgent message.',
  method: 'GET',
  path: '/api/facilities/{facility}/urgent-ladder',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: UrgentLadder,
});

export const setUrgentLadder = endpoint({
  name: 'setUrgentLadder',
  summary: 'Sets the ladder of a facility, for messages sent from then on. 409 when it was changed since.',
  method: 'PUT',
  path: '/api/facilities/{facility}/urgent-ladder',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    expected_version: z.int(),
    steps: z
      .array(z.strictObject(LadderStep.shape))
      .check(z.minLength(1, 'At least one step.'), z.maxLength(LADDER_STEPS_MAX, 'At most 8 steps.')),
    fallback_role_id: z.nullable(Id),
  }),
  status: 200,
  reply: UrgentLadder,
});

export const urgentEndpoints = [
  noteUrgentDelivered,
  acceptUrgent,
  closeUrgent,
  withdrawUrgent,
  listUrgent,
  getUrgentLadder,
  setUrgentLadder,
] as const;
