import * as z from 'zod/mini';
import { AUDIT_KINDS } from './audit-actions.ts';
import { endpoint } from './endpoint.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Text } from './values.ts';

export const AuditKind = z.enum(AUDIT_KINDS);

const Person = z.object({ id: Id, name: z.string() });

/** A chat as the audit names it: nothing of what was said there. */
export const AuditedChat = z.object({
  id: Id,
  kind: z.enum(['case', 'group', 'direct', 'announcement']),
  /** Null for a direct chat, which is called by its people. */
  title: z.nullable(z.string()),
  patient: z.nullable(z.object({ name: z.string(), identifier: z.string() })),
});
export type AuditedChat = z.infer<typeof AuditedChat>;

/** One entry of the audit: who did or read what, and when; ids and names, no content. */
export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  /** Null for what the server did by itself, or somebody who was not signed in. */
  actor: z.nullable(Person),
  action: z.string(),
  /** Null for an action of an older build. */
  kind: z.nullable(AuditKind),
  /** What was done, in words. */
  what: z.string(),
  outcome: z.enum(['done', 'refused']),
  /** How often in a quarter of an hour, of a refusal; else 1. */
  times: z.int(),
  chat: z.nullable(AuditedChat),
  /** Whom it is about, where that is a person. */
  person: z.nullable(Person),
  ip: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const facilityParams = z.strictObject({ facility: Id });
const base = '/api/facilities/{facility}/audit';

/** No entry is older. */
const AuditDay = Day.check(z.refine((day) => day >= '1970-01-01', 'This day is out of range.'));

const filter = {
  person: z.optional(Id),
  kind: z.optional(AuditKind),
  outcome: z.optional(z.enum(['done', 'refused'])),
  /** Days on the facility's clock, both included. */
  from: z.optional(AuditDay),
  to: z.optional(AuditDay),
  /** A chat; where it is about a patient, all chats of the facility about them. */
  chat: z.optional(Id),
};

export const listAudit = endpoint({
  name: 'listAudit',
  summary:
    'The audit of a facility, the newest first, for those with audit.view. A page may be empty and still have a next one: so many entries at most are looked at for it.',
  method: 'GET',
  path: base,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ ...filter, cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(AuditEntry),
});

export const exportAudit = endpoint({
  name: 'exportAudit',
  summary: 'The filtered audit of a facility as CSV, the newest first; audited.',
  method: 'GET',
  path: `${base}/export`,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject(filter),
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

export const findAuditedChats = endpoint({
  name: 'findAuditedChats',
  summary: 'Patients and chats of a facility by words, for those with audit.view: whose readers can be listed.',
  method: 'GET',
  path: `${base}/chats`,
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ q: Text(2, 80) }),
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(AuditedChat) }),
});

export const listReaders = endpoint({
  name: 'listReaders',
  summary: 'Who else opened the chats that I write in, the newest first; of one chat where it is named.',
  method: 'GET',
  path: '/api/user/readers',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({ chat: z.optional(Id), cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(z.omit(AuditEntry, { ip: true })),
});

export const auditEndpoints = [listAudit, exportAudit, findAuditedChats, listReaders] as const;
