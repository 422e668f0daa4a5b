import { isCalendarDate } from '@wardline/census/calendar.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type * as contract from '@wardline/contract/census/settings.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { loggedUnit } from '#/features/census/core/append-log.ts';
import { type FacilityConfig, refreshSums } from '#/features/census/core/config-queries.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { changeSettings, differences, type SettingsChange } from './change-settings.ts';
import { findRunningDate } from './next-clock.ts';
import {
  findLastSignedDay,
  findReported,
  findUnitSettings,
  type UnitColumns,
  type UnitSettings,
} from './settings-queries.ts';
import { mustKeepReports } from './unit-changes.ts';
import { refreshOpenDays, renameUnit } from './units.ts';

type Endpoint = typeof contract.updateCensusUnit;
type Body = BodyOf<Endpoint>;

/** Changes what a unit reports, who reports for it, and its beds from a date on. */
export async function updateCensusUnit(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: Body },
): Promise<ReplyOf<Endpoint>> {
  const wanted = { facilityId: params.facility, version: body.version };
  return changeSettings(ctx, wanted, async (tx, place) => {
    const unit = (await findUnitSettings(tx, place.facility_no)).find(({ unit_id }) => unit_id === params.unit);
    if (!unit) throw new AppError('not_found');
    const lastSigned = await findLastSignedDay(tx, place.facility_no);
    const running = await findRunningDate(tx, place, new Date());
    const { unit_code, unit_name, unit_kind } = body;
    const names = await renameUnit(tx, place, { unit, names: { unit_code, unit_name, unit_kind } });
    const columns = await changeColumns(tx, { unit, body, place, lastSigned, running });
    const people = await changePeople(tx, { unit, body, place });
    const beds = body.remove_beds
      ? await removeBeds(tx, { unit, removed: body.remove_beds, running })
      : await changeBeds(tx, { unit, body, place, lastSigned, running });
    if (Object.keys(columns.after).length > 0) await refreshOpenDays(tx, place.facility_no);
    return {
      before: { ...names.before, ...columns.before, ...people.before, ...beds.before },
      after: { ...names.after, ...columns.after, ...people.after, ...beds.after },
      unit: loggedUnit(unit),
      reason: body.beds?.reason ?? null,
    };
  });
}

interface Wanted {
  readonly unit: UnitSettings;
  readonly body: Body;
  readonly lastSigned: string | null;
  /** The census date under way. */
  readonly running: string;
}

async function changeColumns(
  tx: Transaction,
  { unit, body, place, lastSigned, running }: Wanted & { readonly place: FacilityConfig },
): Promise<SettingsChange> {
  const standing = columnsOf(unit);
  const { populations, counts_in_census, counts_in_occupancy, hsloc, safr_group, active_from, active_to } = body;
  const next: UnitColumns = {
    ...standing,
    ...(populations && { populations: [...new Set(populations)].sort() }),
    ...(counts_in_census !== undefined && { counts_in_census }),
    ...(counts_in_occupancy !== undefined && { counts_in_occupancy }),
    ...(hsloc !== undefined && { hsloc }),
    ...(safr_group !== undefined && { safr_group }),
    ...(active_from !== undefined && { active_from }),
    ...(active_to !== undefined && { active_to }),
  };
  const changed = differences(standing, next);
  if (Object.keys(changed.after).length === 0) return changed;
  for (const field of ['active_from', 'active_to'] as const) {
    const date = changed.after[field];
    if (typeof date === 'string') mustBeNear(field, date, running);
  }
  await mustKeepReports(tx, { place, unitNo: unit.unit_no, standing, next, lastSigned });
  await storeUnit(tx, unit.unit_no, next);
  if (changed.after.counts_in_occupancy !== undefined)
    await sumAnew(tx, { facilityNo: place.facility_no, unitNo: unit.unit_no });
  const added = next.populations.filter((population) => !standing.populations.includes(population));
  for (const population of added) await storePopulationFrom(tx, unit.unit_no, { population, from: running });
  return added.length > 0 ? { ...changed, after: { ...changed.after, from: running } } : changed;
}

