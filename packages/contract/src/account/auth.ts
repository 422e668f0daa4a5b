import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Email, GivenPassword, Id, Instant, NoContent, Nothing, Text } from '../values.ts';

/** A person's place in one facility. */
export const Membership = z.object({
  facility_id: Id,
  facility_name: z.string(),
  /** What the person is there, e.g. 'Charge nurse, MED 3A'. */
  title: z._default(z.nullable(z.string()), null),
  roles: z._default(z.array(z.string()), []),
  permissions: z._default(z.array(z.string()), []),
});
export type Membership = z.infer<typeof Membership>;

/** A facility whose members need a second factor from this day on, on its own clock. */
const FactorRule = z.object({
  facility_id: Id,
  facility_name: z.string(),
  from: z.string(),
  /** Nothing of it is given to this session: it is in none of the memberships. */
  is_closed: z.boolean(),
});
export type FactorRule = z.infer<typeof FactorRule>;

/** A number, as Laravel's own tables have it, is held as text: presence compares texts. */
const AnyId = z.pipe(
  z.transform((id: unknown) => (typeof id === 'number' ? String(id) : id) as string),
  z.string(),
);

/** Who is signed in: anything with an id. Our server says all of it; what another back end does not have means none. */
export const User = z.object({
  id: AnyId,
  name: z.catch(z.string(), ''),
  email: z.catch(z.string(), ''),
  email_verified_at: z.catch(z.nullable(Instant), null),
  avatar_url: z.catch(z.nullable(z.string()), null),
  is_operator: z._default(z.boolean(), false),
  memberships: z._default(z.array(Membership), []),
  has_second_factor: z.optional(z.boolean()),
  factor_rules: z.optional(z.array(FactorRule)),
  /** The names of facilities that a system administrator has closed: they are in none of the memberships. */
  closed_facilities: z.optional(z.array(z.string())),
  /** After so many minutes without input the screen is to be covered; null on a device of one's own. */
  lock_after_minutes: z.optional(z.nullable(z.int())),
});
export type User = z.infer<typeof User>;

/** Laravel's API resources stand in an envelope. */
const withoutEnvelope = z.transform((body: unknown) => {
  const isWrapped = typeof body === 'object' && body !== null && 'data' in body && !('id' in body);
  return (isWrapped ? body.data : body) as z.input<typeof User>;
});

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
  summary: 'Starts a session and rotates its id; with `two_factor` the second step is still to come.',
  method: 'POST',
  path: '/login',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ email: Email, password: GivenPassword, remember: z.optional(z.boolean()) }),
  status: 200,
  /** Some back ends answer 204 and nothing, others a sentence or the person. */
  reply: z.optional(z.object({ two_factor: z.optional(z.boolean()) })),
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
  reply: z.pipe(withoutEnvelope, User),
});

export const createToken = endpoint({
  name: 'createToken',
  summary: 'Token mode: a bearer token, shown once. With a second factor `code` or `recovery_code` comes along.',
  method: 'POST',
  path: '/api/tokens',
  access: 'public',
  cookieless: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({
    email: Email,
    password: GivenPassword,
    device_name: Text(1, 100),
    code: z.optional(Text(1, 20)),
    recovery_code: z.optional(Text(1, 64)),
  }),
  status: 201,
  reply: z.object({ token: z.string() }),
});

export const getDeviceKey = endpoint({
  name: 'getDeviceKey',
  summary: 'The key of what this person keeps on a device, in base64.',
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
