import * as z from 'zod/mini';

/** A path of this site, or false where the page stays as it is. */
const Target = z.union([z.string(), z.literal(false)]);

/** Degrees north, −90 to 90 inclusive. */
export const Latitude = z.number().check(z.gte(-90), z.lte(90));
/** Degrees east, −180 to 180 inclusive. */
export const Longitude = z.number().check(z.gte(-180), z.lte(180));

/** What the client reads from /config.json at start: public values only, so that one build serves any installation. */
export const ClientConfig = z.object({
  product_name: z.string().check(z.minLength(1)),
  /** Where the API answers; empty means the page's own origin. */
  base_url: z.string(),
  mode: z.enum(['cookie', 'token']),
  /** Whether a read that failed for a passing reason is asked once more. Writes never are. */
  retry: z._default(z.enum(['off', 'once']), 'once'),
  csrf: z.object({ cookie: z.string(), header: z.string() }),
  endpoints: z.object({
    csrf: z.string(),
    login: z.string(),
    logout: z.string(),
    user: z.string(),
    token: z.string(),
    broadcasting_auth: z.string(),
  }),
  redirect: z.object({
    on_login: Target,
    on_logout: Target,
    on_auth_only: Target,
    on_guest_only: Target,
    /** After a 401 in the middle of work: go to `on_auth_only`. */
    if_unauthenticated: z._default(z.boolean(), true),
  }),
  echo: z.object({
    /** 'reverb' or 'pusher'; anything else is refused with its name. */
    broadcaster: z.string(),
    key: z.string().check(z.minLength(1)),
    /** Empty means the page's own host and port. */
    host: z.string(),
    port: z.nullable(z.int().check(z.gte(1), z.lte(65_535))),
    scheme: z.enum(['http', 'https', 'page']),
    transports: z._default(z.array(z.enum(['ws', 'wss'])).check(z.minLength(1)), ['ws', 'wss']),
    namespace: z.string(),
  }),
  icons: z._default(
    z.object({
      /** Where icon data is asked for, in this order; each answers `{host}/{collection}.json?icons=a,b`. */
      hosts: z.array(z.string()),
    }),
    { hosts: ['/icons/_nuxt_icon'] },
  ),
  images: z._default(
    z.object({
      /** The one origin whose images go through the proxy; empty means only this site's own. */
      media_host: z.string(),
    }),
    { media_host: '' },
  ),
  /** Seconds between two looks for a newer build; 0 means never. */
  build_check_interval_s: z._default(z.number().check(z.gte(0), z.lte(86_400)), 3600),
  /** Whether anybody may ask for an account, or only who was invited. */
  sign_up: z._default(z.enum(['open', 'invitation']), 'invitation'),
  /** How the operator is reached, shown on the page of contacts. */
  contact: z._default(
    z.object({
      email: z.nullable(z.string()),
      latitude: z.nullable(Latitude),
      longitude: z.nullable(Longitude),
    }),
    { email: null, latitude: null, longitude: null },
  ),
  /** Only where a Firestore back end is used. */
  firestore: z.optional(
    z.object({
      /** At least 1,048,576 bytes, or −1 for no limit. */
      cache_size_bytes: z._default(
        z.int().check(z.refine((size) => size === -1 || size >= 1_048_576, 'at least 1048576, or -1')),
        41_943_040,
      ),
      long_polling_timeout_s: z.optional(z.number().check(z.gte(5), z.lte(30))),
    }),
  ),
});
export type ClientConfig = z.infer<typeof ClientConfig>;
