import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

type Queryable = Database | DatabaseTransaction;

export interface OnCallRoleOptions {
  readonly facilityId: string;
  readonly name: string;
  readonly unitId?: string | null;
  readonly phone?: string | null;
}

/** An on-call role that nobody holds. */
export async function makeOnCallRole(db: Queryable, options: OnCallRoleOptions): Promise<string> {
  const id = newId();
  const { facilityId, name, unitId = null, phone = null } = options;
  await db.insertInto('on_call_roles').values({ id, facility_id: facilityId, name, unit_id: unitId, phone }).execute();
  return id;
}

export interface ShiftOptions {
  readonly facilityId: string;
  readonly roleId: string;
  readonly userId: string;
  readonly startsAt: Date | string;
  readonly endsAt: Date | string;
}

export async function makeShift(db: Queryable, options: ShiftOptions): Promise<string> {
  const id = newId();
  const { facilityId, roleId, userId, startsAt, endsAt } = options;
  const times = { starts_at: startsAt, ends_at: endsAt };
  await db
    .insertInto('on_call_shifts')
    .values({ id, facility_id: facilityId, role_id: roleId, user_id: userId, ...times, created_by: userId })
    .execute();
  return id;
}

export interface StatementOptions {
  readonly facilityId: string;
  readonly userId: string;
  readonly onDutyUntil?: Date | null;
  readonly busyUntil?: Date | null;
  readonly busyReason?: string | null;
}

/** What somebody says of their own duty. */
export async function makeStatement(db: Queryable, options: StatementOptions): Promise<void> {
  const { facilityId, userId, onDutyUntil = null, busyUntil = null, busyReason = null } = options;
  const said = { on_duty_until: onDutyUntil, busy_until: busyUntil, busy_reason: busyReason };
  await db
    .insertInto('duty_statements')
    .values({ facility_id: facilityId, user_id: userId, ...said })
    .execute();
}
