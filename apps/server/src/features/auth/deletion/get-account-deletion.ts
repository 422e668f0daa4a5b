import type { AccountDeletion } from '@wardline/contract/account/own-data.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { AccountEnding } from './account-ending.ts';

/** What the deletion of one's own account would end, and what stands in its way now; the deletion itself asks again. */
export function getAccountDeletion({ ending }: { readonly ending: AccountEnding }) {
  return async ({ actor, db }: RequestContext): Promise<AccountDeletion> => {
    const { userId } = actor;
    // Also in the facilities of which this session is shown nothing.
    return asSystem('membership', async () => ({
      sole_facilities: await ending.findSoleFacilities(db, userId),
      is_last_operator: await isLastOperator(db, userId),
      facilities: [...actor.memberships, ...(actor.closedMemberships ?? [])].map(({ facilityName }) => facilityName),
      open_shifts: await countOpenShifts(db, userId),
    }));
  };
}

const lastRows = typedRows<{ is_last: boolean }>({ is_last: 'boolean' });

/** Whether this person, and nobody else with an account, administers the system. */
export async function isLastOperator(db: Database | DatabaseTransaction, userId: string): Promise<boolean> {
  const query = sql`
    select u.is_operator and not exists (
      select from users o where o.is_operator and o.disabled_at is null and o.id <> u.id) as is_last
    from users u where u.id = ${userId}`;
  return (await lastRows.first(db, query))?.is_last ?? false;
}

async function countOpenShifts(db: Database, userId: string): Promise<number> {
  const found = await db
    .selectFrom('on_call_shifts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('ends_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(found.count);
}
