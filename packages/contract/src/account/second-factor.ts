import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { GivenPassword, Instant, NoContent, Nothing, Text } from '../values.ts';

// The addresses below /user and /two-factor-challenge, and what they take and answer, are those of Laravel's Fortify. Where
// it answers an empty text, so may anybody else's back end.

/** Six digits of an authenticator app; people type them in groups. */
const TotpCode = Text(1, 20);

/** One of the codes that were handed out for the day on which the phone is lost. */
const RecoveryCode = Text(1, 64);

/** What somebody gives as second step: a code of the app, or a recovery code. */
const SecondStep = z.strictObject({
  code: z.optional(z.nullable(TotpCode)),
  recovery_code: z.optional(z.nullable(RecoveryCode)),
});
export type SecondStep = z.infer<typeof SecondStep>;

/** Fresh recovery codes, shown this once. Fortify says nothing here: its clients ask for them afterwards. */
const FreshCodes = z.catch(z.object({ recovery_codes: z.array(z.string()) }), { recovery_codes: [] });

export const answerTwoFactorChallenge = endpoint({
  name: 'answerTwoFactorChallenge',
  summary: 'The second step of a sign-in whose password was right: a code of the app, or a recovery code.',
  method: 'POST',
  path: '/two-factor-challenge',
  access: 'public',
  params: Nothing,
  query: Nothing,
  body: SecondStep,
  status: 204,
  reply: NoContent,
});

export const beginTwoFactor = endpoint({
  name: 'beginTwoFactor',
  summary: 'Makes a secret for an authenticator app, which counts once a code of it was given.',
  method: 'POST',
  path: '/user/two-factor-authentication',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ force: z.optional(z.unknown()) }),
  status: 200,
  reply: z.unknown(),
});

export const endTwoFactor = endpoint({
  name: 'endTwoFactor',
  summary: 'Removes the authenticator app, and with the last second factor the recovery codes.',
  method: 'DELETE',
  path: '/user/two-factor-authentication',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.unknown(),
});

export const confirmTwoFactor = endpoint({
  name: 'confirmTwoFactor',
  summary: 'Turns the authenticator app on by a code of it. Answers the recovery codes where there were none.',
  method: 'POST',
  path: '/user/confirmed-two-factor-authentication',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ code: TotpCode }),
  status: 200,
  reply: FreshCodes,
});

export const getTwoFactorQrCode = endpoint({
  name: 'getTwoFactorQrCode',
  summary: 'The secret that waits to be confirmed, as an address for authenticator apps and as a picture of it.',
  method: 'GET',
  path: '/user/two-factor-qr-code',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ svg: z.string(), url: z.string() }),
});

export const getTwoFactorSecret = endpoint({
  name: 'getTwoFactorSecret',
  summary: 'The secret that waits to be confirmed, for typing it in.',
  method: 'GET',
  path: '/user/two-factor-secret-key',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ secretKey: z.string() }),
});

export const listRecoveryCodes = endpoint({
  name: 'listRecoveryCodes',
  summary: 'The recovery codes, within ten minutes of their making and in the session that made them; later none.',
  method: 'GET',
  path: '/user/two-factor-recovery-codes',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.array(z.string()),
});

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  summary: 'Makes ten new recovery codes; the old ones count no more.',
  method: 'POST',
  path: '/user/two-factor-recovery-codes',
  access: 'signed-in',
  asksPassword: true,
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: FreshCodes,
});

export const confirmPassword = endpoint({
  name: 'confirmPassword',
  summary: 'Says who I am once more. What asks for that is open to this session for fifteen minutes.',
  method: 'POST',
  path: '/user/confirm-password',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({ password: GivenPassword }),
  status: 201,
  reply: z.unknown(),
});

export const getConfirmedPasswordStatus = endpoint({
  name: 'getConfirmedPasswordStatus',
  summary: 'Whether the password was confirmed within the last fifteen minutes, or so many seconds.',
  method: 'GET',
  path: '/user/confirmed-password-status',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({ seconds: z.optional(z.string().check(z.regex(/^\d{1,9}$/))) }),
  body: Nothing,
  status: 200,
  reply: z.object({ confirmed: z.boolean() }),
});

/** What an account has beside its password. */
export const SecondFactors = z.object({
  /** Since when an authenticator app counts; null without one. */
  totp_confirmed_at: z.nullable(Instant),
  recovery_codes_left: z.int().check(z.nonnegative()),
  /** A password this short is for an account with a second factor only. */
  has_short_password: z.boolean(),
});
export type SecondFactors = z.infer<typeof SecondFactors>;

export const getSecondFactors = endpoint({
  name: 'getSecondFactors',
  summary: 'What my account has beside its password.',
  method: 'GET',
  path: '/api/user/second-factors',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: SecondFactors,
});

export const secondFactorEndpoints = [
  answerTwoFactorChallenge,
  beginTwoFactor,
  endTwoFactor,
  confirmTwoFactor,
  getTwoFactorQrCode,
  getTwoFactorSecret,
  listRecoveryCodes,
  renewRecoveryCodes,
  confirmPassword,
  getConfirmedPasswordStatus,
  getSecondFactors,
] as const;
