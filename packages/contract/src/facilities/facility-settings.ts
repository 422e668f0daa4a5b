import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { PERMISSIONS } from '../permissions.ts';
import { Id, keyed, NoContent, Nothing, Text, Version } from '../values.ts';
import { Role } from './invitations.ts';
import { Member } from './members.ts';

export const FacilityName = Text(1, 120);

/** Two to four letters or digits for narrow places, for files and for the patient system. */
export const FacilityCode = z
  .string('This field is required.')
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9]{2,4}$/, '2 to 4 letters or digits.'));

/** An IANA name; whether there is such a zone the server says. */
export const TimeZone = Text(1, 60);

/** HH:MM on the facility's clock. */
export const ClockTime = z
  .string('This field is required.')
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'This is not a time.'));

export const SHIFT_STARTS_MAX = 4;
export const SHIFT_NAME_MAX = 20;

/** When a shift begins, on the facility's clock, and what it is called there. */
export const ShiftStart = z.strictObject({ name: Text(1, SHIFT_NAME_MAX), time: ClockTime });
export type ShiftStart = z.infer<typeof ShiftStart>;

const ShiftStarts = z.array(ShiftStart).check(
  z.minLength(1, 'There is at least one shift.'),
  z.maxLength(SHIFT_STARTS_MAX, `At most ${SHIFT_STARTS_MAX} shifts.`),
  z.refine((starts) => new Set(starts.map(({ time }) => time)).size === starts.length, {
    error: 'Two shifts begin at the same time.',
  }),
  z.refine((starts) => new Set(starts.map(({ name }) => name.toLowerCase())).size === starts.length, {
    error: 'Two shifts have the same name.',
  }),
);

/** Degrees north of the equator. */
export const Latitude = z.number().check(z.gte(-90, 'Between −90 and 90.'), z.lte(90, 'Between −90 and 90.'));

/** Degrees east of Greenwich. */
export const Longitude = z.number().check(z.gte(-180, 'Between −180 and 180.'), z.lte(180, 'Between −180 and 180.'));

/** What a facility is, for those who administer it. */
export const FacilitySettings = z.object({
  id: Id,
  version: z.int(),
  name: z.string(),
  code: z.string(),
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  /** How many of its people hold a permission, by its name; nobody is left out. */
  holders: keyed(z.int()),
  member_count: z.int(),
  /** From this day on, on the facility's clock, its members need a second factor; null where they need none. */
  second_factor_from: z.optional(z.nullable(z.string())),
  /** How many of its people have neither an authenticator app nor a passkey. */
  without_factor_count: z.optional(z.int()),
  /** After so many minutes without input the screen of a shared device is covered. */
  idle_lock_minutes: z.optional(z.int()),
  /** Whether its people see about when others were last there. */
  shows_last_seen: z.optional(z.boolean()),
  /** Whether a copy of somebody's own data has the texts of what they wrote here. */
  own_texts_in_copies: z.optional(z.boolean()),
  /** When its shifts begin, by their times. */
  shift_starts: z.optional(z.array(ShiftStart)),
});
export type FacilitySettings = z.infer<typeof FacilitySettings>;

const facilityParams = z.strictObject({ facility: Id });

export const getFacilitySettings = endpoint({
  name: 'getFacilitySettings',
  summary: 'What a facility is called and where it lies, and how many may do what there.',
  method: 'GET',
  path: '/api/facilities/{facility}/settings',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: FacilitySettings,
});

export const updateFacility = endpoint({
  name: 'updateFacility',
  summary:
    'Changes the name, short name or location of a facility, whether its people see when others were last there, or when its shifts begin.',
  method: 'PATCH',
  path: '/api/facilities/{facility}/settings',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    expected_version: Version,
    name: z.optional(FacilityName),
    code: z.optional(FacilityCode),
    /** Both or neither. */
    latitude: z.optional(z.nullable(Latitude)),
    longitude: z.optional(z.nullable(Longitude)),
    shows_last_seen: z.optional(z.boolean()),
    shift_starts: z.optional(ShiftStarts),
  }),
  status: 200,
  reply: FacilitySettings,
});

/** YYYY-MM-DD */
const Day = z.string('This field is required.').check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'This is not a date.'));

