import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Who signs in at the provider next, and what it says of them. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
  /** How they showed who they are. */
  readonly amr?: readonly string[];
}

export interface OidcCounterpart {
  readonly issuer: string;
  /** Whoever comes next is this person. */
  next: ProviderPerson;
  /** Begins to answer, for our server that takes people back at this address. */
  serve(redirectUri: string): void;
  /** What a browser of this person does from our server's address on; resolves to the path that it is sent back to. */
  visit(location: string): Promise<string>;
  close(): Promise<void>;
}

export const COUNTERPART_CLIENT = { client_id: 'wardline', client_secret: 'a secret of the two, for tests' } as const;

/** A real OpenID provider on the loopback, with the claims of a hospital's. Whoever is `next` is signed in at once. */
export async function startOidcCounterpart(): Promise<OidcCounterpart> {
  const http = createServer();
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  let takesBackAt = '';
  const counterpart: OidcCounterpart = {
    issuer,
    next: { sub: 'nobody' },
    serve(redirectUri) {
      takesBackAt = redirectUri;
      const provider = createProvider(issuer, { people, redirectUri });
      const answer = provider.callback();
      http.on('request', (request, response) => {
        const { next } = counterpart;
        if (!request.url?.startsWith('/ask/')) return void answer(request, response);
        people.set(next.sub, next);
        void provider.interactionFinished(request, response, { login: { accountId: next.sub } });
      });
    },
    visit: (location) => visit(location, takesBackAt),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return counterpart;
}

interface Served {
  readonly people: ReadonlyMap<string, ProviderPerson>;
  readonly redirectUri: string;
}

function createProvider(issuer: string, { people, redirectUri }: Served): Provider {
  return new Provider(issuer, {
    clients: [{ ...COUNTERPART_CLIENT, redirect_uris: [redirectUri], response_types: ['code'] }],
    claims: { openid: ['sub', 'groups', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the provider’s cookies'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ ...people.get(accountId), sub: accountId }),
    }),
    // Nobody is asked whether a hospital's own program may know who they are.
    async loadExistingGrant(ctx) {
      const { client, session, provider: own } = ctx.oidc;
      const grant = new own.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    interactions: { url: (_ctx, { uid }) => `/ask/${uid}` },
  });
}

/** Follows redirects with a browser's cookies, as far as the address of our server. */
async function visit(location: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = location;
  for (let steps = 0; steps < 10; steps++) {
    if (url.startsWith(redirectUri)) return url.slice(new URL(url).origin.length);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    url = new URL(next, url).href;
  }
  throw new Error('the provider leads in a circle');
}
