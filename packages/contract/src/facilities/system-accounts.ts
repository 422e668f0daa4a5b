import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, Nothing, Page, Text } from '../values.ts';

export const DISABLE_REASON_MAX = 300;

/** An account as the system administrator sees it: whose it is and what it may, never what it wrote or read. */
export const SystemAccount = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  is_operator: z.boolean(),
  /** Null while the account may sign in. */
  disabled: z.nullable(z.object({ at: Instant, reason: z.nullable(z.string()) })),
  facilities: z.array(z.object({ id: Id, name: z.string(), roles: z.array(z.string()) })),
  /** About when the account was used last, by UTC days; null where that is a week or longer ago. */
  last_seen: z.nullable(z.enum(['now', 'hour', 'today', 'yesterday', 'week'])),
  /** True of an account from this week that nobody has used yet. Left out by an older server. */
  is_unused: z.optional(z.boolean()),
  second_factors: z.object({ app: z.boolean(), passkeys: z.int(), providers: z.int() }),
  /** Browsers and apps that are signed in. */
  open_sessions: z.int(),
});
export type SystemAccount = z.infer<typeof SystemAccount>;

export const listAccounts = endpoint({
  name: 'listAccounts',
  summary: 'The accounts of the installation by name; `q` is a part of the name or the address.',
  method: 'GET',
  path: '/api/system/accounts',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery), q: z.optional(Text(0, 80)) }),
  body: Nothing,
  status: 200,
  reply: Page(SystemAccount),
});

/** What each act on an account of somebody else has in common. */
const act = {
  access: 'signed-in',
  asksPassword: true,
  params: z.strictObject({ user: Id }),
  query: Nothing,
} as const;

export const disableAccount = endpoint({
  ...act,
  name: 'disableAccount',
  summary: 'Lets an account sign in no more and ends all that is signed in, at once. Not one’s own.',
  method: 'PUT',
  path: '/api/system/accounts/{user}/disabled',
  body: z.strictObject({ reason: Text(3, DISABLE_REASON_MAX) }),
  status: 200,
  reply: SystemAccount,
});

export const enableAccount = endpoint({
  ...act,
  name: 'enableAccount',
  summary: 'Lets a disabled account sign in again.',
  method: 'DELETE',
  path: '/api/system/accounts/{user}/disabled',
  body: Nothing,
  status: 200,
  reply: SystemAccount,
});

export const endAccountSessions = endpoint({
  ...act,
  name: 'endAccountSessions',
  summary: 'Signs an account out everywhere, at once.',
  method: 'DELETE',
  path: '/api/system/accounts/{user}/sessions',
  body: Nothing,
  status: 200,
  reply: SystemAccount,
});

export const resetSecondFactors = endpoint({
  ...act,
  name: 'resetSecondFactors',
  summary: 'For whom has lost every second factor: removes them, the recovery codes and all that is signed in.',
  method: 'DELETE',
  path: '/api/system/accounts/{user}/second-factors',
  body: Nothing,
  status: 200,
  /** True where the password was too short to stand alone: a new one is set by the link of a mail. */
  reply: z.object({ account: SystemAccount, loses_password: z.boolean() }),
});

export const addOperator = endpoint({
  ...act,
  name: 'addOperator',
  summary: 'Makes somebody a system administrator.',
  method: 'PUT',
  path: '/api/system/accounts/{user}/operator',
  body: Nothing,
  status: 200,
  reply: SystemAccount,
});

export const removeOperator = endpoint({
  ...act,
  name: 'removeOperator',
  summary: 'Takes the system administration from somebody else, at once.',
  method: 'DELETE',
  path: '/api/system/accounts/{user}/operator',
  body: Nothing,
  status: 200,
  reply: SystemAccount,
});

export const systemAccountEndpoints = [
  listAccounts,
  disableAccount,
  enableAccount,
  endAccountSessions,
  resetSecondFactors,
  addOperator,
  removeOperator,
] as const;
