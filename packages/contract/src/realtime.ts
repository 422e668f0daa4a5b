import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Nothing } from './values.ts';

const SocketId = z.string().check(z.regex(/^\d{1,20}\.\d{1,20}$/, 'This is not a socket id.'));

export const authorizeChannel = endpoint({
  name: 'authorizeChannel',
  summary: 'Signs a socket in to a private, presence or encrypted channel. Takes JSON or a form.',
  method: 'POST',
  path: '/broadcasting/auth',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  /** Not strict: realtime clients send along what their user tells them to. */
  body: z.object({ socket_id: SocketId, channel_name: z.string().check(z.minLength(1), z.maxLength(200)) }),
  status: 200,
  reply: z.object({ auth: z.string(), channel_data: z.optional(z.string()), shared_secret: z.optional(z.string()) }),
});

export const authorizeUser = endpoint({
  name: 'authorizeUser',
  summary: 'Signs the person in on a socket. Takes JSON or a form.',
  method: 'POST',
  path: '/broadcasting/user-auth',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.object({ socket_id: SocketId }),
  status: 200,
  reply: z.object({ auth: z.string(), user_data: z.string() }),
});

export const realtimeEndpoints = [authorizeChannel, authorizeUser] as const;
