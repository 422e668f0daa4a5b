import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, Nothing, Page } from '../values.ts';

/** The columns of a file of people to invite. */
export const PEOPLE_COLUMNS = ['email', 'name', 'role', 'title'] as const;
export type PeopleColumn = (typeof PEOPLE_COLUMNS)[number];

export const MOST_PEOPLE = 1_000;

/** What an import makes of one line of a file of people. */
export const PersonRow = z.object({
  /** As a spreadsheet counts: the head is line 1. */
  line: z.int(),
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  /** `known` is a member already, or has an invitation that stands. */
  outcome: z.enum(['new', 'known', 'refused']),
  problems: z.array(z.object({ column: z.nullable(z.string()), code: z.string(), message: z.string() })),
});
export type PersonRow = z.infer<typeof PersonRow>;

const facilityParams = z.strictObject({ facility: Id });

export const importPeople = endpoint({
  name: 'importPeople',
  summary:
    'Reads a CSV file of people to invite: a dry run unless apply=true; taken whole or not at all. A job then makes the invitations and mails them.',
  method: 'POST',
  path: '/api/facilities/{facility}/invitation-imports',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ apply: z.optional(z.enum(['true', 'false'])) }),
  body: Nothing,
  file: 'file',
  status: 200,
  reply: z.object({
    is_applied: z.boolean(),
    counts: z.object({ new: z.int(), known: z.int(), refused: z.int() }),
    rows: z.array(PersonRow),
  }),
});

/** How far the people of a file have been invited; kept for 30 days. */
export const InvitationImport = z.object({
  id: Id,
  created_by_name: z.string(),
  created_at: Instant,
  counts: z.object({
    waiting: z.int(),
    /** Whose mail is still to go out. */
    invited: z.int(),
    mailed: z.int(),
    refused: z.int(),
  }),
});
export type InvitationImport = z.infer<typeof InvitationImport>;

export const listInvitationImports = endpoint({
  name: 'listInvitationImports',
  summary: 'The files of people that were taken in the last 30 days, the newest first, with how far each is.',
  method: 'GET',
  path: '/api/facilities/{facility}/invitation-imports',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(InvitationImport),
});

export const exportInvitationImport = endpoint({
  name: 'exportInvitationImport',
  summary: 'What became of each line of a file of people, as CSV; audited.',
  method: 'GET',
  path: '/api/facilities/{facility}/invitation-imports/{import}/lines',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, import: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

export const invitationImportEndpoints = [importPeople, listInvitationImports, exportInvitationImport] as const;
