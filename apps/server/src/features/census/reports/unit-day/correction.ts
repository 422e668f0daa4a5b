import { afterAct } from '@wardline/census/states.ts';
import type { Correction } from '@wardline/contract/census/unit.ts';
import type { Permission } from '@wardline/contract/permissions.ts';
import { sql } from 'kysely';
import { approveReports, reopenDays, reportUnit, seeSummary } from '#/features/census/core/policy.ts';
import { unitSubject } from '#/features/census/core/require-unit.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { ChainLink } from './unit-day-queries.ts';
import { isSigned, type UnitDayState } from './unit-day-state.ts';

/** So many people are named. */
const MOST_PEOPLE = 3;

interface Asked {
  readonly actor: Actor;
  readonly db: RequestContext['db'] | Transaction;
}

/** How this person gets the report corrected that this one opens with. */
export async function correctionOf(
  { actor, db }: Asked,
  { place, link }: Pick<UnitDayState, 'place' | 'link'>,
): Promise<Correction | null> {
  if (link === null) return null;
  const way = wayOf(actor, place, link);
  if (way === 'report' || way === 'day') return { way, people: [] };
  return { way: 'ask', people: await findWhoMay(db, { place, permissions: [way], except: [actor.userId] }) };
}

type Place = UnitDayState['place'];

/** Where it is done; or which permission it takes, where the person has none of those that do. */
function wayOf(actor: Actor, place: Place, link: ChainLink): 'report' | 'day' | Permission {
  const unit = unitSubject(place);
  const { status, day_status, submitted_by, reviewed_at } = link;
  if (isSigned({ day: { status: day_status } })) {
    return can(actor, reopenDays, unit) && can(actor, seeSummary, unit) ? 'day' : 'census.reopen';
  }
  if (status === 'locked') return can(actor, reopenDays, unit) ? 'report' : 'census.reopen';
  const mayReport = can(actor, reportUnit, unit);
  if (afterAct(status, 'save') !== null) return mayReport ? 'report' : 'census.report_units';
  const mayWithdraw = mayReport && status === 'submitted' && submitted_by === actor.userId && reviewed_at === null;
  return mayWithdraw || can(actor, approveReports, unit) ? 'report' : 'census.approve';
}

interface Wanted {
  readonly place: Place;
  /** All of them. */
  readonly permissions: readonly Permission[];
  /** Whom it is not, by their ids. */
  readonly except: readonly string[];
}

/** Who has them at the facility; with the reports of a unit, who reports for that unit. The summary stands for what is not split off. */
export async function findWhoMay(db: Database | Transaction, wanted: Wanted): Promise<Correction['people']> {
  const { place, permissions, except } = wanted;
  const isOfUnit = permissions.includes('census.report_units');
  const each = permissions.map((permission) => {
    const isSplit = permission === 'census.report_units' || place.split_permissions.includes(permission);
    const any: Permission[] = isSplit ? [permission] : [permission, 'census.report_summary'];
    return sql`exists (select from membership_roles mr join roles r on r.id = mr.role_id
        where mr.membership_id = m.id and r.permissions && ${any}::text[])`;
  });
  const found = await sql<Correction['people'][number]>`
    select p.id, p.name from memberships m join users p on p.id = m.user_id and p.disabled_at is null
    where m.facility_id = ${place.facility_id} and m.ended_at is null and p.id <> all (${[...except]}::uuid[])
      and ${sql.join(each, sql` and `)}
      and (not ${isOfUnit}::boolean or exists (select from census_assignments a
        where a.unit_no = ${place.unit_no} and a.user_id = p.id))
    order by p.name collate "und-x-icu", p.id limit ${MOST_PEOPLE}`.execute(db);
  return found.rows;
}
