import type { Population } from '@wardline/contract/census/census.ts';
import type { Bands } from '@wardline/contract/census/facility.ts';
import { sql } from 'kysely';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { Database } from '#/platform/db/database.ts';

/** A facility with what every page of its census says. */
export interface CensusFacility {
  readonly facility_no: number;
  readonly denominator: FacilityConfig['denominator'];
  readonly target_percent: number;
  readonly high_percent: number;
  readonly full_percent: number;
  readonly boarding_hours: number;
  /** Its clocks, the newest first; each holds from its date on. */
  readonly clocks: readonly DatedClock[];
}

export interface DatedClock {
  readonly from_date: string;
  readonly time_zone: string;
  /** HH:MM */
  readonly census_time: string;
  readonly grace_minutes: number;
}

/** A unit that counts in the facility's census, and when it is open. */
export interface CensusUnit {
  readonly unit_no: number;
  readonly unit_id: string;
  readonly unit_code: string;
  readonly unit_name: string;
  readonly populations: Population[];
  readonly counts_in_occupancy: boolean;
  /** When it reports each population. */
  readonly open: Readonly<Partial<Record<Population, OpenRange>>>;
}

/** The first day; null: always was. The first day on which it is closed; null: open. */
interface OpenRange {
  readonly from: string | null;
  readonly until: string | null;
}

/** Every unit that was open on a day of the range, in the order in which people know them. */
export async function findCensusUnits(
  db: Database,
  { facilityNo, from, to }: { facilityNo: number; from: string; to: string },
): Promise<CensusUnit[]> {
  const found = await sql<CensusUnit>`
    select u.unit_no, u.unit_id, n.code as unit_code, n.name as unit_name, u.populations, u.counts_in_occupancy,
      (select json_object_agg(k.population, json_build_object('from', lower(k.during), 'until', upper(k.during)))
        from unit_populations k where k.unit_no = u.unit_no and not isempty(k.during)) as open
    from census_units u join units n on n.id = u.unit_id
    where u.facility_no = ${facilityNo} and u.counts_in_census and u.active && daterange(${from}, ${to}, '[]')
    order by n.position, n.name collate "und-x-icu", u.unit_no`.execute(db);
  return found.rows;
}

/** The licensed beds of a unit over a part of a range, both days included. */
export interface LicensedBeds {
  readonly unit_no: number;
  readonly population: Population;
  readonly from: string;
  readonly to: string;
  readonly licensed: number;
}

/** The plan of licensed beds, as far as it lies in the range. */
export async function findLicensedBeds(
  db: Database,
  { facilityNo, from, to }: { facilityNo: number; from: string; to: string },
): Promise<LicensedBeds[]> {
  const found = await sql<LicensedBeds>`
    select unit_no, population::text, greatest(coalesce(lower(valid), ${from}::date), ${from}::date) as "from",
      least(coalesce(upper(valid) - 1, ${to}::date), ${to}::date) as "to", licensed
    from bed_complements
    where facility_no = ${facilityNo} and valid && daterange(${from}, ${to}, '[]') and licensed > 0`.execute(db);
  return found.rows;
}

/** How full is too full in this facility. */
export function bandsOf(facility: Pick<CensusFacility, 'target_percent' | 'high_percent' | 'full_percent'>): Bands {
  return { target: facility.target_percent, high: facility.high_percent, full: facility.full_percent };
}
