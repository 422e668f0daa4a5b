import * as oidc from 'openid-client';
import type { OidcProvider } from '#/platform/config/oidc-settings.ts';
import { createProviderFetch } from './provider-fetch.ts';

/** What one goes to a provider with, and proves on the way back. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Return {
  /** What the provider put into the address, as it came. */
  readonly query: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
  /** The provider has to say when it asked. */
  readonly isAnew: boolean;
}

export interface Provider extends OidcProvider {
  /** Where the browser goes. Throws where the provider does not answer. */
  authorizationUrl(secrets: Secrets, options: { readonly isAnew: boolean }): Promise<URL>;
  /** Takes the code to the provider; resolves to what it says of the person, checked. Throws whatever is wrong. */
  redeem(returned: Return): Promise<Claims>;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

export interface Providers {
  readonly all: readonly Provider[];
  find(id: string): Provider | undefined;
}

const TIMEOUT_S = 6;
/** Keys are looked up anew by the library when one is not known; endpoints hardly ever change. */
const KEPT_MS = 60 * 60_000;
/** Of the two clocks, either way. */
export const CLOCK_TOLERANCE_S = 60;
/** Sent with `max_age=0`: how old the answer may be is told from when it was asked for. */
const ANEW_MAX_AGE_S = 15 * 60;

/** Nothing is asked of a provider before somebody wants to go there: one that is down keeps nothing from starting. */
export function createProviders(settings: readonly OidcProvider[], publicUrl: () => string): Providers {
  const all = settings.map((provider) => createProvider(provider, publicUrl));
  return { all, find: (id) => all.find((provider) => provider.id === id) };
}

function createProvider(settings: OidcProvider, publicUrl: () => string): Provider {
  const discover = keepFor(KEPT_MS, () => discoverProvider(settings));
  const callback = () => new URL(`/api/sso/${settings.id}/callback`, publicUrl());
  return {
    ...settings,
    async authorizationUrl({ state, nonce, verifier }, { isAnew }) {
      return oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: callback().href,
        scope: settings.scopes,
        response_mode: 'query',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...{ state, nonce },
        ...(isAnew && { prompt: 'login', max_age: '0' }),
      });
    },
    async redeem({ query, secrets, isAnew }) {
      const config = await discover();
      const url = callback();
      url.search = new URLSearchParams(query).toString();
      const tokens = await oidc.authorizationCodeGrant(config, url, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
        ...(isAnew && { maxAge: ANEW_MAX_AGE_S }),
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('a provider gave no ID token');
      const isWhole = 'email' in claims && settings.email_verified_claim in claims && settings.groups_claim in claims;
      if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Most say no more than who it is in the token itself.
      return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
    },
  };
}

/** What a provider says of itself. Throws where it does not answer, or as another than the issuer. */
export async function discoverProvider(settings: OidcProvider): Promise<oidc.Configuration> {
  const { issuer, client_id: clientId, client_secret: secret } = settings;
  const execute = [oidc.enableNonRepudiationChecks];
  return oidc.discovery(
    new URL(issuer),
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
    secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret),
    {
      timeout: TIMEOUT_S,
      execute: issuer.startsWith('http:') ? [...execute, oidc.allowInsecureRequests] : execute,
      [oidc.customFetch]: createProviderFetch(issuer),
    },
  );
}

/** One answer for all who ask within the time; a failure is not kept. */
function keepFor<Value>(ms: number, load: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly until: number } | null = null;
  return () => {
    if (kept !== null && performance.now() < kept.until) return kept.value;
    const value = load();
    const loading = { value, until: performance.now() + ms };
    kept = loading;
    value.catch(() => {
      if (kept === loading) kept = null;
    });
    return value;
  };
}
