import { beforeEach, describe, expect, it } from 'vitest';
import {
  act,
  type FixtureUnit,
  fixtureOfFile,
  openHospital,
  type Person,
  type Place,
  read,
  report,
} from '../testing/census-fixture.ts';

const DATE = '2026-11-18';
const NEXT = '2026-11-19';

const ward = fixtureOfFile('2026-11-19T16:38:00Z');
let place: Place;
let med: FixtureUnit;
let ana: Person;
/** May approve, reopen and sign. */
let ruth: Person;
beforeEach(async () => {
  ({ place, med, ana, ruth } = await openHospital(ward, { med: {} }));
  await report(ana, { unit: med, date: DATE }, { seed: 20 });
});

const opened = async (person: Person) => (await read(person, { unit: med, date: NEXT })).opening_correction;
const acted = (person: Person, verb: string, body: object) => act(person, { unit: med, date: DATE }, [verb, body]);
const named = ({ id, name }: Person) => ({ id, name });

async function lock(): Promise<void> {
  const { db } = ward.server;
  const [at, by] = [new Date(), ruth.id];
  const report = { status: 'locked', approved_at: at, approved_by: by } as const;
  await db.updateTable('unit_census').set(report).where('unit_no', '=', med.no).execute();
  const counts = { units_expected: 1, units_submitted: 1, units_approved: 1, units_on_time: 1, transfer_gap: 0 };
  const day = { status: 'locked', signed_by: by, signed_at: at, locked_at: at, ...counts } as const;
  await db.updateTable('facility_days').set(day).where('facility_no', '=', place.facilityNo).execute();
}

describe('how the report is corrected that another opens with', () => {
  it('CEN-3 3.6 on its own page: by its reporter while it can be withdrawn or is open for it, by its approver until its day is signed', async () => {
    expect(await opened(ana)).toEqual({ way: 'report', people: [] });
    await acted(ruth, 'approve', { version: 1 });
    expect(await opened(ruth)).toEqual({ way: 'report', people: [] });
    expect(await opened(ana)).toEqual({ way: 'ask', people: [named(ruth)] });
    await acted(ruth, 'amend', { version: 2, reason_code: 'late_slip', reason: 'Late slip' });
    expect(await opened(ana)).toEqual({ way: 'report', people: [] });
    expect(await opened(ruth)).toEqual({ way: 'ask', people: [named(ana)] });
  });

  it('CEN-3 3.6 of a signed day by whoever may reopen it; the others are told whom to ask', async () => {
    await lock();
    expect(await opened(ruth)).toEqual({ way: 'day', people: [] });
    expect(await opened(ana)).toEqual({ way: 'ask', people: [named(ruth)] });
    const facility = ward.server.db.updateTable('census_facilities').where('facility_no', '=', place.facilityNo);
    await facility.set({ split_permissions: ['census.reopen'] }).execute();
    expect(await opened(ruth)).toEqual({ way: 'ask', people: [] });
    expect(await opened(ana)).toEqual({ way: 'ask', people: [] });
  });

  it('CEN-3 3.6 of a unit’s first report there is none', async () => {
    expect((await read(ana, { unit: med, date: DATE })).opening_correction).toBeNull();
  });
});
