import { randomBytes } from 'node:crypto';
import { makeSetUpLink } from '#/features/auth/index.ts';
import type { ShippedRole } from '#/features/facilities/index.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility, makeMembership } from './facilities.ts';
import { makeUser } from './users.ts';

type Queryable = Database | DatabaseTransaction;

const HOUR_MS = 3_600_000;

export interface MadeInvitation {
  readonly id: string;
  readonly token: string;
}

export interface InvitationOptions {
  readonly facility: MadeFacility;
  /** Has force only while this person manages the members. */
  readonly createdBy: string;
  readonly roles?: readonly ShippedRole[];
  readonly title?: string;
  readonly note?: string;
  readonly email?: string;
  readonly expiresAt?: Date;
}

export async function makeInvitation(db: Queryable, options: InvitationOptions): Promise<MadeInvitation> {
  const { facility, createdBy, roles = [], title = null, note = null, email = null } = options;
  const id = newId();
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('invitations')
    .values({
      id,
      facility_id: facility.id,
      token_hash: hashSecret(token),
      title,
      note,
      email,
      created_by: createdBy,
      expires_at: options.expiresAt ?? new Date(Date.now() + 7 * 24 * HOUR_MS),
    })
    .execute();
  for (const role of roles) {
    const row = { invitation_id: id, role_id: facility.roles[role], facility_id: facility.id };
    await db.insertInto('invitation_roles').values(row).execute();
  }
  return { id, token };
}

/** An invitation to a facility that has only who made it. */
export async function makeInvitationElsewhere(
  db: Queryable,
  options: Partial<Omit<InvitationOptions, 'facility' | 'createdBy'>> = {},
): Promise<MadeInvitation & { readonly facility: MadeFacility; readonly adminId: string }> {
  const facility = await makeFacility(db);
  const { id: adminId } = await makeUser(db);
  await makeMembership(db, { userId: adminId, facility, roles: ['facilityAdministrator'] });
  return { ...(await makeInvitation(db, { ...options, facility, createdBy: adminId })), facility, adminId };
}

export interface MadeRegistration {
  readonly id: string;
  readonly email: string;
  readonly expiresAt: Date;
}

export interface RegistrationOptions {
  readonly passwordHash: string;
  readonly name?: string;
  readonly email?: string;
  readonly invitationId?: string;
  readonly expiresAt?: Date;
}

/** What signing up leaves until the mailed link and the password come together. */
export async function makeRegistration(db: Queryable, options: RegistrationOptions): Promise<MadeRegistration> {
  const id = newId();
  const email = options.email ?? `${id}@people.test`;
  const expiresAt = options.expiresAt ?? new Date(Date.now() + 24 * HOUR_MS);
  await db
    .insertInto('registrations')
    .values({
      id,
      name: options.name ?? `Robin Sample ${id.slice(-4)}`,
      email,
      password_hash: options.passwordHash,
      invitation_id: options.invitationId ?? null,
      expires_at: expiresAt,
    })
    .execute();
  return { id, email, expiresAt };
}

/** A mailed link for a new password. Returns its token. */
export async function makeResetLink(
  db: Queryable,
  { userId, expiresAt = new Date(Date.now() + HOUR_MS / 2) }: { userId: string; expiresAt?: Date },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('password_resets')
    .values({ job_id: newId(), user_id: userId, token_hash: hashSecret(token), expires_at: expiresAt })
    .execute();
  return token;
}

/** The token of a set-up link that can be used, whatever the installation has been through. */
export async function openSetUp(db: Database): Promise<string> {
  await db.updateTable('installation').set({ set_up_at: null }).execute();
  return (await makeSetUpLink(db))?.split('#')[1] ?? '';
}
