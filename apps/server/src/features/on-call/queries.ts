import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import type { OnCallRole, Shift } from '@wardline/contract/facilities/on-call.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeToKnow, can } from '#/platform/http/authorization/authorize.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';
import { avatarUrl } from '#/platform/images/avatar-url.ts';
import { seeOnCall, seePhones } from './policy.ts';

/** A role in a facility; both ids come from the address. */
export interface RolePlace {
  readonly facilityId: string;
  readonly roleId: string;
}

/** A facility that is not one's own does not exist. */
export function requireMember(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, seeOnCall, { facilityId });
}

/** The order of people, not of bytes; on_call_roles_order_idx has it. */
export const byName = sql<string>`r.name collate "und-x-icu"`;

/** The roles of a facility that are not retired; `r` is the role, `n` its unit. */
export function rolesOf(db: Database | DatabaseTransaction, facilityId: string) {
  return db
    .selectFrom('on_call_roles as r')
    .leftJoin('units as n', 'n.id', 'r.unit_id')
    .select(['r.id', 'r.name', 'r.phone', 'r.version', 'n.id as unit_id', 'n.name as unit_name', 'n.code as unit_code'])
    .where('r.facility_id', '=', facilityId)
    .where('r.retired_at', 'is', null);
}

type RoleRow = Awaited<ReturnType<ReturnType<typeof rolesOf>['execute']>>[number];

interface ShiftRow {
  readonly role_id: string;
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly title: string | null;
  readonly avatar_key: string | null;
  readonly phone: string | null;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly has_begun: boolean;
}

export const shiftRows = typedRows<ShiftRow>({
  role_id: 'string',
  id: 'string',
  user_id: 'string',
  name: 'string',
  title: 'string?',
  avatar_key: 'string?',
  phone: 'string?',
  starts_at: 'date',
  ends_at: 'date',
  has_begun: 'boolean',
});

/** Shifts `s` with who holds them: a member whose account is not disabled, which triggers see to. `at` says which have begun. */
export function shiftsAt(at: RawBuilder<Date>) {
  return sql`
    s.role_id, s.id, s.user_id, u.name, m.title, u.avatar_key, m.phone, s.starts_at, s.ends_at, s.starts_at <= ${at} as has_begun
    from on_call_shifts s
    join memberships m on m.user_id = s.user_id and m.facility_id = s.facility_id and m.ended_at is null
    join users u on u.id = s.user_id`;
}

/** When a request began; a write that waited for its turn says what is the time by then. */
const startOfRequest = sql<Date>`now()`;

export function toShift(row: ShiftRow, { withPhones }: { readonly withPhones: boolean }): Shift {
  const { id, user_id, name, title, avatar_key, phone, starts_at, ends_at } = row;
  return {
    id,
    person: { user_id, name, title, avatar_url: avatarUrl(avatar_key), phone: withPhones ? phone : null },
    starts_at: starts_at.toISOString(),
    ends_at: ends_at.toISOString(),
  };
}

interface Viewed {
  readonly actor: Actor;
  readonly facilityId: string;
  readonly at?: Date;
}

/** Roles as this person sees them: with who holds each now and who comes next. */
export async function toRoles(
  db: Database | DatabaseTransaction,
  { actor, facilityId, at, rows }: Viewed & { readonly rows: readonly RoleRow[] },
): Promise<OnCallRole[]> {
  const withPhones = can(actor, seePhones, { facilityId });
  const now = at ? sql<Date>`${at}::timestamptz` : startOfRequest;
  const shifts = await shiftRows.read(
    db,
    sql`select f.* from unnest(${rows.map(({ id }) => id)}::uuid[]) as wanted (role_id)
      cross join lateral (
        select ${shiftsAt(now)} where s.role_id = wanted.role_id and s.ends_at > ${now} order by s.ends_at limit 2
      ) f order by f.ends_at`,
  );
  return rows.map(({ id, name, phone, version, unit_id, unit_name, unit_code }) => {
    const own = shifts.filter((shift) => shift.role_id === id);
    const now = own.find((shift) => shift.has_begun);
    const next = own.find((shift) => !shift.has_begun);
    return {
      ...{ id, name, version },
      unit: unit_id === null ? null : { id: unit_id, name: unit_name ?? '', code: unit_code ?? '' },
      phone: withPhones ? phone : null,
      now: now ? toShift(now, { withPhones }) : null,
      next: next ? toShift(next, { withPhones }) : null,
    };
  });
}

/** One role as this person sees it. */
export async function loadRole(
  db: Database | DatabaseTransaction,
  { roleId, ...viewed }: Viewed & RolePlace,
): Promise<OnCallRole> {
  const rows = await rolesOf(db, viewed.facilityId).where('r.id', '=', roleId).execute();
  const [role] = await toRoles(db, { ...viewed, rows });
  if (!role) throw new AppError('not_found');
  return role;
}

export interface LockedRole {
  readonly name: string;
  readonly version: number;
  /** The clock once the lock is held, in whole milliseconds: what others wrote before is not after it. */
  readonly now: Date;
}

/** Lets one transaction at a time change a role or its shifts. */
export async function lockRole(tx: DatabaseTransaction, { facilityId, roleId }: RolePlace): Promise<LockedRole> {
  const role = await tx
    .selectFrom('on_call_roles')
    .select(['name', 'version'])
    .where('id', '=', roleId)
    .where('facility_id', '=', facilityId)
    .where('retired_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!role) throw new AppError('not_found');
  const { now } = await tx
    .selectNoFrom(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'))
    .executeTakeFirstOrThrow();
  return { ...role, now };
}

/** Ends what is on call at this instant, and takes it away where it only begins then. */
export async function endShift(
  tx: DatabaseTransaction,
  shift: { id: string; starts_at: Date },
  at: Date,
): Promise<void> {
  if (shift.starts_at < at) {
    await tx.updateTable('on_call_shifts').set({ ends_at: at }).where('id', '=', shift.id).execute();
  } else {
    await tx.deleteFrom('on_call_shifts').where('id', '=', shift.id).execute();
  }
}

/**
 * Whether somebody may be on call in a facility, and stays a member with an account until this transaction ends. Who is
 * a machine, or was given no part in it, may not.
 */
export async function holdCandidate(
  tx: DatabaseTransaction,
  { facilityId, userId }: { readonly facilityId: string; readonly userId: string },
): Promise<boolean> {
  const held = await tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.id')
    .where('m.facility_id', '=', facilityId)
    .where('m.user_id', '=', userId)
    .where('m.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('membership_roles as mr')
          .innerJoin('roles as r', 'r.id', 'mr.role_id')
          .whereRef('mr.membership_id', '=', 'm.id')
          .where(sql<boolean>`'on_call.take' = any(r.permissions)`),
      ),
    )
    .forShare(['m', 'u'])
    .executeTakeFirst();
  return held !== undefined;
}

/** Tells the members of the facility, and nobody else, that they should ask again. */
export function onCallChanged({ facilityId, roleId }: RolePlace): Publication {
  return publication(facilityChannel, facilityId, ['OnCallChanged', { facility_id: facilityId, role_id: roleId }]);
}

/** What an audit entry says of a role. */
export function aboutRole({ facilityId, roleId }: RolePlace, detail?: Readonly<Record<string, unknown>>) {
  return { facilityId, objectType: 'on_call_role', objectId: roleId, ...(detail && { detail }) };
}
