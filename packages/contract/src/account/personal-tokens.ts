import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, Instant, NoContent, Nothing, Text } from '../values.ts';

/** What a personal access token may be used for. Each endpoint names those that it takes; without one it takes none. */
export const ABILITIES = [
  'account:read',
  'chats:read',
  'messages:send',
  'census:read',
  'census:report',
  'census:feed',
] as const;
export type Ability = (typeof ABILITIES)[number];

/** The same in words, in the settings and in mails. */
export const ABILITY_LABELS: Readonly<Record<Ability, string>> = {
  'account:read': 'See your name, email address and facilities',
  'chats:read': 'Read your chats, their files and examinations',
  'messages:send': 'Send messages and files',
  'census:read': 'Read the census',
  'census:report': 'Fill in and hand in census reports',
  'census:feed': 'Deliver messages of the patient system',
};

/** What a session has, and an app that signed in as the person: no personal access token is given it. */
export const EVERY_ABILITY = '*';

export const PERSONAL_TOKEN_LIMIT = 20;
export const LONGEST_TOKEN_DAYS = 365;
export const USUAL_TOKEN_DAYS = 90;

const TokenName = Text(1, 80);

/** A token of a person, without its secret; named as Laravel Sanctum names it. */
export const PersonalToken = z.object({
  id: Id,
  name: z.string(),
  abilities: z.array(z.enum(ABILITIES)),
  /** To the hour. */
  last_used_at: z.nullable(Instant),
  expires_at: Instant,
  created_at: Instant,
});
export type PersonalToken = z.infer<typeof PersonalToken>;

export const listPersonalTokens = endpoint({
  name: 'listPersonalTokens',
  summary: 'My personal access tokens that have force, the newest first; at most 20.',
  method: 'GET',
  path: '/api/user/tokens',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(PersonalToken) }),
});

export const createPersonalToken = endpoint({
  name: 'createPersonalToken',
  summary: 'Makes a personal access token with some abilities, for 1 to 365 days. Its secret is shown this once.',
  method: 'POST',
  path: '/api/user/tokens',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({
    name: TokenName,
    abilities: z.array(z.enum(ABILITIES)).check(
      z.minLength(1, 'Choose what it may be used for.'),
      z.maxLength(ABILITIES.length),
      z.refine((abilities) => new Set(abilities).size === abilities.length),
    ),
    expires_in_days: z._default(z.int().check(z.gte(1), z.lte(LONGEST_TOKEN_DAYS)), USUAL_TOKEN_DAYS),
  }),
  status: 201,
  reply: z.object({ access_token: PersonalToken, plain_text_token: z.string() }),
});

export const revokePersonalToken = endpoint({
  name: 'revokePersonalToken',
  summary: 'Takes the force of a personal access token of mine, at once.',
  method: 'DELETE',
  path: '/api/user/tokens/{token}',
  access: 'signed-in',
  params: z.strictObject({ token: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const revokePersonalTokens = endpoint({
  name: 'revokePersonalTokens',
  summary: 'Takes the force of all my personal access tokens, at once.',
  method: 'DELETE',
  path: '/api/user/tokens',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const personalTokenEndpoints = [
  listPersonalTokens,
  createPersonalToken,
  revokePersonalToken,
  revokePersonalTokens,
] as const;
