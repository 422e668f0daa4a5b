import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { sql } from 'kysely';
import { AppError } from '#/platform/http/app-error.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

const needing = typedRows<{ name: string }>({ name: 'string' });

/** After a factor was removed: refuses where it was the last, and a facility of the person needs one by now. */
export async function mustKeepFactor(tx: DatabaseTransaction, userId: string): Promise<void> {
  const facility = await needing.first(
    tx,
    sql`
      select f.name from memberships m join facilities f on f.id = m.facility_id
      where m.user_id = ${userId} and m.ended_at is null and (now() at time zone f.time_zone)::date >= f.second_factor_from
        and not exists (select from totp_factors t where t.user_id = ${userId} and t.confirmed_at is not null)
        and not exists (select from passkeys k where k.user_id = ${userId})
      order by f.name limit 1`,
  );
  if (!facility) return;
  throw new AppError('conflict', { message: `${facility.name} needs a second factor. Add another one before you remove this.` });
}
