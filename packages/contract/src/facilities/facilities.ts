import * as z from 'zod/mini';
import { channel } from '../channel.ts';
import { endpoint } from '../endpoint.ts';
import { Id, Nothing } from '../values.ts';

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

/** What somebody says of their own duty, told whole: nobody needs to ask for it. When they were seen is not told. */
export const PresenceChanged = z.object({
  facility_id: Id,
  user_id: Id,
  on_duty_until: z.nullable(z.string()),
  busy: z.nullable(z.object({ until: z.string(), reason: z.nullable(z.string()) })),
});
export type PresenceChanged = z.infer<typeof PresenceChanged>;

/** A message template of the facility was made, changed or deleted. */
export const MessageTemplatesChanged = z.object({ facility_id: Id, template_id: Id });
export type MessageTemplatesChanged = z.infer<typeof MessageTemplatesChanged>;

/** News for all members of a facility. */
export const facilityChannel = channel({
  kind: 'private',
  pattern: 'facility.{facility}',
  param: 'facility',
  events: { MembershipChanged, OnCallChanged, PresenceChanged, MessageTemplatesChanged },
});

export const facilityEndpoints = [listFacilities, listUnits] as const;
