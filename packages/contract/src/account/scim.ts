import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Instant, NoContent, Nothing, Text } from '../values.ts';

/** Below it a directory speaks SCIM 2.0 (RFC 7643, 7644), whose requests and answers are no operations of this contract. */
export const SCIM_ROOT = '/scim/v2';

export const SCIM_TOKEN_LIMIT = 5;
export const LONGEST_SCIM_TOKEN_DAYS = 365;

const FacilityParams = z.strictObject({ facility: Id });

/** By what a facility's directory speaks to us, without its secret. */
export const ScimToken = z.object({
  id: Id,
  name: z.string(),
  created_by: z.object({ user_id: Id, name: z.string() }),
  created_at: Instant,
  last_used_at: z.nullable(Instant),
  expires_at: Instant,
});
export type ScimToken = z.infer<typeof ScimToken>;

export const listScimTokens = endpoint({
  name: 'listScimTokens',
  summary: 'The SCIM tokens of a facility that have not expired, the newest first; at most 5.',
  method: 'GET',
  path: '/api/facilities/{facility}/scim-tokens',
  access: 'signed-in',
  params: FacilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(ScimToken) }),
});

export const createScimToken = endpoint({
  name: 'createScimToken',
  summary: 'Makes a token by which a directory manages the members of a facility. Its secret is shown this once.',
  method: 'POST',
  path: '/api/facilities/{facility}/scim-tokens',
  access: 'signed-in',
  asksPassword: true,
  params: FacilityParams,
  query: Nothing,
  body: z.strictObject({
    name: Text(1, 80),
    expires_in_days: z._default(z.int().check(z.gte(1), z.lte(LONGEST_SCIM_TOKEN_DAYS)), LONGEST_SCIM_TOKEN_DAYS),
  }),
  status: 201,
  reply: z.object({ scim_token: ScimToken, plain_text_token: z.string() }),
});

export const revokeScimToken = endpoint({
  name: 'revokeScimToken',
  summary: 'Takes the force of a SCIM token, at once.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/scim-tokens/{token}',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, token: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const scimTokenEndpoints = [listScimTokens, createScimToken, revokeScimToken] as const;
