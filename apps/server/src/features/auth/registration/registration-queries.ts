import { type Selectable, sql } from 'kysely';
import { lockAddress } from '#/features/auth/account/credential-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Registrations } from '#/platform/db/types.ts';

const LIFETIME_S = 24 * 60 * 60;

export type Registration = Omit<Selectable<Registrations>, 'created_at'>;

const COLUMNS = ['id', 'name', 'email', 'password_hash', 'invitation_id', 'expires_at'] as const;

export async function insertRegistration(
  tx: DatabaseTransaction,
  registration: Omit<Registration, 'expires_at'>,
): Promise<void> {
  await tx
    .insertInto('registrations')
    .values({ ...registration, expires_at: sql`now() + make_interval(secs => ${LIFETIME_S})` })
    .execute();
}

/** The registration while its link can be followed. */
export async function findRegistration(db: Database, id: string): Promise<Registration | undefined> {
  return db
    .selectFrom('registrations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

export interface RegistrationToMail extends Registration {
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

export async function findRegistrationToMail(db: Database, id: string): Promise<RegistrationToMail | undefined> {
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

/**
 * Takes a registration out, and with it the others of its address that bring no invitation: there is an account now.
 * False when somebody else took it.
 */
export async function takeRegistration(tx: DatabaseTransaction, { id, email }: Registration): Promise<boolean> {
  const taken = await tx
    .deleteFrom('registrations')
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (taken.numDeletedRows === 0n) return false;
  await tx.deleteFrom('registrations').where('email', '=', email).where('invitation_id', 'is', null).execute();
  return true;
}

/** Makes the account of a verified address. False when the address has one already. */
export async function insertUser(
  tx: DatabaseTransaction,
  user: { readonly id: string; readonly name: string; readonly email: string; readonly password_hash: string },
): Promise<boolean> {
  await lockAddress(tx, user.email);
  const made = await tx
    .insertInto('users')
    .values({ ...user, email_verified_at: sql`now()`, password_changed_at: sql`now()` })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
