import * as z from 'zod/mini';
import { AuditedChat } from '../audit.ts';
import { endpoint } from '../endpoint.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Seq, Text, Version } from '../values.ts';
import { Chat } from './chat.ts';

/** The fewest and most days after which messages may be deleted: a month, and thirty years. */
export const RETENTION_DAYS = { min: 30, max: 10_950 } as const;

/** How long the reason of a hold, of its end and of an export must and may be, in characters. */
const RECORD_REASON = { min: 10, max: 300 } as const;

/** Kept; deleted when they are so old; the same, once they were exported to the record. */
export const RETENTION_MODES = ['keep', 'delete', 'delete_exported'] as const;

const Days = z
  .int()
  .check(
    z.gte(RETENTION_DAYS.min, 'Between 30 and 10,950 days.'),
    z.lte(RETENTION_DAYS.max, 'Between 30 and 10,950 days.'),
  );

const rule = { kind: Chat.shape.kind, mode: z.enum(RETENTION_MODES) };

/** How long the messages of one kind of chat are kept. */
export const RetentionRule = z.object({
  ...rule,
  /** Null where they are kept. */
  days: z.nullable(z.int()),
  /** From when on it deletes. */
  effective_at: Instant,
});
export type RetentionRule = z.infer<typeof RetentionRule>;

export const Retention = z.object({
  /** One for each kind of chat. */
  rules: z.array(RetentionRule),
  version: z.int(),
  /** When messages are looked through next; null where all are kept. */
  next_run_at: z.nullable(Instant),
});
export type Retention = z.infer<typeof Retention>;

const facilityParams = z.strictObject({ facility: Id });

export const getRetention = endpoint({
  name: 'getRetention',
  summary: 'How long a facility keeps the messages of each kind of chat, for those with records.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/retention',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Retention,
});

/** Each kind of chat once. */
const AskedRules = z.array(z.strictObject({ ...rule, days: z.nullable(Days) })).check(
  z.refine(
    (rules) => new Set(rules.map(({ kind }) => kind)).size === 4 && rules.length === 4,
    'Each kind of chat once.',
  ),
  z.refine(
    (rules) => rules.every(({ mode, days }) => (mode === 'keep') === (days === null)),
    'Enter a number of days.',
  ),
);
export type AskedRule = z.infer<typeof AskedRules>[number];

export const previewRetention = endpoint({
  name: 'previewRetention',
  summary: 'How many chats and messages rules would reach now. Nothing is changed.',
  method: 'POST',
  path: '/api/facilities/{facility}/retention/preview',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ rules: AskedRules }),
  status: 200,
  reply: z.object({
    kinds: z.array(
      z.object({
        kind: rule.kind,
        /** With messages that the rule would delete now, and how many at most: what has to wait is among them. */
        chats: z.int(),
        messages: z.int(),
        /** Old enough, and held. */
        held_chats: z.int(),
        /** Old enough, and waiting until they are exported. */
        unexported_chats: z.int(),
      }),
    ),
    /** How many people are held: what they wrote stays, and is counted among the messages. */
    held_people: z.int(),
  }),
});

export const setRetention = endpoint({
  name: 'setRetention',
  summary:
    'Says how long messages are kept. A rule that deletes more than before deletes nothing for a day. 409 when it was changed since.',
  method: 'PUT',
  path: '/api/facilities/{facility}/retention',
  access: 'signed-in',
  asksPassword: true,
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ expected_version: Version, rules: AskedRules }),
  status: 200,
  reply: Retention,
});

/** A chat that is old enough to be deleted and waits for its export. */
export const UnexportedChat = z.object({
  chat: AuditedChat,
  /** When it was exported, where it has changed since. */
  exported_at: z.nullable(Instant),
});
export type UnexportedChat = z.infer<typeof UnexportedChat>;

export const listUnexportedChats = endpoint({
  name: 'listUnexportedChats',
  summary:
    'The chats whose messages are old enough to be deleted and wait until they are exported, for those with records.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/retention/unexported',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(UnexportedChat),
});

const Person = z.object({ id: Id, name: z.string() });

/** What is held: a chat, the chats about a patient, or all that a person wrote. */
export const HoldSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chat'), chat: AuditedChat }),
  z.object({ kind: z.literal('patient'), identifier: z.string(), chat_count: z.int() }),
  z.object({ kind: z.literal('person'), person: Person }),
]);

