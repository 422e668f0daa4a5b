import { toCounts } from '@wardline/census/balance.ts';
import { changedFigures, figuresOf, type ReportFigures } from '@wardline/census/report-figures.ts';
import type { Amendment, Correction, Restated } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import { reopenDays } from '#/features/census/core/policy.ts';
import { unitSubject } from '#/features/census/core/require-unit.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import { findWhoMay } from './correction.ts';
import { findMoved } from './later-reports.ts';
import type { Report, UnitDayKey } from './unit-day-queries.ts';
import { bedsOf, type UnitDayState } from './unit-day-state.ts';

type Queryable = Database | DatabaseTransaction;

/** The open correction of a report, against the version that was approved last; null where there is none. */
export async function findAmendment(db: Queryable, unitDay: UnitDayState): Promise<Amendment | null> {
  const { report, key } = unitDay;
  if (!report?.amend_code) return null;
  const approved = await findApproved(db, key);
  const changes = approved ? changedFigures(toFigures(unitDay, approved), toFigures(unitDay, report)) : [];
  return { reason_code: report.amend_code, reason: report.amend_reason ?? '', changes };
}

/** What its approval will restate, as far as that can be known now. */
export async function findRestated(db: Queryable, actor: Actor, unitDay: UnitDayState): Promise<Restated> {
  const { report, key } = unitDay;
  const moved = report?.closing == null ? [] : await findMoved(db, key, report.closing);
  const restated = moved.filter((later) => later.was_handed_in && later.opening !== later.new_opening);
  const isKept = moved.some((later) => later.is_closed) && !can(actor, reopenDays, unitSubject(unitDay.place));
  const ask = isKept ? await findWhoMayRestate(db, actor, unitDay) : null;
  return { days: restated.length, signed: restated.filter((later) => later.is_closed).length, ask };
}

/** With four eyes it is nobody who handed it in. */
function findWhoMayRestate(
  db: Queryable,
  actor: Actor,
  { place, report }: UnitDayState,
): Promise<Correction['people']> {
  const author = place.four_eyes && report?.submitted_by ? [report.submitted_by] : [];
  const permissions = ['census.approve', 'census.reopen'] as const;
  return findWhoMay(db, { place, permissions, except: [actor.userId, ...author] });
}

async function findApproved(db: Queryable, key: UnitDayKey): Promise<Report | null> {
  const found = await sql<Report>`
    select (jsonb_populate_record(null::unit_census, r.row_data)).*
    from unit_census_revisions r
    where r.unit_no = ${key.unitNo} and r.census_date = ${key.date} and r.population = ${key.population}
      and r.row_data ->> 'status' in ('approved', 'locked')
    order by r.version desc limit 1`.execute(db);
  return found.rows[0] ?? null;
}

function toFigures({ complement }: UnitDayState, report: Report): ReportFigures {
  return figuresOf({ ...report, counts: toCounts(report), beds: bedsOf({ report, complement }) });
}
