import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Nothing } from '../values.ts';
import { Month } from './critical.ts';

export const INTERRUPTION_MONTHS_MAX = 13;
/** Fewer are said to be few. */
export const FEWEST_CALLS = 5;
/** A role that fewer hold says nothing: its figures would be those of a person. */
export const FEWEST_HOLDERS = 3;
/** What is shown is a multiple of it, so that no difference of two figures says what a third one hides. */
export const CALLS_ROUNDED_TO = 5;

/** Rounded to 5; null for 1 to 4, which are few. */
const Count = z.nullable(z.int());

/** Seconds from the call to the acknowledgement: the median and within what nine of ten were; null where few were given. */
const AnswerTimes = z.object({ count: Count, median_s: z.nullable(z.int()), p90_s: z.nullable(z.int()) });

const Calls = z.object({
  /** Notifications that showed without a sound. */
  silent: Count,
  /** Those with one. */
  aloud: Count,
  /** Calls to acknowledge something urgent, each repeat too. */
  urgent: Count,
  answers: AnswerTimes,
});
export type Calls = z.infer<typeof Calls>;

export const RoleInterruptions = z.object({
  role: z.object({ id: Id, name: z.string() }),
  /** Null where fewer than three hold the role. */
  total: z.nullable(Calls),
  /** By the clock of the facility; an hour without a call is left out. */
  hours: z.array(z.extend(Calls, { hour: z.int().check(z.gte(0), z.lte(23)) })),
});
export type RoleInterruptions = z.infer<typeof RoleInterruptions>;

const months = {
  access: 'signed-in',
  params: z.strictObject({ facility: Id }),
  query: z.strictObject({ from: Month, to: Month }),
  body: Nothing,
  status: 200,
} as const;

export const listInterruptions = endpoint({
  name: 'listInterruptions',
  summary:
    'How often people were called and how fast urgent calls were acknowledged, by role and hour of the day; 13 months at most. Few are not told apart. For those with on_call.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/interruptions',
  ...months,
  reply: z.object({ data: z.array(RoleInterruptions) }),
});

export const exportInterruptions = endpoint({
  name: 'exportInterruptions',
  summary: 'The same as CSV; audited.',
  method: 'GET',
  path: '/api/facilities/{facility}/interruptions/export',
  ...months,
  isDownload: true,
  reply: z.unknown(),
});

export const interruptionEndpoints = [listInterruptions, exportInterruptions] as const;
