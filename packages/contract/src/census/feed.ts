import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Text } from '../values.ts';
import { Person, Population } from './census.ts';
import { FACILITY_CENSUS, FacilityParams } from './facility.ts';
import { ProposalState } from './proposals.ts';

const base = `${FACILITY_CENSUS}/feed` as const;

/** What the newest report of a unit closed with, and whom the patient system has in it at that census hour. */
export const FeedUnit = z.object({
  unit_id: Id,
  unit_code: z.string(),
  population: Population,
  /** Null where the unit has no report that was handed in. */
  census_date: z.nullable(Day),
  closing: z.nullable(z.int()),
  told: z.int(),
});
export type FeedUnit = z.infer<typeof FeedUnit>;

/** How a facility stands with its patient system. */
export const CensusFeed = z.object({
  /** From this census date on the patient system says something of the reports; null: it is heard, and not told of yet. */
  live_from: z.nullable(Day),
  /** The date it would be, were it started now. */
  next_date: Day,
  /** When the newest message came that was taken; null: none did, or it has been forgotten. */
  heard_at: z.nullable(Instant),
  units: z.array(FeedUnit),
  refused: z.int(),
});
export type CensusFeed = z.infer<typeof CensusFeed>;

export const getCensusFeed = endpoint({
  name: 'getCensusFeed',
  summary: 'How a facility stands with its patient system: whether it counts, and who is in by it and by the reports.',
  method: 'GET',
  path: base,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: CensusFeed,
});

export const startCensusFeed = endpoint({
  name: 'startCensusFeed',
  summary:
    'Lets the patient system count from the next census date on. 422 where those who are in were not brought in, or where it differs from the reports and no reason is given.',
  method: 'POST',
  path: `${base}/start`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: z.strictObject({ client_id: Id, reason: z.optional(Text(0, 500)) }),
  status: 200,
  reply: CensusFeed,
});

/** An act that takes back what was set up, and why. */
const Reasoned = z.strictObject({ client_id: Id, reason: Text(0, 500) });

export const stopCensusFeed = endpoint({
  name: 'stopCensusFeed',
  summary:
    'Ends that the patient system counts, with a reason: no report shows what it says, and no alert tells of it. It is heard all the same, as before the start.',
  method: 'POST',
  path: `${base}/stop`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: Reasoned,
  status: 200,
  reply: CensusFeed,
});

export const forgetCensusFeed = endpoint({
  name: 'forgetCensusFeed',
  summary:
    'Forgets who is in and all else that the patient system has told, with a reason: after a trial, or before another one takes its place. 422 while it counts.',
  method: 'POST',
  path: `${base}/forget`,
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: Reasoned,
  status: 200,
  reply: CensusFeed,
});

/** The columns of a file of who is in. */
export const STAY_COLUMNS = ['unit_code', 'bed', 'visit_number', 'admitted_at', 'population'] as const;
export type StayColumn = (typeof STAY_COLUMNS)[number];

/** What an import makes of one line; it repeats no number of a visit. */
export const StayRow = z.object({
  /** As a spreadsheet counts: the head is line 1. */
  line: z.int(),
  unit_code: z.nullable(z.string()),
  bed: z.nullable(z.string()),
  /** Known: the patient system has told of the visit itself. */
  outcome: z.enum(['new', 'known', 'refused']),
  problems: z.array(z.object({ column: z.nullable(z.string()), code: z.string(), message: z.string() })),
});
export type StayRow = z.infer<typeof StayRow>;

export const importStays = endpoint({
  name: 'importStays',
  summary: 'Brings in who is in beds, from a CSV file: a dry run unless apply=true; applied whole or not at all.',
  method: 'POST',
  path: `${base}/stays`,
  access: 'signed-in',
  params: FacilityParams,
  query: z.strictObject({ apply: z.optional(z.enum(['true', 'false'])) }),
  body: Nothing,
  file: 'file',
  status: 200,
  reply: z.object({
    is_applied: z.boolean(),
    /** SHA-256 of the file in hexadecimal, as the log names it. */
    file_hash: z.string(),
    counts: z.object({ new: z.int(), known: z.int(), refused: z.int() }),
    /** Refused lines first; at most 500. */
    rows: z.array(StayRow),
  }),
});

