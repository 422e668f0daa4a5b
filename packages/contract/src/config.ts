import * as z from 'zod/mini';

// What is allowed is said in words in config-texts.ts, which is only loaded when something is wrong.

/** A group of settings that may be left out as a whole when each of them may. */
function group<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.prefault(z.object(shape), {} as never);
}

function text(form: RegExp, byDefault: string) {
  return z._default(z.string().check(z.regex(form)), byDefault);
}

/** An address of the back end below `base_url`. An empty one is missed when it is needed (CFG-3). */
const Address = (byDefault: string) => text(/^(\/(?![/\\])[^\s\\]*)?$/, byDefault);

/** A path of this site, or false where the page stays as it is. */
const Target = (byDefault: string) =>
  z._default(z.union([z.string().check(z.regex(/^\/(?![/\\])[^\s\\]*$/)), z.literal(false)]), byDefault);

const Origin = text(/^(https?:\/\/[^\s/?#]+)?$/, '');

/** Degrees north, −90 to 90 inclusive. */
export const Latitude = z.number().check(z.gte(-90), z.lte(90));
/** Degrees east, −180 to 180 inclusive. */
export const Longitude = z.number().check(z.gte(-180), z.lte(180));

const Shape = z.object({
  product_name: z._default(z.string().check(z.minLength(1)), 'Wardline'),
  /** Where the API answers; empty means the page's own origin. */
  base_url: text(/^(https?:\/\/[^\s?#]+)?$/, ''),
  mode: z._default(z.enum(['cookie', 'token']), 'cookie'),
  /** Whether a read that failed for a passing reason is asked once more. Writes never are. */
  retry: z._default(z.enum(['off', 'once']), 'once'),
  csrf: group({
    cookie: text(/^[^\s;=]*$/, 'XSRF-TOKEN'),
    header: text(/^[\w-]*$/, 'X-XSRF-TOKEN'),
  }),
  endpoints: group({
    csrf: Address('/sanctum/csrf-cookie'),
    login: Address('/login'),
    logout: Address('/logout'),
    user: Address('/api/user'),
    token: Address('/api/tokens'),
    register: Address('/register'),
    forgot_password: Address('/forgot-password'),
    reset_password: Address('/reset-password'),
    verification_notification: Address('/email/verification-notification'),
    /** Mailed links lead below it. No page asks for it: it is for the proxy before them (back-end-addresses.ts). */
    verify_email: Address('/verify-email'),
    /** Where the key of what is kept on a device comes from; empty where the back end has none, and the device makes one. */
    device_key: Address(''),
    broadcasting_auth: Address('/broadcasting/auth'),
    broadcasting_user_auth: Address('/broadcasting/user-auth'),
  }),
  redirect: group({
    on_login: Target('/dashboard'),
    on_logout: Target('/sign-in'),
    on_auth_only: Target('/sign-in'),
    on_guest_only: Target('/dashboard'),
    /** After a 401 in the middle of work: go to `on_auth_only`. */
    if_unauthenticated: z._default(z.boolean(), true),
  }),
  echo: group({
    broadcaster: z._default(z.enum(['reverb', 'pusher']), 'reverb'),
    key: z.string().check(z.minLength(1)),
    /** Empty means the page's own host and port. */
    host: text(/^([\w.-]*|\[[\da-f:.]+\])$/i, ''),
    port: z._default(z.nullable(z.int().check(z.gte(1), z.lte(65_535))), null),
    scheme: z._default(z.enum(['http', 'https', 'page']), 'page'),
    transports: z._default(z.array(z.enum(['ws', 'wss'])).check(z.minLength(1)), ['ws', 'wss']),
    namespace: z._default(z.string(), 'App.Events'),
  }),
  icons: group({
    /** Where icon data is asked for, in this order; each answers `{host}/{collection}.json?icons=a,b`. */
    hosts: z._default(z.array(z.string().check(z.regex(/^(https?:\/\/[^\s/]|\/(?!\/))\S*$/))), ['/icons/_nuxt_icon']),
  }),
  images: group({
    /** The one origin whose images go through the proxy; empty means only this site's own. */
    media_host: Origin,
  }),
  /** Whether the back end has the addresses of contract/passkeys.ts; all that belongs to them is hidden otherwise. */
  passkeys: group({ is_offered: z._default(z.boolean(), false) }),
  /** At which providers one may sign in, by the addresses of contract/single-sign-on.ts. */
  sso: z._default(z.array(z.object({ id: z.string(), label: z.string() })), []),
  notifications: group({
    /** Whether the back end has the addresses of contract/notifications.ts; all that belongs to it is hidden otherwise. */
    is_offered: z._default(z.boolean(), false),
    /** The VAPID key that browsers subscribe with; empty where nobody is told by push. */
    push_key: text(/^([A-Za-z0-9_-]{87})?$/, ''),
  }),
  /** False where no mail server is set: what is mailed reaches no one, and pages that promise a mail say so. */
  mail: group({ is_sent: z._default(z.boolean(), true) }),
  /** Seconds between two looks for a newer build; 0 means never. */
  build_check_interval_s: z._default(z.number().check(z.gte(0), z.lte(86_400)), 3600),
  /** Whether anybody may ask for an account, or only who was invited. */
  sign_up: z._default(z.enum(['open', 'invitation']), 'invitation'),
  /** How the operator is reached, shown on the page of contacts. */
  contact: group({
    email: z._default(z.nullable(z.string()), null),
    latitude: z._default(z.nullable(Latitude), null),
    longitude: z._default(z.nullable(Longitude), null),
  }),
  /** Only where a Firestore back end is used. */
  firestore: z.optional(
    z.object({
      /** At least 1,048,576 bytes, or −1 for no limit. */
      cache_size_bytes: z._default(z.int().check(z.refine((size) => size === -1 || size >= 1_048_576)), 41_943_040),
      long_polling_timeout_s: z.optional(z.number().check(z.gte(5), z.lte(30))),
    }),
  ),
});
export type ClientConfig = z.infer<typeof Shape>;

/** What our server puts before the CSRF token of a guest, so that a page need not ask who that is. */
export const GUEST_TOKEN = 'guest.';

/** True for a value that is named and left empty; what is not named at all has its default. */
export function isLeftEmpty(value: unknown): boolean {
  return value === null || value === '';
}

/** A rule over several keys; asked also when others are wrong, so that all is said at once. */
function rule(group: string, key: string, holds: (config: ClientConfig) => boolean) {
  const when = ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null;
  return z.refine<ClientConfig>(holds, { path: [group, key], when });
}

/** What the client reads from /config.json at start: public values only, so that one build serves any installation. */
export const ClientConfig = Shape.check(
  rule('csrf', 'cookie', ({ mode, csrf }) => mode !== 'cookie' || !isLeftEmpty(csrf?.cookie)),
  rule('csrf', 'header', ({ mode, csrf }) => mode !== 'cookie' || !isLeftEmpty(csrf?.header)),
  rule('endpoints', 'user', ({ endpoints }) => !isLeftEmpty(endpoints?.user)),
  rule('echo', 'scheme', ({ echo }) => echo?.broadcaster !== 'pusher' || echo.scheme !== 'http'),
);
