import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  type CensusFixture,
  type FixtureUnit,
  openCensusFixture,
  type Person,
  type Place,
  setNow,
  type UnitOptions,
} from '#/features/census/reports/testing/census-fixture.ts';
import { type Ticking, ticking } from './ticking.ts';

/** Counted at 16:00 UTC in Manila and due at 17:00. */
export const DATE = '2026-11-19';

export let ward: CensusFixture;
export let clock: Ticking;
export let place: Place;
export let unit: FixtureUnit;
/** Reports for the unit. */
export let ana: Person;
/** Signs. */
export let ruth: Person;

interface RoomOptions extends UnitOptions {
  readonly code: string;
  /** When each test begins. */
  readonly opensAt: string;
}

/** Gives each test a facility with one unit and its people, and a clock with nobody else’s census to keep. */
export function useClockRoom({ code, opensAt, ...options }: RoomOptions): void {
  beforeAll(async () => {
    setNow(opensAt);
    ward = await openCensusFixture();
  });
  afterAll(() => ward.close());

  beforeEach(async () => {
    setNow(opensAt);
    clock = ticking(ward);
    await sql`update census_units set counts_in_census = false`.execute(ward.server.db);
    place = await ward.elsewhere();
    unit = await ward.unit(code, options, place);
    ana = await ward.person(['chargeNurse'], [unit], place);
    ruth = await ward.person(['censusOfficer', 'facilityAdministrator'], [], place);
  });
}
