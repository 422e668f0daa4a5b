import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Email, GivenPassword, Id, Instant, NoContent, Nothing, Text } from './values.ts';

/**
 * Names of what a member may do in a facility. The four census names that open pages are fixed by the product; the further
 * ones guard single acts, and fall back to census.report_summary where a facility has not split them off.
 */
export const PERMISSIONS = [
  'census.view',
  'census.logs',
  'census.report_units',
  'census.report_summary',
  'census.approve',
  'census.reopen',
  'census.configure',
  'census.import',
  'census.export',
  'census.feed',
  'chats.create',
  'chats.manage',
  'members.manage',
  'facility.manage',
  'audit.view',
] as const;
export const Permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof Permission>;

/** A person's place in one facility. */
export const Membership = z.object({
  facility_id: Id,
  facility_name: z.string(),
  /** What the person is there, e.g. 'Charge nurse, MED 3A'. */
  title: z.nullable(z.string()),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
});
export type Membership = z.infer<typeof Membership>;

/** Who is signed in. */
export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  email_verified_at: z.nullable(Instant),
  avatar_url: z.nullable(z.string()),
  is_operator: z.boolean(),
  memberships: z.array(Membership),
});
export type User = z.infer<typeof User>;

export const getCsrfCookie = endpoint({
  name: 'getCsrfCookie',
  summary: 'Sets XSRF-TOKEN (readable) and the session cookie.',
  method: 'GET',
  path: '/sanctum/csrf-cookie',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const signIn = endpoint({
  name: 'signIn',
  summary: 'Starts a session and rotates its id.',
  method: 'POST',
  path: '/login',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ email: Email, password: GivenPassword, remember: z.optional(z.boolean()) }),
  status: 200,
  /** Some back ends answer 204 and nothing. */
  reply: z.optional(z.object({ two_factor: z.boolean() })),
});

export const signOut = endpoint({
  name: 'signOut',
  summary: 'Ends the session or the token.',
  method: 'POST',
  path: '/logout',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const getUser = endpoint({
  name: 'getUser',
  summary: 'The identity, with memberships and permissions.',
  method: 'GET',
  path: '/api/user',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: User,
});

export const createToken = endpoint({
  name: 'createToken',
  summary: 'Token mode: a bearer token, shown once.',
  method: 'POST',
  path: '/api/tokens',
  access: 'public',
  cookieless: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ email: Email, password: GivenPassword, device_name: Text(1, 100) }),
  status: 201,
  reply: z.object({ token: z.string() }),
});

export const getDeviceKey = endpoint({
  name: 'getDeviceKey',
  summary: 'The key of unsent work on a device of this person: 32 bytes in base64, always the same.',
  method: 'GET',
  path: '/api/user/device-key',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ key: z.string() }),
});

export const authEndpoints = [getCsrfCookie, signIn, signOut, getUser, createToken, getDeviceKey] as const;
