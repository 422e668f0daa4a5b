import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Email, Id, Instant, NoContent, Nothing } from '../values.ts';

/** How many copies of their data a person may ask for in 24 hours, and for how long each is kept. */
export const COPIES_A_DAY = 2;
export const COPY_HOURS = 24;

/** A file with what is stored of me and by me. */
export const DataCopy = z.object({
  id: Id,
  state: z.enum(['preparing', 'ready', 'expired', 'failed']),
  requested_at: Instant,
  /** Null until it is ready. */
  expires_at: z.nullable(Instant),
  bytes: z.nullable(z.int()),
  /** False where a list was longer than a copy holds. */
  is_complete: z.nullable(z.boolean()),
});
export type DataCopy = z.infer<typeof DataCopy>;

export const requestDataCopy = endpoint({
  name: 'requestDataCopy',
  summary: 'Has a copy of my data made, twice a day at most. I am mailed when it is ready.',
  method: 'POST',
  path: '/api/user/data-copies',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 201,
  reply: DataCopy,
});

export const listDataCopies = endpoint({
  name: 'listDataCopies',
  summary: 'The copies of my data that I asked for of late, the newest first.',
  method: 'GET',
  path: '/api/user/data-copies',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(DataCopy) }),
});

export const downloadDataCopy = endpoint({
  name: 'downloadDataCopy',
  summary: 'A copy of my data as JSON, for a day and for nobody else.',
  method: 'GET',
  path: '/api/user/data-copies/{copy}/file',
  access: 'signed-in',
  asksPassword: true,
  params: z.strictObject({ copy: Id }),
  query: Nothing,
  body: Nothing,
  isDownload: true,
  status: 200,
  reply: z.unknown(),
});

/** What stands in the way of deleting my account, and what it frees. */
export const AccountDeletion = z.object({
  /** Facilities in which nobody else can manage the members. */
  sole_facilities: z.array(z.string()),
  /** Nobody else is system administrator. */
  is_last_operator: z.boolean(),
  /** Where I belong. */
  facilities: z.array(z.string()),
  /** On-call shifts that have not ended. */
  open_shifts: z.int(),
});
export type AccountDeletion = z.infer<typeof AccountDeletion>;

export const getAccountDeletion = endpoint({
  name: 'getAccountDeletion',
  summary: 'What the deletion of my account would end, and what stands in its way.',
  method: 'GET',
  path: '/api/user/deletion',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: AccountDeletion,
});

export const deleteAccount = endpoint({
  name: 'deleteAccount',
  summary:
    'Deletes my account at once and for good. What I signed and wrote keeps my name. My address is given to confirm it.',
  method: 'POST',
  path: '/api/user/deletion',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ email: Email }),
  status: 204,
  reply: NoContent,
});

/** How long what is kept, as this installation and my facilities have set it; null is without end. */
export const Recorded = z.object({
  audit_years: z.nullable(z.int()),
  shared_session_hours: z.int(),
  own_session_days: z.int(),
  token_days: z.int(),
  facilities: z.array(
    z.object({
      id: Id,
      name: z.string(),
      /** How long the census log keeps its texts. */
      census_log_years: z.nullable(z.int()),
      idle_lock_minutes: z.int(),
      shows_last_seen: z.boolean(),
      own_texts_in_copies: z.boolean(),
    }),
  ),
});
export type Recorded = z.infer<typeof Recorded>;

export const getRecorded = endpoint({
  name: 'getRecorded',
  summary: 'How long this installation and my facilities keep what they record.',
  method: 'GET',
  path: '/api/user/recorded',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Recorded,
});

export const ownDataEndpoints = [
  requestDataCopy,
  listDataCopies,
  downloadDataCopy,
  getAccountDeletion,
  deleteAccount,
  getRecorded,
] as const;
