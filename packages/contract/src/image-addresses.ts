import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Nothing } from './values.ts';

/** How many addresses one request may have signed. */
export const SIGNED_AT_ONCE = 100;

export const signImages = endpoint({
  name: 'signImages',
  summary: 'Addresses of the image proxy that need no cookie and no token for a minute; null for what may not be seen.',
  method: 'POST',
  path: '/api/image-addresses',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  /** `/_img/{modifiers}/{path}`, encoded as it will be asked for. */
  body: z.strictObject({
    addresses: z.array(z.string().check(z.maxLength(2048))).check(z.minLength(1), z.maxLength(SIGNED_AT_ONCE)),
  }),
  status: 200,
  reply: z.object({
    /** In the order of the request. */
    addresses: z.array(z.nullable(z.string())),
    /** Seconds for which they hold. */
    expires_in_s: z.int(),
  }),
});

export const imageEndpoints = [signImages] as const;