export const setFacilityPolicies = endpoint({
  name: 'setFacilityPolicies',
  summary:
    'Says from which day members need a second factor, how soon a shared screen is covered, and whether copies of one’s own data have texts.',
  method: 'PUT',
  path: '/api/facilities/{facility}/policies',
  access: 'signed-in',
  asksPassword: true,
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    expected_version: Version,
    second_factor_from: z.nullable(Day),
    idle_lock_minutes: z.int().check(z.gte(1, 'Between 1 and 60.'), z.lte(60, 'Between 1 and 60.')),
    /** Left out, it stays as it is. */
    own_texts_in_copies: z.optional(z.boolean()),
  }),
  status: 200,
  reply: FacilitySettings,
});

const roleOfMember = z.strictObject({ facility: Id, user: Id, role: Id });

export const giveRole = endpoint({
  name: 'giveRole',
  summary: 'Gives a member a role; 422 where it allows what one may not grant.',
  method: 'PUT',
  path: '/api/facilities/{facility}/members/{user}/roles/{role}',
  access: 'signed-in',
  asksPassword: true,
  params: roleOfMember,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Member,
});

export const takeRole = endpoint({
  name: 'takeRole',
  summary: 'Takes a role from a member; the last who manages the members keeps theirs.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/members/{user}/roles/{role}',
  access: 'signed-in',
  params: roleOfMember,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Member,
});

export const MOST_ROLES = 50;

const RoleName = Text(1, 80);
const PermissionName = z.enum(PERMISSIONS);
const PermissionNames = z.array(PermissionName).check(z.maxLength(PERMISSIONS.length));

export const createRole = endpoint({
  name: 'createRole',
  summary: 'Makes a role of what one may grant.',
  method: 'POST',
  path: '/api/facilities/{facility}/roles',
  access: 'signed-in',
  asksPassword: true,
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ name: RoleName, permissions: PermissionNames }),
  status: 201,
  reply: Role,
});

export const updateRole = endpoint({
  name: 'updateRole',
  summary: 'Calls a role otherwise, or changes what it allows to all who have it, at once.',
  method: 'PATCH',
  path: '/api/facilities/{facility}/roles/{role}',
  access: 'signed-in',
  asksPassword: true,
  params: z.strictObject({ facility: Id, role: Id }),
  query: Nothing,
  /** What is added and what is taken, so that two who change a role at once lose nothing of each other. */
  body: z.strictObject({
    name: z.optional(RoleName),
    add: z.optional(PermissionNames),
    take: z.optional(PermissionNames),
  }),
  status: 200,
  reply: Role,
});

/** How many people and invitations the use of a role names; the counts are of all. */
export const MOST_USES_NAMED = 50;

/** Who and what a role would be missed by. */
export const RoleUse = z.object({
  holders: z.array(z.object({ user_id: Id, name: z.string() })),
  holder_count: z.int(),
  /** Those that can still be used. */
  invitations: z.array(z.object({ id: Id, note: z.nullable(z.string()), title: z.nullable(z.string()) })),
  invitation_count: z.int(),
  /** Groups of sign-in providers that give it, by the settings of the installation. */
  groups: z.array(z.object({ provider: z.string(), group: z.string() })),
});
export type RoleUse = z.infer<typeof RoleUse>;

export const getRoleUse = endpoint({
  name: 'getRoleUse',
  summary: 'Who holds a role, and which invitations and groups of sign-in providers give it.',
  method: 'GET',
  path: '/api/facilities/{facility}/roles/{role}/use',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, role: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: RoleUse,
});

export const deleteRole = endpoint({
  name: 'deleteRole',
  summary: 'Removes a role; whoever has it gets another in its place, or none, at once.',
  method: 'POST',
  path: '/api/facilities/{facility}/roles/{role}/removal',
  access: 'signed-in',
  asksPassword: true,
  params: z.strictObject({ facility: Id, role: Id }),
  query: Nothing,
  /** What its holders get; null for nothing. */
  body: z.strictObject({ replacement: z.nullable(Id) }),
  status: 204,
  reply: NoContent,
});

/** For the pages of administration, which load them when they open. */
export const facilitySettingsEndpoints = [
  getFacilitySettings,
  updateFacility,
  setFacilityPolicies,
  giveRole,
  takeRole,
  createRole,
  updateRole,
  getRoleUse,
  deleteRole,
] as const;
