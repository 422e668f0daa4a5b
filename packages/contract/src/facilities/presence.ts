import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Instant, Nothing } from '../values.ts';

/** So long at most holds what somebody says of their own duty. */
export const MOST_STATED_HOURS = 24;
/** Of so many people at most one asks at a time. */
export const MOST_PRESENCES = 100;

/** Why somebody is busy, from a fixed list: no text that anybody writes. */
export const BUSY_REASONS = [
  'in_theatre',
  'ward_round',
  'procedure',
  'with_patient',
  'in_meeting',
  'on_break',
] as const;

const Busy = z.object({ until: Instant, reason: z.nullable(z.enum(BUSY_REASONS)) });

/** What is known of a person's duty in a facility; `dutyOf` says what it means at an instant. */
export const Presence = z.object({
  user_id: Id,
  shift_until: z.nullable(Instant),
  on_duty_until: z.nullable(Instant),
  busy: z.nullable(Busy),
  /** About when they used the product last; null where that is long ago, or the facility does not show it. */
  last_seen: z.nullable(z.enum(['now', 'hour', 'today', 'yesterday', 'week'])),
});
export type Presence = z.infer<typeof Presence>;

const facilityParams = z.strictObject({ facility: Id });

/** Ids with commas between, as they stand in an address. */
const People = z.pipe(
  z.string().check(z.regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,99}$/, 'These are not 1 to 100 ids.')),
  z.pipe(
    z.transform((text: string) => text.split(',')),
    z.array(Id),
  ),
);

export const listPresence = endpoint({
  name: 'listPresence',
  summary: 'Whether people of a facility are on duty, busy or off duty. Who is not of the facility is left out.',
  method: 'GET',
  path: '/api/facilities/{facility}/presence',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ people: People }),
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(Presence) }),
});

export const setPresence = endpoint({
  name: 'setPresence',
  summary:
    'Says that I am on duty or busy until an instant; null takes it back. An on-call role is handed over instead.',
  method: 'PUT',
  path: '/api/facilities/{facility}/presence',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    on_duty_until: z.nullable(Instant),
    busy: z.nullable(z.strictObject({ until: Instant, reason: z.nullable(z.enum(BUSY_REASONS)) })),
  }),
  status: 200,
  reply: Presence,
});

export const presenceEndpoints = [listPresence, setPresence] as const;
