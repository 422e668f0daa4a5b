import * as z from 'zod/mini';
import { AuditedChat } from '../audit.ts';
import { endpoint } from '../endpoint.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Text } from '../values.ts';
import { CHAT_STATES, Chat } from './chat.ts';

/** How long somebody who opened a chat in an emergency stays in it, in hours. */
export const EMERGENCY_ACCESS_HOURS = 8;

/** How long the reason must and may be, in characters: it is read by those who are in the chat and by whoever reviews it. */
export const EMERGENCY_REASON = { min: 10, max: 300 } as const;

/** How long the note of a review may be, in characters. */
export const REVIEW_NOTE_MAX = 500;

const facilityParams = z.strictObject({ facility: Id });

/** The patient as the person who asks has them before them: two identifiers, so that nobody finds patients by trying numbers. */
const patient = {
  identifier: Text(1, 60),
  born_on: z.optional(z.nullable(Day)),
};

/** A chat about the patient, as somebody sees it who is not in it: enough to know that it is the right one. */
const PatientChat = z.object({
  id: Id,
  title: z.string(),
  patient: z.object({ name: z.string(), identifier: z.string(), born_on: z.nullable(Day) }),
  state: z.enum(CHAT_STATES),
  participant_count: z.int(),
  last_message_at: z.nullable(Instant),
  /** Whether the person who asks is in it already. */
  is_mine: z.boolean(),
});
export type PatientChat = z.infer<typeof PatientChat>;

export const findPatientChats = endpoint({
  name: 'findPatientChats',
  summary:
    'The chats of a facility about one patient, for those with chats.break_glass who have the patient’s number and date of birth; audited, also where there are none.',
  method: 'POST',
  path: '/api/facilities/{facility}/patient-chats',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject(patient),
  status: 200,
  reply: z.object({ data: z.array(PatientChat) }),
});

export const openInEmergency = endpoint({
  name: 'openInEmergency',
  summary:
    'Break-glass: lets me into a case chat that I am not in, for some hours, with a reason that everybody in it reads at once. The same client_id again changes nothing.',
  method: 'POST',
  path: '/api/facilities/{facility}/emergency-accesses',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    client_id: Id,
    chat_id: Id,
    ...patient,
    reason: Text(EMERGENCY_REASON.min, EMERGENCY_REASON.max),
  }),
  status: 201,
  reply: Chat,
});

export const VERDICTS = ['justified', 'not_justified'] as const;

const Person = z.object({ id: Id, name: z.string() });

/** Who opened which chat in an emergency and why, and what came of it. */
export const EmergencyAccess = z.object({
  id: Id,
  chat: AuditedChat,
  person: Person,
  reason: z.string(),
  opened_at: Instant,
  /** When it ends, or would have. */
  ends_at: Instant,
  /** Whether the person is in the chat by it now. */
  is_open: z.boolean(),
  review: z.nullable(z.object({ verdict: z.enum(VERDICTS), note: z.nullable(z.string()), by: Person, at: Instant })),
});
export type EmergencyAccess = z.infer<typeof EmergencyAccess>;

export const listEmergencyAccesses = endpoint({
  name: 'listEmergencyAccesses',
  summary: 'Who opened chats of a facility in an emergency, the newest first, for those with audit.view.',
  method: 'GET',
  path: '/api/facilities/{facility}/emergency-accesses',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({
    /** Those that nobody has reviewed, or all. */
    review: z.optional(z.enum(['waiting', 'all'])),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: Page(EmergencyAccess),
});

export const countEmergencyAccesses = endpoint({
  name: 'countEmergencyAccesses',
  summary: 'How many emergency accesses wait for my review, for those with audit.view; never one’s own.',
  method: 'GET',
  path: '/api/facilities/{facility}/emergency-accesses/count',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ waiting: z.int() }),
});

export const reviewEmergencyAccess = endpoint({
  name: 'reviewEmergencyAccess',
  summary: 'Says whether an emergency access was justified, once and for good; never one’s own.',
  method: 'PUT',
  path: '/api/facilities/{facility}/emergency-accesses/{emergency_access}/review',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, emergency_access: Id }),
  query: Nothing,
  body: z.strictObject({
    verdict: z.enum(VERDICTS),
    note: z.optional(z.nullable(Text(1, REVIEW_NOTE_MAX))),
  }),
  status: 200,
  reply: EmergencyAccess,
});

export const emergencyAccessEndpoints = [
  findPatientChats,
  openInEmergency,
  listEmergencyAccesses,
  countEmergencyAccesses,
  reviewEmergencyAccess,
] as const;
