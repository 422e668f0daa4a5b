import type { Invitation, Role } from '@wardline/contract/facilities/invitations.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { newId } from '#/platform/new-id.ts';

export async function findRoles(db: Database | DatabaseTransaction, facilityId: string): Promise<Role[]> {
  return db
    .selectFrom('roles')
    .select(['id', 'name', 'permissions'])
    .where('facility_id', '=', facilityId)
    .orderBy('name')
    .execute();
}

export type InvitationRow = Omit<Invitation, 'created_at' | 'expires_at'> & { created_at: Date; expires_at: Date };

interface InvitationPage {
  readonly facilityId: string;
  /** Only those made before this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** An invitation whose maker may not let anybody in any more counts as revoked. */
const selectInvitations = sql`
  select i.id, i.note, i.title, i.email, u.name as created_by_name, i.created_at, i.expires_at,
    array(
      select r.name from invitation_roles ir join roles r on r.id = ir.role_id
      where ir.invitation_id = i.id order by r.name) as roles,
    case
      when i.revoked_at is not null then 'revoked'
      when i.used_at is not null then 'used'
      when exists (select from registrations g where g.invitation_id = i.id and g.expires_at > now())
        and exists (select from standing_invitations s where s.id = i.id) then 'waiting'
      when i.expires_at <= now() then 'expired'
      when not exists (select from standing_invitations s where s.id = i.id) then 'revoked'
      else 'open'
    end as state
  from invitations i join users u on u.id = i.created_by`;

/** The newest first. */
export async function findInvitations(
  db: Database,
  { facilityId, before, limit }: InvitationPage,
): Promise<InvitationRow[]> {
  const found = await sql<InvitationRow>`${selectInvitations}
    where i.facility_id = ${facilityId} and (${before}::uuid is null or i.id < ${before}::uuid)
    order by i.id desc limit ${limit}`.execute(db);
  return found.rows;
}

export async function getInvitation(tx: DatabaseTransaction, id: string): Promise<InvitationRow> {
  const found = await sql<InvitationRow>`${selectInvitations} where i.id = ${id}`.execute(tx);
  const [invitation] = found.rows;
  if (!invitation) throw new Error('there is no such invitation');
  return invitation;
}

export interface HeldInvitation {
  readonly id: string;
  readonly facility_id: string;
  readonly facility_name: string;
}

/**
 * The invitation while it can be used, held until the transaction ends: of many at the same moment one goes on and the
 * others wait for it. One that a registration has kept since it was in time is found by its id, whatever its age.
 */
export async function hold(
  tx: DatabaseTransaction,
  by: { readonly token: string } | { readonly id: string },
): Promise<HeldInvitation | undefined> {
  const isMeant =
    'id' in by ? sql`i.id = ${by.id}` : sql`i.token_hash = ${hashSecret(by.token)} and i.expires_at > now()`;
  const held = await sql<HeldInvitation>`
    select i.id, i.facility_id, f.name as facility_name
    from invitations i join standing_invitations s on s.id = i.id join facilities f on f.id = i.facility_id
    where ${isMeant} and i.used_at is null and i.revoked_at is null
    for update of i`.execute(tx);
  return held.rows[0];
}

/** Whether the invitation of a registration, which was in time, still lets somebody in: nobody used or revoked it. */
export async function stands(db: Database, id: string): Promise<boolean> {
  const found = await sql`
    select from invitations i join standing_invitations s on s.id = i.id
    where i.id = ${id} and i.used_at is null and i.revoked_at is null`.execute(db);
  return found.rows.length > 0;
}

/** Makes the person a member as the held invitation says, which uses it up; undefined when they are one already. */
export async function join(
  tx: DatabaseTransaction,
  { invitationId, userId }: { invitationId: string; userId: string },
): Promise<{ facility_id: string } | undefined> {
  const joined = await sql<{ facility_id: string }>`
    with joined as (
      insert into memberships (id, facility_id, user_id, title)
      select ${newId()}::uuid, s.facility_id, ${userId}::uuid, s.title
      from standing_invitations s where s.id = ${invitationId}
      on conflict (user_id, facility_id) where ended_at is null do nothing
      returning id, facility_id
    ), given as (
      insert into membership_roles (membership_id, role_id, facility_id)
      select j.id, ir.role_id, j.facility_id
      from joined j join invitation_roles ir on ir.invitation_id = ${invitationId}
    ), used as (
      update invitations set used_at = now() where id = ${invitationId} and exists (select from joined)
    )
    select facility_id from joined`.execute(tx);
  return joined.rows[0];
}

/** Why somebody is not invited again. */
export const KNOWN_TEXTS = { member: 'Is a member already.', invited: 'Has an invitation already.' } as const;

/** Which of these addresses are a member of the facility, or have an invitation that stands. */
export async function findKnown(
  tx: DatabaseTransaction,
  facilityId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, 'member' | 'invited'>> {
  const found = await knownRows.read(
    tx,
    sql`
    select i.email, 'invited' as known from invitations i join standing_invitations s on s.id = i.id
      where i.facility_id = ${facilityId} and i.email = any(${emails}::text[])
        and i.used_at is null and i.revoked_at is null and i.expires_at > now()
    union all
    select u.email, 'member' from users u
      join memberships m on m.user_id = u.id and m.facility_id = ${facilityId} and m.ended_at is null
      where u.email = any(${emails}::text[])`,
  );
  return new Map(found.map(({ email, known }) => [email, known]));
}

const knownRows = typedRows<{ email: string; known: 'member' | 'invited' }>({ email: 'string', known: 'string' });
