import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';

const LIFETIME_DAYS = 7;

export interface NewInvitation {
  /** Made by a system administrator for who is to administer the facility. */
  readonly isForAdministrator?: boolean;
  readonly id: string;
  readonly facilityId: string;
  readonly tokenHash: Buffer;
  readonly createdBy: string;
  readonly title: string | null;
  readonly note: string | null;
  /** To whom a job mails the link. */
  readonly email?: string;
  readonly roleIds: readonly string[];
}

export async function insertInvitation(tx: DatabaseTransaction, made: NewInvitation): Promise<void> {
  await tx
    .insertInto('invitations')
    .values({
      id: made.id,
      facility_id: made.facilityId,
      token_hash: made.tokenHash,
      title: made.title,
      note: made.note,
      email: made.email ?? null,
      created_by: made.createdBy,
      is_for_administrator: made.isForAdministrator ?? false,
      expires_at: sql`now() + make_interval(days => ${LIFETIME_DAYS})`,
    })
    .execute();
  if (made.roleIds.length === 0) return;
  const roles = made.roleIds.map((roleId) => ({
    invitation_id: made.id,
    role_id: roleId,
    facility_id: made.facilityId,
  }));
  await tx.insertInto('invitation_roles').values(roles).execute();
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Of an invitation that waits for its mail: nobody has the secret of this hash, and the job makes the one that is mailed. */
export function hashOfNobody(): Buffer {
  return hashSecret(newSecret());
}

/** Gives the invitation this secret while it stands, and takes the one before; undefined where it was used or revoked meanwhile. */
export async function issueSecret(tx: DatabaseTransaction, id: string, secret: string) {
  return tx
    .updateTable('invitations as i')
    .from('facilities as f')
    .set({ token_hash: hashSecret(secret) })
    .whereRef('f.id', '=', 'i.facility_id')
    .where('i.id', '=', id)
    .where('i.used_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('standing_invitations as s').select('s.id').whereRef('s.id', '=', 'i.id')),
    )
    .returning(['i.facility_id', 'f.name'])
    .executeTakeFirst();
}
