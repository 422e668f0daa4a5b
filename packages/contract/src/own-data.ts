import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, Instant, Nothing } from './values.ts';

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
  path: '/api/user/data-copies/{copy}',
  access: 'signed-in',
  asksPassword: true,
  params: z.strictObject({ copy: Id }),
  query: Nothing,
  body: Nothing,
  isDownload: true,
  status: 200,
  reply: z.unknown(),
});

export const ownDataEndpoints = [requestDataCopy, listDataCopies, downloadDataCopy] as const;