/** The sums of the months hold what of a unit counts in occupancy. None of its reports is signed, so that they are few. */
async function sumAnew(tx: Transaction, unit: { readonly facilityNo: number; readonly unitNo: number }): Promise<void> {
  for (const { population, first, last } of await findReported(tx, unit.unitNo)) {
    await refreshSums(tx, { ...unit, population, from: first, to: last });
  }
}

function columnsOf(unit: UnitSettings): UnitColumns {
  const { counts_in_census, counts_in_occupancy, hsloc, safr_group, active_from, active_to } = unit;
  const populations = unit.populations.toSorted();
  return { populations, counts_in_census, counts_in_occupancy, hsloc, safr_group, active_from, active_to };
}

async function changePeople(
  tx: Transaction,
  { unit, body, place }: Pick<Wanted, 'unit' | 'body'> & { place: FacilityConfig },
): Promise<SettingsChange> {
  if (!body.people) return { before: {}, after: {} };
  const ids = [...new Set(body.people)].sort();
  const members = await holdPeople(tx, { facilityId: place.facility_id, userIds: ids });
  if (!ids.every((id) => members.has(id))) {
    throw invalidField('people', 'Everybody who reports must be a member of the facility.');
  }
  const standing = unit.people.map(({ id, name }) => ({ id, name })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // The log says who it was by the name of then.
  const changed = differences({ people: standing }, { people: ids.map((id) => ({ id, name: members.get(id) ?? '' })) });
  if (changed.after.people) await storePeople(tx, unit.unit_no, ids);
  return changed;
}

export async function changeBeds(
  tx: Transaction,
  { unit, body, place, lastSigned, running }: Wanted & { place: FacilityConfig },
): Promise<SettingsChange> {
  const { beds } = body;
  if (!beds) return { before: {}, after: {} };
  const { population, from, licensed, physical, staffed, surge } = beds;
  if (!isCalendarDate(from)) throw invalidField('beds.from', 'This is not a date.');
  mustBeNear('beds.from', from, running);
  if (!(body.populations ?? unit.populations).includes(population)) {
    throw invalidField('beds.population', 'The unit does not report this population.');
  }
  if (staffed > physical + surge) throw invalidField('beds.staffed', 'More beds are staffed than there are.');
  if (lastSigned !== null && from <= lastSigned) {
    const message = `The beds of signed days can’t change: begin after ${formatDay(lastSigned, place)}.`;
    throw invalidField('beds.from', message);
  }
  const before = unit.beds.filter((row) => row.population === population && row.from <= from).at(-1) ?? null;
  const reason = beds.reason?.trim() || null;
  const numbers = { licensed, physical, staffed, surge };
  if (before && isSame(before, numbers)) return { before: {}, after: {} };
  await storeBeds(tx, {
    facilityNo: place.facility_no,
    unitNo: unit.unit_no,
    population,
    from,
    ...numbers,
    reason,
  });
  return { before: { beds: before }, after: { beds: { population, from, ...numbers } } };
}

interface RemovedBeds extends Pick<Wanted, 'unit' | 'running'> {
  readonly removed: NonNullable<Body['remove_beds']>;
}

/** Takes planned beds back. Those that hold already are what days were counted with: other beds begin instead. */
async function removeBeds(tx: Transaction, { unit, removed, running }: RemovedBeds): Promise<SettingsChange> {
  const { population, from } = removed;
  const rows = unit.beds.filter((row) => row.population === population);
  const before = rows.find((row) => row.from === from);
  if (!before) throw invalidField('remove_beds', 'These beds are not planned any more.');
  if (from <= running) throw invalidField('remove_beds', 'These beds hold already: say from when others do.');
  await deleteBeds(tx, { unitNo: unit.unit_no, population, from });
  return { before: { beds: before }, after: { beds: rows.filter((row) => row.from < from).at(-1) ?? null } };
}

const YEARS_BACK = 20;
const YEARS_AHEAD = 5;

/** Refuses a date that was mistyped: of another century, or so far ahead that nobody plans for it. */
function mustBeNear(field: string, date: string, running: string): void {
  const year = Number(running.slice(0, 4));
  const [first, last] = [year - YEARS_BACK, year + YEARS_AHEAD];
  if (Number(date.slice(0, 4)) >= first && Number(date.slice(0, 4)) <= last) return;
  throw invalidField(field, `Choose a date from ${first} to ${last}.`);
}

type BedNumbers = Record<'licensed' | 'physical' | 'staffed' | 'surge', number>;

function isSame(one: BedNumbers, other: BedNumbers): boolean {
  return (['licensed', 'physical', 'staffed', 'surge'] as const).every((kind) => one[kind] === other[kind]);
}

async function storeUnit(tx: DatabaseTransaction, unitNo: number, unit: UnitColumns): Promise<void> {
  await sql`
    update census_units set populations = ${[...unit.populations]}, counts_in_census = ${unit.counts_in_census},
      counts_in_occupancy = ${unit.counts_in_occupancy}, hsloc = ${unit.hsloc}, safr_group = ${unit.safr_group},
      active = daterange(${unit.active_from}::date, ${unit.active_to}::date, '[]')
    where unit_no = ${unitNo}`.execute(tx);
}

/** The unit begins to report a population with a date; what it owed before stays as it was. */
async function storePopulationFrom(
  tx: DatabaseTransaction,
  unitNo: number,
  { population, from }: { population: Population; from: string },
): Promise<void> {
  await sql`update census_units set ${sql.ref(`${population}_from`)} = ${from} where unit_no = ${unitNo}`.execute(tx);
}

/** Which of these people are members of the facility, by id with their names; held until the commit. */
async function holdPeople(
  tx: DatabaseTransaction,
  { facilityId, userIds }: { facilityId: string; userIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const found = await sql<{ user_id: string; name: string }>`
    select m.user_id, p.name from memberships m join users p on p.id = m.user_id
    where m.facility_id = ${facilityId} and m.user_id = any(${[...userIds]}::uuid[]) and m.ended_at is null
    order by m.user_id for share of m`.execute(tx);
  return new Map(found.rows.map(({ user_id, name }) => [user_id, name]));
}

async function storePeople(tx: DatabaseTransaction, unitNo: number, userIds: readonly string[]): Promise<void> {
  await sql`
    delete from census_assignments where unit_no = ${unitNo} and user_id <> all(${[...userIds]}::uuid[])`.execute(tx);
  await sql`
    insert into census_assignments (unit_no, user_id) select ${unitNo}, user_id from unnest(${[...userIds]}::uuid[]) as user_id
    on conflict do nothing`.execute(tx);
}

interface NewBeds {
  readonly facilityNo: number;
  readonly unitNo: number;
  readonly population: Population;
  readonly from: string;
  readonly licensed: number;
  readonly physical: number;
  readonly staffed: number;
  readonly surge: number;
  readonly reason: string | null;
}

/** The beds from a date on, up to the next change that is planned already; what held before ends the day before. */
async function storeBeds(tx: DatabaseTransaction, beds: NewBeds): Promise<void> {
  const { unitNo, population, from } = beds;
  await sql`
    delete from bed_complements where unit_no = ${unitNo} and population = ${population} and lower(valid) = ${from}::date`.execute(
    tx,
  );
  await sql`
    update bed_complements set valid = daterange(lower(valid), ${from}::date)
    where unit_no = ${unitNo} and population = ${population} and valid @> ${from}::date`.execute(tx);
  await sql`
    insert into bed_complements (facility_no, unit_no, population, valid, licensed, physical, staffed, surge, reason)
    select ${beds.facilityNo}, ${unitNo}, ${population}, daterange(${from}::date, min(lower(later.valid))),
      ${beds.licensed}, ${beds.physical}, ${beds.staffed}, ${beds.surge}, ${beds.reason}
    from (select valid from bed_complements
      where unit_no = ${unitNo} and population = ${population} and lower(valid) > ${from}::date) later`.execute(tx);
}

/** What held before goes on to where they would have ended. */
async function deleteBeds(
  tx: DatabaseTransaction,
  { unitNo, population, from }: Pick<NewBeds, 'unitNo' | 'population' | 'from'>,
): Promise<void> {
  const deleted = await sql<{ ends: string | null }>`
    delete from bed_complements where unit_no = ${unitNo} and population = ${population} and lower(valid) = ${from}::date
    returning upper(valid)::text as ends`.execute(tx);
  await sql`
    update bed_complements set valid = daterange(lower(valid), ${deleted.rows[0]?.ends ?? null}::date)
    where unit_no = ${unitNo} and population = ${population} and upper(valid) = ${from}::date`.execute(tx);
}
