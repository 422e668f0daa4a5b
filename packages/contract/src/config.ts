import * as z from 'zod/mini';

/** What the client reads from /config.json at start: public values only, so that one build serves any installation. */
export const ClientConfig = z.object({
  product_name: z.string().check(z.minLength(1)),
  /** Where the API answers; empty means the page's own origin. */
  base_url: z.string(),
  mode: z.enum(['cookie', 'token']),
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
    on_login: z.string(),
    on_logout: z.string(),
    on_auth_only: z.string(),
    on_guest_only: z.string(),
  }),
  echo: z.object({
    broadcaster: z.enum(['pusher', 'reverb']),
    key: z.string().check(z.minLength(1)),
    /** Empty means the page's own host and port. */
    host: z.string(),
    port: z.nullable(z.int()),
    scheme: z.enum(['http', 'https', 'page']),
    namespace: z.string(),
  }),
});
export type ClientConfig = z.infer<typeof ClientConfig>;
