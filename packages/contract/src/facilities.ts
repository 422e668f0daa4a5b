import * as z from 'zod/mini';
import { channel } from './channel.ts';
import { endpoint } from './endpoint.ts';
import { Cursor, Id, LimitQuery, NoContent, Nothing, Page, Text } from './values.ts';

/** Hours to 23, or twice to 12 with AM and PM. */
export const HourCycle = z.enum(['h23', 'h12']);

/** `21 Nov`, or `Nov 21`. */
export const DateOrder = z.enum(['dmy', 'mdy']);

/** A hospital, clinic or other site. Everything clinical belongs to exactly one. */
export const Facility = z.object({
  id: Id,
  name: z.string(),
  /** Two to four letters for narrow places. */
  code: z.string(),
  /** IANA zone; days of the facility's chats break here. */
  time_zone: z.string(),
  /** How times and dates are written there, on pages, sheets and in mails; a back end may leave it out. */
  hour_cycle: z._default(HourCycle, 'h23'),
  date_order: z._default(DateOrder, 'dmy'),
  unit_count: z.int(),
  permissions: z.array(z.string()),
});
export type Facility = z.infer<typeof Facility>;

/** A person as others of the facility see them. */
export const Member = z.object({
  user_id: Id,
  name: z.string(),
  title: z.nullable(z.string()),
  avatar_url: z.optional(z.nullable(z.string())),
  roles: z.array(z.string()),
  /** Null also for who may not see telephone numbers. */
  phone: z.optional(z.nullable(z.string())),
  /** The on-call roles that they hold as the answer is given. */
  on_call: z.optional(z.array(z.string())),
});
export type Member = z.infer<typeof Member>;

const facilityParams = z.strictObject({ facility: Id });

export const listFacilities = endpoint({
  name: 'listFacilities',
  summary: 'My facilities with my permissions in each.',
  method: 'GET',
  path: '/api/facilities',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(Facility) }),
});

export const listMembers = endpoint({
  name: 'listMembers',
  summary: 'The people of a facility, by name.',
  method: 'GET',
  path: '/api/facilities/{facility}/members',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery), q: z.optional(Text(0, 80)) }),
  body: Nothing,
  status: 200,
  reply: Page(Member),
});

export const getMember = endpoint({
  name: 'getMember',
  summary: 'One person of a facility.',
  method: 'GET',
  path: '/api/facilities/{facility}/members/{user}',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, user: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Member,
});

/** A ward or service that holds inpatients and reports a census. */
export const Unit = z.object({
  id: Id,
  name: z.string(),
  code: z.string(),
  kind: z.string(),
  position: z.int(),
});
export type Unit = z.infer<typeof Unit>;

export const listUnits = endpoint({
  name: 'listUnits',
  summary: 'The units of a facility, in their order.',
  method: 'GET',
  path: '/api/facilities/{facility}/units',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(Unit) }),
});

export const removeMember = endpoint({
  name: 'removeMember',
  summary: 'Ends a membership: chats, channels and cached copies of the facility go with it.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/members/{user}',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, user: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

/** What happened to a person's place in a facility or in one of its chats; on `removed` the device deletes its copy. */
export const MembershipChanged = z.object({
  facility_id: Id,
  chat_id: z.nullable(Id),
  change: z.enum(['added', 'removed', 'changed']),
});
export type MembershipChanged = z.infer<typeof MembershipChanged>;

/** Who is on call changed, by somebody's doing: for one role, or for all that somebody held who left. */
export const OnCallChanged = z.object({ facility_id: Id, role_id: z.nullable(Id) });
export type OnCallChanged = z.infer<typeof OnCallChanged>;

/** News for all members of a facility. */
export const facilityChannel = channel({
  kind: 'private',
  pattern: 'facility.{facility}',
  param: 'facility',
  events: { MembershipChanged, OnCallChanged },
});

export const facilityEndpoints = [listFacilities, listMembers, getMember, listUnits, removeMember] as const;
