import { hoursText } from '@wardline/census/nursing-hours.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { idOf } from '../people.ts';
import { createRandom, type Random } from '../random.ts';
import { minutesAfter } from './timing.ts';
import type { Ward } from './unit-plans.ts';
import { type DemoCensus, unitOf } from './write-census.ts';
import { LOGGED_DAYS, type Said } from './write-log.ts';

interface UnitMonth {
  readonly unit_no: number;
  /** The first day. */
  readonly month: string;
  readonly patient_days: number;
  /** The end of its last day, on the facility's clock. */
  readonly ended_at: Date;
}

/** The roster of a month is counted on the second morning after it. */
const COUNTED_AFTER_MINUTES = 33 * 60;
/** Whose hours of the newest month nobody has told yet. */
const OWING = 'ONC';

/** Nursing hours of every whole month, but for one that is owed; answers what the log says of the newest. */
export async function writeNursingHours(tx: DatabaseTransaction, seed: DemoCensus, now: Date): Promise<Said[]> {
  const random = createRandom(20_261_031);
  const months = await findWholeMonths(tx, seed);
  const newest = months.at(-1)?.month;
  const hours = months.flatMap((month) => {
    const ward = seed.plan.wards.find((one) => unitOf(seed, one).unitNo === month.unit_no);
    const at = minutesAfter(month.ended_at, COUNTED_AFTER_MINUTES);
    if (!ward?.nursing || at > now || (ward.code === OWING && month.month === newest)) return [];
    return [{ ward, at, month: month.month, ...drawHours(ward.nursing, month.patient_days, random) }];
  });
  const by = idOf(seed.ids, seed.plan.returner);
  const rows = hours.map(({ ward, at, month, rn_hours, other_hours }) => ({
    facility_no: seed.facilityNo,
    unit_no: unitOf(seed, ward).unitNo,
    month,
    rn_hours,
    other_hours,
    entered_by: by,
    entered_at: at,
  }));
  if (rows.length > 0) await tx.insertInto('nursing_hours').values(rows).execute();
  const since = seed.days.at(-LOGGED_DAYS)?.clock.censusAt;
  return hours
    .filter(({ at }) => since && at >= since)
    .map(({ ward, at, month, rn_hours, other_hours }) => ({
      at,
      by: seed.plan.returner,
      entry: {
        action: 'nursing_hours.save' as const,
        unit: unitOf(seed, ward),
        before: null,
        after: { month: month.slice(0, 7), rn_hours, other_hours },
      },
    }));
}

async function findWholeMonths(tx: DatabaseTransaction, { facilityNo, days }: DemoCensus): Promise<UnitMonth[]> {
  const [from, to] = [days[0]?.clock.date, days.at(-1)?.clock.date];
  const found = await sql<UnitMonth>`
    select m.unit_no, m.month, sum(m.service_days)::integer as patient_days, max(d.census_at) as ended_at
    from unit_months m
    join facility_days d on d.facility_no = m.facility_no and d.census_date = (m.month + interval '1 month - 1 day')::date
    where m.facility_no = ${facilityNo} and m.month >= ${from}::date and d.census_date <= ${to}::date
    group by m.unit_no, m.month order by m.month, m.unit_no`.execute(tx);
  return found.rows;
}

/** Rosters follow the patients, a little more or less; hours come in quarters. */
function drawHours({ hours, rn }: NonNullable<Ward['nursing']>, patientDays: number, random: Random) {
  const quarters = (amount: number) => hoursText(Math.round(4 * amount) * 25);
  const all = patientDays * hours * (0.95 + 0.1 * random.next());
  const share = rn + 0.04 * (random.next() - 0.5);
  return { rn_hours: quarters(all * share), other_hours: quarters(all * (1 - share)) };
}
