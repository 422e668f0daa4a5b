import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import {
  Email,
  GivenPassword,
  Id,
  Instant,
  NewPassword,
  NoContent,
  Nothing,
  OwnNewPassword,
  Status,
  Text,
} from '../values.ts';
import { User } from './auth.ts';

/** The secret of a link that was mailed or handed out: 32 random bytes in base64url. */
export const LinkToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'This link is incomplete.'));

export const PersonName = Text(1, 120);

interface PasswordTwice {
  readonly password: string;
  readonly password_confirmation: string;
}

/** Two fields that must agree; said at the first, as Laravel does, whatever else is wrong. */
export const sameTwice = z.refine<PasswordTwice>((body) => body.password === body.password_confirmation, {
  path: ['password'],
  when: () => true,
});

export const register = endpoint({
  name: 'register',
  summary: 'Asks for an account and mails the link that verifies the address. Answers the same for every address.',
  method: 'POST',
  path: '/register',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: z
    .strictObject({
      name: PersonName,
      email: Email,
      password: NewPassword,
      password_confirmation: z.string(),
      invitation: z.optional(LinkToken),
    })
    .check(sameTwice),
  status: 204,
  reply: NoContent,
});

export const forgotPassword = endpoint({
  name: 'forgotPassword',
  summary: 'Mails a link for a new password. Answers the same for every address.',
  method: 'POST',
  path: '/forgot-password',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ email: Email }),
  status: 200,
  reply: Status,
});

export const resetPassword = endpoint({
  name: 'resetPassword',
  summary: 'Sets the password by a mailed link and ends every session.',
  method: 'POST',
  path: '/reset-password',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: z
    .strictObject({ token: LinkToken, email: Email, password: OwnNewPassword, password_confirmation: z.string() })
    .check(sameTwice),
  status: 200,
  reply: Status,
});

export const sendVerification = endpoint({
  name: 'sendVerification',
  summary: 'Mails the verification link again.',
  method: 'POST',
  path: '/email/verification-notification',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Status,
});

export const verifyEmail = endpoint({
  name: 'verifyEmail',
  summary: 'Where the mailed link leads: verifies the address of who is signed in, else asks to sign in.',
  method: 'GET',
  path: '/verify-email/{id}/{hash}',
  access: 'public',
  params: z.strictObject({ id: Id, hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  query: z.strictObject({
    expires: z.optional(z.string().check(z.maxLength(20))),
    signature: z.optional(z.string().check(z.maxLength(128))),
  }),
  body: Nothing,
  status: 302,
  reply: z.object({ location: z.string() }),
});

/** What only the person sees of the own account. */
export const Account = z.object({
  email: z.string(),
  email_verified_at: z.nullable(Instant),
  /** The address that waits to be verified before it takes the place of `email`. */
  pending_email: z.nullable(z.string()),
  password_changed_at: z.nullable(Instant),
});
export type Account = z.infer<typeof Account>;

export const getAccount = endpoint({
  name: 'getAccount',
  summary: 'What only I see of my account.',
  method: 'GET',
  path: '/api/user/account',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Account,
});

export const updateProfile = endpoint({
  name: 'updateProfile',
  summary: 'Changes my name.',
  method: 'PATCH',
  path: '/api/user',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ name: PersonName }),
  status: 200,
  reply: User,
});

export const setAvatar = endpoint({
  name: 'setAvatar',
  summary: 'Sets my picture: JPEG, PNG or WebP, at most 5 MB, stored anew as a square of 512 px.',
  method: 'PUT',
  path: '/api/user/avatar',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  file: 'avatar',
  status: 200,
  reply: User,
});

export const removeAvatar = endpoint({
  name: 'removeAvatar',
  summary: 'Removes my picture.',
  method: 'DELETE',
  path: '/api/user/avatar',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: User,
});

export const changeEmail = endpoint({
  name: 'changeEmail',
  summary: 'Mails a link to a new address, which counts once it was followed.',
  method: 'PUT',
  path: '/api/user/email',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ email: Email, current_password: GivenPassword }),
  status: 200,
  reply: Account,
});

export const cancelEmailChange = endpoint({
  name: 'cancelEmailChange',
  summary: 'Forgets the new address that waits.',
  method: 'DELETE',
  path: '/api/user/email',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Account,
});

export const changePassword = endpoint({
  name: 'changePassword',
  summary: 'Sets a new password and ends every other session and token of mine.',
  method: 'PUT',
  path: '/api/user/password',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z
    .strictObject({ current_password: GivenPassword, password: OwnNewPassword, password_confirmation: z.string() })
    .check(sameTwice),
  status: 204,
  reply: NoContent,
});

/** A browser or an app that is signed in as me. */
export const Session = z.object({
  id: Id,
  kind: z.enum(['session', 'token']),
  /** The name of a token; null for a browser. */
  name: z.nullable(z.string()),
  /** What the browser said of itself. */
  user_agent: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  is_current: z.boolean(),
  /** On an own device, where it lasts 7 days. */
  remember: z.boolean(),
  created_at: Instant,
  last_active_at: z.nullable(Instant),
});
export type Session = z.infer<typeof Session>;

export const listSessions = endpoint({
  name: 'listSessions',
  summary: 'Where I am signed in, the latest first.',
  method: 'GET',
  path: '/api/user/sessions',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ data: z.array(Session) }),
});

export const endSession = endpoint({
  name: 'endSession',
  summary: 'Signs one of my browsers or apps out.',
  method: 'DELETE',
  path: '/api/user/sessions/{session}',
  access: 'signed-in',
  params: z.strictObject({ session: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  summary: 'Signs me out everywhere but here.',
  method: 'DELETE',
  path: '/api/user/sessions',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const contactOperator = endpoint({
  name: 'contactOperator',
  summary: 'Hands a message to the operator.',
  method: 'POST',
  path: '/api/contact',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ name: PersonName, email: Email, message: Text(1, 4000) }),
  status: 204,
  reply: NoContent,
});

export const accountEndpoints = [
  register,
  forgotPassword,
  resetPassword,
  sendVerification,
  verifyEmail,
  getAccount,
  updateProfile,
  changeEmail,
  cancelEmailChange,
  changePassword,
  listSessions,
  endSession,
  endOtherSessions,
] as const;

export const avatarEndpoints = [setAvatar, removeAvatar] as const;

export const contactEndpoints = [contactOperator] as const;
