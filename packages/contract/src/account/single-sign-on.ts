import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Instant, NoContent, Nothing } from '../values.ts';

/** The id of a provider in the installation's settings. */
const ProviderId = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,31}$/));
const OfProvider = z.strictObject({ provider: ProviderId });

/** A path of this site to go to afterwards; any other address is refused. */
export const ReturnPath = z
  .string()
  .check(z.maxLength(500), z.regex(/^\/(?![/\\])[^\s\\\p{Cc}]*$/u, 'This is not a path of this site.'));

/** Where the browser has to go: the provider's own page. */
const Leave = z.object({ location: z.string() });

export const beginSingleSignOn = endpoint({
  name: 'beginSingleSignOn',
  summary: 'Where this browser signs in at a provider of the installation; good for ten minutes and once.',
  method: 'POST',
  path: '/api/sso/{provider}',
  access: 'public',
  params: OfProvider,
  query: Nothing,
  body: z.strictObject({ redirect: z.optional(ReturnPath), remember: z.optional(z.boolean()) }),
  status: 200,
  reply: Leave,
});

export const finishSingleSignOn = endpoint({
  name: 'finishSingleSignOn',
  summary: 'Where a provider sends the browser back to: signs in, links, confirms or opens the screen, as was begun.',
  method: 'GET',
  path: '/api/sso/{provider}/callback',
  access: 'public',
  params: OfProvider,
  // Providers add what they like; what is read is read by hand.
  query: z.looseObject({}),
  body: Nothing,
  status: 302,
  reply: Leave,
});

export const beginProviderLink = endpoint({
  name: 'beginProviderLink',
  summary: 'Where I show which account at a provider is mine, so that it signs me in from then on.',
  method: 'POST',
  path: '/api/user/sso/{provider}/link',
  access: 'signed-in',
  asksPassword: true,
  params: OfProvider,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Leave,
});

export const beginProviderConfirmation = endpoint({
  name: 'beginProviderConfirmation',
  summary:
    'Where I say who I am once more, at a provider: in the place of the password, or to open the covered screen.',
  method: 'POST',
  path: '/api/user/sso/{provider}/confirm',
  access: 'signed-in',
  params: OfProvider,
  query: Nothing,
  body: z.strictObject({ purpose: z.enum(['confirm', 'unlock']) }),
  status: 200,
  reply: Leave,
});

export const ProviderLink = z.object({
  provider: z.string(),
  label: z.string(),
  /** Null where no account at this provider is mine. */
  linked_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
});
export type ProviderLink = z.infer<typeof ProviderLink>;

export const listProviderLinks = endpoint({
  name: 'listProviderLinks',
  summary: 'The providers of the installation, and at which I have shown an account.',
  method: 'GET',
  path: '/api/user/sso',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(ProviderLink) }),
});

export const removeProviderLink = endpoint({
  name: 'removeProviderLink',
  summary: 'Takes the force of my account at a provider, and with it the roles that its groups gave.',
  method: 'DELETE',
  path: '/api/user/sso/{provider}',
  access: 'signed-in',
  asksPassword: true,
  params: OfProvider,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

/** Why a way to a provider and back has led to nothing; it stands behind `#sso=` in the address one is led to. */
export const SSO_FAILURES = [
  'denied',
  'expired',
  'provider',
  'unreachable',
  'unverified',
  'account_unverified',
  'conflict',
  'no_account',
  'other_person',
  'not_again',
] as const;
export type SsoFailure = (typeof SSO_FAILURES)[number];

export const singleSignOnEndpoints = [
  beginSingleSignOn,
  finishSingleSignOn,
  beginProviderLink,
  beginProviderConfirmation,
  listProviderLinks,
  removeProviderLink,
] as const;