/** A message that was refused, without what it says of a patient. */
export const RefusedMessage = z.object({
  id: Id,
  received_at: Instant,
  /** Application and facility that sent it (MSH-3, MSH-4). */
  sender: z.nullable(z.string()),
  /** As `ADT^A01` (MSH-9). */
  kind: z.nullable(z.string()),
  /** MSH-10: by this the sender finds it. */
  control_id: z.nullable(z.string()),
  /** Refused for what is in it (AE), or as nothing that is taken here (AR). */
  answer: z.enum(['AE', 'AR']),
  /** HL7 table 0357. */
  error_code: z.int(),
  reason: z.string(),
  tries: z.int(),
  tried_at: Instant,
  /** False where more came than is kept. */
  can_retry: z.boolean(),
});
export type RefusedMessage = z.infer<typeof RefusedMessage>;

export const listRefusedMessages = endpoint({
  name: 'listRefusedMessages',
  summary: 'The messages of the patient system that were refused and are kept, the newest first.',
  method: 'GET',
  path: `${base}/refused`,
  access: 'signed-in',
  params: FacilityParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(RefusedMessage),
});

export const retryRefusedMessage = endpoint({
  name: 'retryRefusedMessage',
  summary: 'Takes a refused message again, as it came. Null when it is taken now; otherwise why it still is not.',
  method: 'POST',
  path: `${base}/refused/{message}/retry`,
  access: 'signed-in',
  params: z.strictObject({ facility: Id, message: Id }),
  query: Nothing,
  body: z.strictObject({ client_id: Id }),
  status: 200,
  reply: z.object({ refused: z.nullable(RefusedMessage) }),
});

/** Somebody whom the patient system moved or discharged, and never admitted. */
export const UnknownStay = z.object({
  id: Id,
  kind: z.enum(['discharge', 'death', 'transfer']),
  at: Instant,
  census_date: Day,
  population: Population,
  /** Where they were; null where the message does not say. */
  unit_id: z.nullable(Id),
  unit_code: z.nullable(z.string()),
  /** Where they went; null but for a transfer. */
  to_unit_code: z.nullable(z.string()),
  /** MSH-10: by this the patient system finds of whom it spoke. */
  control_id: z.string(),
  state: ProposalState,
  version: z.int(),
  raised_at: Instant,
  closed_at: z.nullable(Instant),
  closed_by: z.nullable(Person),
  reason: z.nullable(z.string()),
});
export type UnknownStay = z.infer<typeof UnknownStay>;

export const listUnknownStays = endpoint({
  name: 'listUnknownStays',
  summary:
    'Those whom the patient system moved or discharged and never admitted, in one state (open unless said otherwise), the newest first. They count nothing until somebody accepts them.',
  method: 'GET',
  path: `${base}/unknown-stays`,
  access: 'signed-in',
  params: FacilityParams,
  query: z.strictObject({
    state: z.optional(ProposalState),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: z.object({
    ...Page(UnknownStay).shape,
    may: z.object({ decide: z.boolean() }),
    /** Of the facility: those where somebody of an unnamed unit can have been. */
    units: z.array(z.object({ id: Id, code: z.string() })),
    time_zone: z.string(),
  }),
});

const stayParams = z.strictObject({ facility: Id, stay: Id });

export const acceptUnknownStay = endpoint({
  name: 'acceptUnknownStay',
  summary:
    'Says that they were in: the move or discharge counts. They were admitted at the time given, else before the patient system counted.',
  method: 'POST',
  path: `${base}/unknown-stays/{stay}/accept`,
  access: 'signed-in',
  params: stayParams,
  query: Nothing,
  body: z.strictObject({
    client_id: Id,
    version: z.int().check(z.gte(1)),
    /** Where the message does not say it. */
    unit_id: z.optional(Id),
    admitted_at: z.optional(Instant),
  }),
  status: 200,
  reply: UnknownStay,
});

export const dismissUnknownStay = endpoint({
  name: 'dismissUnknownStay',
  summary: 'Says that they were not in, with a reason: the move or discharge does not count.',
  method: 'POST',
  path: `${base}/unknown-stays/{stay}/dismiss`,
  access: 'signed-in',
  params: stayParams,
  query: Nothing,
  body: z.strictObject({ client_id: Id, version: z.int().check(z.gte(1)), reason: Text(0, 500) }),
  status: 200,
  reply: UnknownStay,
});

export const censusFeedEndpoints = [
  getCensusFeed,
  startCensusFeed,
  stopCensusFeed,
  forgetCensusFeed,
  importStays,
  listRefusedMessages,
  retryRefusedMessage,
  listUnknownStays,
  acceptUnknownStay,
  dismissUnknownStay,
] as const;
