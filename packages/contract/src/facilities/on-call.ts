import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, NoContent, Nothing, Page, Text } from '../values.ts';
import { Phone } from './members.ts';
import { Presence } from './presence.ts';

/** So long at most is what somebody takes over. */
export const MOST_TAKEN_HOURS = 24;
/** So long at most is a planned shift, or one that is handed over. */
export const MOST_SHIFT_HOURS = 7 * 24;
/** So far ahead at most is planned. */
export const MOST_AHEAD_DAYS = 366;
/** So many at most has a facility at a time: a page has room for all of them. */
export const MOST_ON_CALL_ROLES = 200;

/** Somebody holds a role from the first instant on, and at the second no more. */
export const Shift = z.object({
  id: Id,
  person: z.object({
    user_id: Id,
    name: z.string(),
    title: z.nullable(z.string()),
    avatar_url: z.nullable(z.string()),
    /** Null also for who may not see telephone numbers. */
    phone: z.nullable(z.string()),
  }),
  starts_at: Instant,
  ends_at: Instant,
});
export type Shift = z.infer<typeof Shift>;

/** What a facility always has somebody for, or should: `Medical registrar on call`. */
export const OnCallRole = z.object({
  id: Id,
  name: z.string(),
  unit: z.nullable(z.object({ id: Id, name: z.string(), code: z.string() })),
  /** Of the role itself, whoever holds it; null also for who may not see telephone numbers. */
  phone: z.nullable(z.string()),
  version: z.int(),
  /** Who holds it as the answer is given; null when nobody does. */
  now: z.nullable(Shift),
  /** The first shift after that. */
  next: z.nullable(Shift),
});
export type OnCallRole = z.infer<typeof OnCallRole>;

const facilityParams = z.strictObject({ facility: Id });
const roleParams = z.strictObject({ facility: Id, role: Id });
const pageQuery = z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) });

export const listOnCallRoles = endpoint({
  name: 'listOnCallRoles',
  summary: 'The on-call roles of a facility by name, with who holds each now and who comes next.',
  method: 'GET',
  path: '/api/facilities/{facility}/on-call-roles',
  access: 'signed-in',
  params: facilityParams,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(OnCallRole),
});

export const createOnCallRole = endpoint({
  name: 'createOnCallRole',
  summary: 'Makes an on-call role that nobody holds yet.',
  method: 'POST',
  path: '/api/facilities/{facility}/on-call-roles',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    name: Text(1, 80),
    unit_id: z.optional(z.nullable(Id)),
    phone: z.optional(z.nullable(Phone)),
  }),
  status: 201,
  reply: OnCallRole,
});

export const updateOnCallRole = endpoint({
  name: 'updateOnCallRole',
  summary: 'Renames an on-call role, or gives it another unit or number. 409 when it was changed since.',
  method: 'PATCH',
  path: '/api/facilities/{facility}/on-call-roles/{role}',
  access: 'signed-in',
  params: roleParams,
  query: Nothing,
  body: z.strictObject({
    expected_version: z.int(),
    name: z.optional(Text(1, 80)),
    unit_id: z.optional(z.nullable(Id)),
    phone: z.optional(z.nullable(Phone)),
  }),
  status: 200,
  reply: OnCallRole,
});

export const retireOnCallRole = endpoint({
  name: 'retireOnCallRole',
  summary: 'Ends an on-call role: its shift of now ends, the planned ones are gone, its name is free again.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/on-call-roles/{role}',
  access: 'signed-in',
  params: roleParams,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const listShifts = endpoint({
  name: 'listShifts',
  summary: 'The shifts of an on-call role that are not over, the first first.',
  method: 'GET',
  path: '/api/facilities/{facility}/on-call-roles/{role}/shifts',
  access: 'signed-in',
  params: roleParams,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(Shift),
});

export const planShift = endpoint({
  name: 'planShift',
  summary: 'Plans a shift. One that should have begun begins now. 409 when somebody else is on call then.',
  method: 'POST',
  path: '/api/facilities/{facility}/on-call-roles/{role}/shifts',
  access: 'signed-in',
  params: roleParams,
  query: Nothing,
  body: z.strictObject({ person_id: Id, starts_at: Instant, ends_at: Instant }),
  status: 201,
  reply: OnCallRole,
});

export const deleteShift = endpoint({
  name: 'deleteShift',
  summary: 'Takes a planned shift away; the one of now ends. 409 when it is over.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/on-call-roles/{role}/shifts/{shift}',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, role: Id, shift: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

/** The shift that is to end by it, as one sees it: null where nobody is on call. */
const Replaces = z.nullable(Id);

export const takeOver = endpoint({
  name: 'takeOver',
  summary: 'I am on call from now on until then; whose shift it was is free. 409 when somebody else took it meanwhile.',
  method: 'POST',
  path: '/api/facilities/{facility}/on-call-roles/{role}/take-over',
  access: 'signed-in',
  params: roleParams,
  query: Nothing,
  body: z.strictObject({ until: Instant, replaces: Replaces }),
  status: 200,
  reply: OnCallRole,
});

export const handOver = endpoint({
  name: 'handOver',
  summary: 'A colleague is on call from now on until then. 409 when somebody else took it meanwhile.',
  method: 'POST',
  path: '/api/facilities/{facility}/on-call-roles/{role}/hand-over',
  access: 'signed-in',
  params: roleParams,
  query: Nothing,
  body: z.strictObject({ person_id: Id, until: Instant, replaces: Replaces }),
  status: 200,
  reply: OnCallRole,
});

export const getDuty = endpoint({
  name: 'getDuty',
  summary:
    'Whether a person is on call or on duty now; where not, who holds the roles that they held lately or will hold soon.',
  method: 'GET',
  path: '/api/facilities/{facility}/members/{user}/duty',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, user: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({
    is_on_call: z.boolean(),
    /** Whether they are there at all, for a role or by their own word; a back end may leave it out. */
    presence: z.optional(Presence),
    /** By name; none where the person is on duty or busy. */
    instead: z.array(
      z.object({ role_id: Id, name: z.string(), holder: z.object({ user_id: Id, name: z.string() }), until: Instant }),
    ),
  }),
});
export type Duty = z.infer<(typeof getDuty)['reply']>;

export const onCallEndpoints = [
  getDuty,
  listOnCallRoles,
  createOnCallRole,
  updateOnCallRole,
  retireOnCallRole,
  listShifts,
  planShift,
  deleteShift,
  takeOver,
  handOver,
] as const;
