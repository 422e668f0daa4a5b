import { randomBytes } from 'node:crypto';
import { ABILITIES } from '@wardline/contract/account/personal-tokens.ts';
import { Email, Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { issueResetLink } from './account/account-queries.ts';
import { findAccount } from './account/credential-queries.ts';
import type { Links } from './account/links.ts';
import { ACCOUNT_CHANGES } from './administration/account-changes.ts';
import { findAddressToVerify } from './email/email-change-queries.ts';
import type { Mails, MailText } from './mails.ts';
import type { Registration } from './registration/followed-registration.ts';
import { FACTOR_CHANGES } from './second-factor/second-factor-queries.ts';

export interface JobDeps {
  readonly links: Links;
  readonly mailer: Mailer;
  readonly mails: Mails;
  /** Nobody goes on in this process as somebody whose sessions have all ended. */
  readonly signedOut: (userId: string) => void;
}

type JobContext = Parameters<JobHandler>[1];

const OfUser = z.object({ user_id: Id });
const OfFactor = z.object({ change: z.enum(FACTOR_CHANGES) });
const OfToken = z.object({ abilities: z.array(z.enum(ABILITIES)) });
const OfAccount = z.object({ email: Email, change: z.enum(ACCOUNT_CHANGES) });
const OfRegistration = z.object({ registration_id: Id });
const OfAddress = z.object({ email: Email });
const OfChange = z.object({ old_email: Email });

/** Mails about one registration of an address; more of them within the hour are not mailed. */
const REGISTRATION_MAILS_PER_HOUR = 3;

/** Everything that is mailed. What an address is known for is looked up here, after the answer was given (A3). */
export function createJobHandlers(parts: JobDeps): Readonly<Record<string, JobHandler>> {
  const { links, mailer, mails } = parts;
  const toUser = async (payload: unknown, { db }: JobContext, text: MailText) => {
    const email = await findEmail(db, OfUser.parse(payload).user_id);
    if (email !== undefined) await mailer.send({ to: email, ...text });
  };
  return {
    'auth.registered': async (payload, { db }) => {
      const registration = await findRegistrationToMail(db, OfRegistration.parse(payload).registration_id);
      if (!registration || registration.earlier >= REGISTRATION_MAILS_PER_HOUR) return;
      await mailer.send({ to: registration.email, ...aboutRegistration(parts, registration) });
    },
    'auth.forgot_password': (payload, context) => mailResetLink(parts, context, OfAddress.parse(payload).email),
    'auth.password_changed': (payload, context) =>
      toUser(payload, context, mails.passwordChanged(links.forgotPassword())),
    'auth.second_factor': (payload, context) => {
      const text = mails.secondFactorChanged(OfFactor.parse(payload).change, links.forgotPassword());
      return toUser(payload, context, text);
    },
    'auth.token_made': (payload, context) =>
      toUser(payload, context, mails.tokenMade(OfToken.parse(payload).abilities, links.forgotPassword())),
    'auth.account_changed': (payload) => {
      const { email, change } = OfAccount.parse(payload);
      return mailer.send({ to: email, ...mails.accountChanged(change) });
    },
    // Ended from outside this process, which may still have sockets under them.
    'auth.sessions_ended': async (payload) => parts.signedOut(OfUser.parse(payload).user_id),
    'auth.verification': async (payload, { db }) => {
      const address = await findAddressToVerify(db, OfUser.parse(payload).user_id);
      if (!address) return;
      const { user_id: id, email, expires_at: expiresAt, is_taken: isTaken } = address;
      const text = isTaken ? mails.addressTaken() : mails.verifyAddress(links.verifyEmail({ id, email, expiresAt }));
      await mailer.send({ to: email, ...text });
    },
    'auth.email_change_asked': (payload, context) =>
      toUser(payload, context, mails.addressChangeAsked(links.forgotPassword())),
    'auth.account_deleted': (payload) =>
      mailer.send({ to: OfChange.parse(payload).old_email, ...mails.accountDeleted() }),
    'auth.email_changed': (payload) =>
      mailer.send({ to: OfChange.parse(payload).old_email, ...mails.addressChanged() }),
  };
}

function aboutRegistration({ links, mails }: JobDeps, registration: RegistrationToMail): MailText {
  const { id, email, expires_at: expiresAt, has_account: hasAccount, facility_name: facilityName } = registration;
  const link = links.verifyEmail({ id, email, expiresAt });
  if (!hasAccount) return mails.confirmAddress(link);
  return facilityName === null ? mails.accountExists(links.signIn()) : mails.joinWithAccount({ link, facilityName });
}

/** Three an hour for one account; one that nobody has gets none. */
async function mailResetLink({ links, mailer, mails }: JobDeps, context: JobContext, email: string): Promise<void> {
  const account = await findAccount(context.db, email);
  if (!account) return;
  const token = randomBytes(32).toString('base64url');
  const userId = account.id;
  const isIssued = await createJobWrite(context)('password.reset_link', async (tx) => {
    const issued = await issueResetLink(tx, { jobId: context.jobId, userId, tokenHash: hashSecret(token) });
    return { result: issued, audit: issued ? { objectType: 'user', objectId: userId } : null };
  });
  if (isIssued) await mailer.send({ to: email, ...mails.resetPassword(links.resetPassword({ token, email })) });
}

/** Where to reach a person who is not disabled. */
async function findEmail(db: Database, userId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return found?.email;
}

interface RegistrationToMail extends Registration {
  has_account: boolean;
  /** Where the invitation that came with it leads. */
  facility_name: string | null;
  /** How many were asked for with this address in the hour before it. */
  earlier: number;
}

const registrationsToMail = typedRows<RegistrationToMail>({
  id: 'string',
  name: 'string',
  email: 'string',
  password_hash: 'string',
  invitation_id: 'string?',
  expires_at: 'date',
  has_account: 'boolean',
  facility_name: 'string?',
  earlier: 'number',
});

async function findRegistrationToMail(db: Database, id: string): Promise<RegistrationToMail | undefined> {
  const query = sql`
    select r.id, r.name, r.email, r.password_hash, r.invitation_id, r.expires_at,
      exists (select from users u where u.email = r.email) as has_account,
      (select f.name from invitations i join facilities f on f.id = i.facility_id where i.id = r.invitation_id)
        as facility_name,
      (select count(*) from registrations e where e.email = r.email
        and (e.created_at, e.id) < (r.created_at, r.id) and e.created_at > r.created_at - interval '1 hour') as earlier
    from registrations r where r.id = ${id} and r.expires_at > now()`;
  return registrationsToMail.first(db, query);
}
