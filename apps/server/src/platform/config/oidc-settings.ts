import * as z from 'zod/mini';

// Single sign-on (ACC-4): which OpenID providers people may sign in at, and what their groups mean here.

const Word = (most: number) =>
  z.string().check(z.trim(), z.minLength(1, 'is missing'), z.maxLength(most, 'is too long'));

const Issuer = z
  .string()
  .check(
    z.refine(
      isIssuer,
      'is not an address such as https://login.hospital.example/realms/staff (http only on this machine)',
    ),
  );

/** A role of a facility, by the facility's code and the role's name. */
const GivenRole = z.strictObject({
  facility: z.string().check(z.regex(/^[A-Z0-9]{2,4}$/, 'is not the code of a facility')),
  role: Word(80),
});
export type GivenRole = z.output<typeof GivenRole>;

const Provider = z
  .strictObject({
    /** Stands in addresses, for ever: the provider knows them. */
    id: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is not an id of letters a-z, digits and dashes')),
    label: Word(40),
    issuer: Issuer,
    client_id: Word(255),
    client_secret: z.optional(Word(512)),
    scopes: z._default(
      z.string().check(z.regex(/^openid( [!-~]+)*$/, 'has to begin with openid')),
      'openid email profile',
    ),
    email_verified_claim: z._default(Word(100), 'email_verified'),
    groups_claim: z._default(Word(100), 'groups'),
    groups: z._default(z.record(Word(255), z.array(GivenRole).check(z.maxLength(50, 'is too long'))), {}),
    create_accounts: z._default(z.boolean('is not true or false'), false),
    second_factor_amr: z._default(z.array(Word(100)), []),
    second_factor_acr: z._default(z.array(Word(255)), []),
  })
  .check(
    z.refine(
      ({ client_secret: secret }) => secret === undefined || secret.length >= 8,
      'has a secret that is too short',
    ),
  );
export type OidcProvider = z.output<typeof Provider>;

const MOST_PROVIDERS = 5;

const Providers = z.array(Provider, 'is not a list of providers').check(
  z.maxLength(MOST_PROVIDERS, `has more than ${MOST_PROVIDERS} providers`),
  z.refine((all) => isUnique(all, ({ id }) => id), 'names an id twice'),
  z.refine((all) => isUnique(all, ({ issuer }) => issuer), 'names an issuer twice'),
);

/** A list of providers as JSON. What is wrong is named by its place, and never repeated: there are secrets in it. */
export const OidcProviders = z.pipe(
  z.string().check(z.refine(isJson, 'is not JSON')),
  z.pipe(
    z.transform((text: string): unknown => (isJson(text) ? JSON.parse(text) : [])),
    Providers,
  ),
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  if (username !== '' || search !== '' || hash !== '' || /[?#\s]/.test(text)) return false;
  return protocol === 'https:' || (protocol === 'http:' && isHere(hostname));
}

function isHere(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function isUnique<Item>(items: readonly Item[], key: (item: Item) => string): boolean {
  return new Set(items.map(key)).size === items.length;
}
