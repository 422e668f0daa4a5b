import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Email, Id, Instant, LimitQuery, Nothing, Page, Text, Version } from '../values.ts';
import { ClockTime, FacilityCode, FacilityName, Latitude, Longitude, TimeZone } from './facility-settings.ts';

/** A facility as the system administrator sees it. */
export const SystemFacility = z.object({
  id: Id,
  version: z.int(),
  name: z.string(),
  code: z.string(),
  time_zone: z.string(),
  people_count: z.int(),
  unit_count: z.int(),
  /** How many may manage its members; without anybody an administrator can be invited. */
  administrator_count: z.int(),
  /** Since when nobody reads or writes anything in it; null while it is open. */
  deactivated_at: z.nullable(Instant),
});
export type SystemFacility = z.infer<typeof SystemFacility>;

export const listAllFacilities = endpoint({
  name: 'listAllFacilities',
  summary: 'The facilities of the installation by name, with how many people and units they have.',
  method: 'GET',
  path: '/api/system/facilities',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(SystemFacility),
});

export const createFacility = endpoint({
  name: 'createFacility',
  summary: 'Makes a facility with the shipped roles and mails its first administrator an invitation.',
  method: 'POST',
  path: '/api/system/facilities',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({
    name: FacilityName,
    code: FacilityCode,
    time_zone: TimeZone,
    census_time: ClockTime,
    /** Both or neither. */
    latitude: z.optional(z.nullable(Latitude)),
    longitude: z.optional(z.nullable(Longitude)),
    administrator_email: Email,
  }),
  status: 201,
  reply: SystemFacility,
});

const params = z.strictObject({ facility: Id });

export const renameFacility = endpoint({
  name: 'renameFacility',
  summary: 'Calls a facility otherwise.',
  method: 'PATCH',
  path: '/api/system/facilities/{facility}',
  access: 'signed-in',
  asksPassword: true,
  params,
  query: Nothing,
  body: z.strictObject({ expected_version: Version, name: FacilityName, code: FacilityCode }),
  status: 200,
  reply: SystemFacility,
});

export const inviteAdministrator = endpoint({
  name: 'inviteAdministrator',
  summary: 'Mails an invitation to administer a facility; 409 where somebody administers it already.',
  method: 'POST',
  path: '/api/system/facilities/{facility}/administrators',
  access: 'signed-in',
  asksPassword: true,
  params,
  query: Nothing,
  body: z.strictObject({ email: Email }),
  status: 200,
  reply: SystemFacility,
});

const deactivation = {
  path: '/api/system/facilities/{facility}/deactivation',
  access: 'signed-in',
  asksPassword: true,
  params,
  query: Nothing,
  status: 200,
  reply: SystemFacility,
} as const;

export const deactivateFacility = endpoint({
  ...deactivation,
  name: 'deactivateFacility',
  summary: 'Closes a facility to everybody, at once; its data stay. Its name is typed to confirm.',
  method: 'POST',
  body: z.strictObject({ name: Text(1, 120) }),
});

export const reopenFacility = endpoint({
  ...deactivation,
  name: 'reopenFacility',
  summary: 'Opens a facility again that was closed.',
  method: 'DELETE',
  body: Nothing,
});

export const systemFacilityEndpoints = [
  listAllFacilities,
  createFacility,
  renameFacility,
  inviteAdministrator,
  deactivateFacility,
  reopenFacility,
] as const;
