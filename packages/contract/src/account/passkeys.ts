import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { GivenPassword, Id, Instant, keyed, NoContent, Nothing, Text } from '../values.ts';

/** What a browser and the server say to each other of WebAuthn, as its own JSON; the server's library reads it. */
const WebAuthn = keyed(z.unknown()).check(z.refine((given) => Object.keys(given).every((key) => key.length <= 100)));

/** How somebody calls a passkey: 'Work phone'. */
const PasskeyName = Text(1, 80);

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: Instant,
  last_used_at: z.nullable(Instant),
});
export type Passkey = z.infer<typeof Passkey>;

export const listPasskeys = endpoint({
  name: 'listPasskeys',
  summary: 'My passkeys, the oldest first.',
  method: 'GET',
  path: '/api/user/passkeys',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(Passkey) }),
});

export const beginPasskey = endpoint({
  name: 'beginPasskey',
  summary: 'What a browser makes a passkey of: a challenge for this session, good for five minutes and once.',
  method: 'POST',
  path: '/api/user/passkeys/options',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: WebAuthn,
});

export const createPasskey = endpoint({
  name: 'createPasskey',
  summary: 'Keeps the passkey that a browser made.',
  method: 'POST',
  path: '/api/user/passkeys',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ name: PasskeyName, credential: WebAuthn }),
  status: 201,
  reply: Passkey,
});

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  summary: 'Calls a passkey of mine something else.',
  method: 'PUT',
  path: '/api/user/passkeys/{passkey}',
  access: 'signed-in',
  params: z.strictObject({ passkey: Id }),
  query: Nothing,
  body: z.strictObject({ name: PasskeyName }),
  status: 200,
  reply: Passkey,
});

export const removePasskey = endpoint({
  name: 'removePasskey',
  summary: 'Takes the force of a passkey of mine.',
  method: 'DELETE',
  path: '/api/user/passkeys/{passkey}',
  access: 'signed-in',
  asksPassword: true,
  params: z.strictObject({ passkey: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const beginPasskeySignIn = endpoint({
  name: 'beginPasskeySignIn',
  summary: 'A challenge for this browser to sign in with any passkey, good for five minutes and once.',
  method: 'POST',
  path: '/api/passkeys/options',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: WebAuthn,
});

export const signInWithPasskey = endpoint({
  name: 'signInWithPasskey',
  summary: 'Signs in with a passkey, without a password or in the place of the second step.',
  method: 'POST',
  path: '/api/passkeys/sign-in',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ credential: WebAuthn, remember: z.optional(z.boolean()) }),
  status: 204,
  reply: NoContent,
});

export const beginPasskeyConfirmation = endpoint({
  name: 'beginPasskeyConfirmation',
  summary: 'A challenge for a passkey of mine, good for five minutes and once.',
  method: 'POST',
  path: '/api/user/passkeys/confirm/options',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: WebAuthn,
});

export const confirmWithPasskey = endpoint({
  name: 'confirmWithPasskey',
  summary:
    'Says who I am once more, with a passkey: in the place of the password, and as second factor of this session.',
  method: 'POST',
  path: '/api/user/passkeys/confirm',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ credential: WebAuthn }),
  status: 201,
  reply: z.unknown(),
});

export const unlockScreen = endpoint({
  name: 'unlockScreen',
  summary:
    'Opens the covered screen of a shared device, by password, passkey or what a provider has just confirmed. What asks for the password asks as before.',
  method: 'POST',
  path: '/api/user/unlock',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({
    password: z.optional(GivenPassword),
    credential: z.optional(WebAuthn),
    /** A provider has asked who is here within the last minute, in this browser. */
    by_provider: z.optional(z.literal(true)),
  }),
  status: 204,
  reply: NoContent,
});

export const passkeyEndpoints = [
  listPasskeys,
  beginPasskey,
  createPasskey,
  renamePasskey,
  removePasskey,
  beginPasskeySignIn,
  signInWithPasskey,
  beginPasskeyConfirmation,
  confirmWithPasskey,
  unlockScreen,
] as const;
