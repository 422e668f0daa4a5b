import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A real OpenID provider on the loopback, with pages of its own; who signs in as `staff-1` has this address. */
export interface OidcProviderProcess {
  readonly issuer: string;
  /** The settings of our server that make it known; see docs/configuration.md. */
  readonly settings: string;
  /** Begins to answer, for our server at this origin. */
  serve(baseUrl: string): void;
  close(): Promise<void>;
}

const CLIENT = { client_id: 'wardline', client_secret: 'a secret of the two, for journeys' } as const;

export async function startOidcProvider(email: string): Promise<OidcProviderProcess> {
  const http = createServer();
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    issuer,
    settings: JSON.stringify([{ id: 'hospital', label: 'St. Mary’s account', issuer, ...CLIENT }]),
    serve(baseUrl) {
      const provider = new Provider(issuer, {
        clients: [{ ...CLIENT, redirect_uris: [`${baseUrl}/api/sso/hospital/callback`], response_types: ['code'] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        cookies: { keys: ['a key of the provider’s cookies'] },
        pkce: { required: () => true },
        findAccount: (_ctx, accountId) => ({
          accountId,
          claims: () => ({ sub: accountId, email, email_verified: true }),
        }),
        // Nobody is asked whether a hospital's own program may know who they are.
        async loadExistingGrant(ctx) {
          const { client, session, provider: own } = ctx.oidc;
          const grant = new own.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
          grant.addOIDCScope('openid email profile');
          await grant.save();
          return grant;
        },
      });
      http.on('request', provider.callback());
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