/** Keeps what it is about from being deleted, whoever deletes it, until it is lifted. */
export const LegalHold = z.object({
  id: Id,
  subject: HoldSubject,
  reason: z.string(),
  placed_by: Person,
  placed_at: Instant,
  lifted: z.nullable(z.object({ by: Person, at: Instant, reason: z.string() })),
});
export type LegalHold = z.infer<typeof LegalHold>;

/** Somebody whose messages may be held: of the facility, or of it once. */
export const HoldablePerson = z.object({
  ...Person.shape,
  title: z.nullable(z.string()),
  /** When they left the facility; null while they are of it. */
  left_at: z.nullable(Instant),
});
export type HoldablePerson = z.infer<typeof HoldablePerson>;

const Reason = Text(RECORD_REASON.min, RECORD_REASON.max);
const PatientIdentifier = Text(1, 60);

export const listLegalHolds = endpoint({
  name: 'listLegalHolds',
  summary: 'The legal holds of a facility, the newest first, for those with records.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/legal-holds',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({
    /** Those in force, or all. */
    state: z.optional(z.enum(['open', 'all'])),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: Page(LegalHold),
});

export const listHoldablePeople = endpoint({
  name: 'listHoldablePeople',
  summary:
    'The people of a facility and those who have left it, also by deleting their account, by name, for those with records.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/legal-holds/people',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ q: z.optional(Text(0, 80)), cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(HoldablePerson),
});

export const placeLegalHold = endpoint({
  name: 'placeLegalHold',
  summary:
    'Holds a chat, a patient’s chats or what a person wrote, with a reason. The same client_id again changes nothing.',
  method: 'POST',
  path: '/api/facilities/{facility}/legal-holds',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    client_id: Id,
    subject: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('chat'), chat_id: Id }),
      z.strictObject({ kind: z.literal('patient'), identifier: PatientIdentifier }),
      z.strictObject({ kind: z.literal('person'), user_id: Id }),
    ]),
    reason: Reason,
  }),
  status: 201,
  reply: LegalHold,
});

export const liftLegalHold = endpoint({
  name: 'liftLegalHold',
  summary: 'Ends a legal hold, with a reason. A repeat changes nothing.',
  method: 'PUT',
  path: '/api/facilities/{facility}/legal-holds/{legal_hold}/end',
  access: 'signed-in',
  asksPassword: true,
  params: z.strictObject({ facility: Id, legal_hold: Id }),
  query: Nothing,
  body: z.strictObject({ reason: Reason }),
  status: 200,
  reply: LegalHold,
});

/** How a chat stands as a record. */
export const ChatRecord = z.object({
  /** Those in force that reach the chat as a whole, or somebody's messages in it. */
  holds: z.array(LegalHold),
  rule: RetentionRule,
  /** When it was last exported whole, and up to which message; null where it never was. */
  exported: z.nullable(z.object({ at: Instant, seq: Seq })),
});
export type ChatRecord = z.infer<typeof ChatRecord>;

export const getChatRecord = endpoint({
  name: 'getChatRecord',
  summary:
    'The holds of a chat, how long its messages are kept and when it was exported, for those with records.manage.',
  method: 'GET',
  path: '/api/chats/{chat}/record',
  access: 'signed-in',
  params: z.strictObject({ chat: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: ChatRecord,
});

export const exportChatRecord = endpoint({
  name: 'exportChatRecord',
  summary:
    'A chat as a signed archive, for those with records.manage: its messages with what became of them as JSON and PDF, its files and signed reports. The chat is told who took it and why.',
  method: 'POST',
  path: '/api/chats/{chat}/record',
  access: 'signed-in',
  asksPassword: true,
  isDownload: true,
  params: z.strictObject({ chat: Id }),
  query: Nothing,
  body: z.strictObject({ reason: Reason }),
  status: 200,
  reply: z.unknown(),
});

export const exportPatientRecord = endpoint({
  name: 'exportPatientRecord',
  summary: 'The same of all chats of a facility about one patient, who is named by both identifiers.',
  method: 'POST',
  path: '/api/facilities/{facility}/patient-record',
  access: 'signed-in',
  asksPassword: true,
  isDownload: true,
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ identifier: PatientIdentifier, born_on: z.optional(z.nullable(Day)), reason: Reason }),
  status: 200,
  reply: z.unknown(),
});

/** For who answers for the record; loaded with its page and its dialog. */
export const recordEndpoints = [
  getRetention,
  previewRetention,
  setRetention,
  listUnexportedChats,
  listLegalHolds,
  listHoldablePeople,
  placeLegalHold,
  liftLegalHold,
  getChatRecord,
  exportChatRecord,
  exportPatientRecord,
] as const;
