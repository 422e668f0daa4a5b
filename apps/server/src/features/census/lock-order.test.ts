import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { multipart } from '#/testing/multipart.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { ticking } from './clock/testing/ticking.ts';
import { lockHead } from './core/append-log.ts';
import { actOnDay, approveAll, dayUrl } from './day/testing/days.ts';
import { startFeed } from './hl7/testing/adt-room.ts';
import {
  act,
  entry,
  type FixtureUnit,
  fixtureOfFile,
  openHospital,
  type Person,
  type Place,
  put,
  report,
} from './reports/testing/census-fixture.ts';
import { whileItWaits } from './testing/while-it-waits.ts';

const DATE = '2026-11-19';
const ward = fixtureOfFile('2026-11-20T00:00:00Z');
let place: Place;
let med: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeEach(async () => {
  ({ place, med, ana } = await openHospital(ward, { med: {} }));
  ruth = await ward.person(['censusOfficer', 'facilityAdministrator'], [], place);
});

const settingsUrl = () => `/api/census/facilities/${place.facility.id}/settings`;
const approve = () => approveAll({ nurse: ana, approver: ruth }, { units: [{ unit: med, seed: 24 }], date: DATE });
const sign = () => actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: 1 });
const send = async (person: Person, method: 'PATCH' | 'POST' | 'PUT', url: string, body: object) => {
  const { statusCode } = await person.client.send(method, url, { body });
  return { status: statusCode };
};
const raiseAlert = async () => {
  const id = randomUUID();
  await sql`
    insert into census_alerts (id, facility_no, unit_no, census_date, rule, message)
    values (${id}, ${place.facilityNo}, ${med.no}, ${DATE}, 'report_missing', 'missing')`.execute(ward.server.db);
  return `/api/census/facilities/${place.facility.id}/alerts/${id}/acknowledge`;
};
const undoFeed = (what: 'stop' | 'forget') => {
  const body = { client_id: randomUUID(), reason: 'Another one comes' };
  return send(ruth, 'POST', `/api/census/facilities/${place.facility.id}/feed/${what}`, body);
};
const done = async (work: Promise<void>) => {
  await work;
  return { status: 200 };
};

/** The server's own act, of which no right could end. */
const BY_CLOCK = 'the lock of an old day';

/** Each makes what it needs, and gives the act that is to wait. */
const ACTS: Readonly<Record<string, () => Promise<() => Promise<{ status: number }>>>> = {
  'a report': async () => () => put(ana, { unit: med, date: DATE }, entry({ counted: 24 }, { seed: 24, submit: true })),
  'an approval': async () => {
    const { version } = await report(ana, { unit: med, date: DATE }, { seed: 24 });
    return () => act(ruth, { unit: med, date: DATE }, ['approve', { version }]);
  },
  'a snapshot': async () => () =>
    send(ana, 'POST', `/api/census/units/${med.id}/snapshots`, {
      client_id: randomUUID(),
      population: 'adult_and_child',
      taken_at: '2026-11-19T23:30:00Z',
      occupied: 20,
      blocked: 0,
    }),
  'a signature': async () => {
    await approve();
    return sign;
  },
  'a reminder': async () => () =>
    send(ruth, 'POST', `${dayUrl(place, DATE)}/remind`, { unit_id: med.id, population: 'adult_and_child' }),
  'an alert that is taken on': async () => {
    const url = await raiseAlert();
    return () => send(ruth, 'POST', url, {});
  },
  'a change of the settings': async () => () => send(ruth, 'PATCH', settingsUrl(), { version: 1, lock_after_days: 3 }),
  'a change of a unit': async () => () =>
    send(ruth, 'PATCH', `${settingsUrl()}/units/${med.id}`, { version: 1, hsloc: '1061-1' }),
  'the nursing hours of a month': async () => () =>
    send(ruth, 'PUT', `/api/census/units/${med.id}/nursing-hours/2026-10`, {
      client_id: randomUUID(),
      version: 0,
      rn_hours: '3120',
      other_hours: '940',
    }),
  'an import': async () => async () => {
    const value = 'unit_code,census_date,admissions\nMED 3A,2026-11-19,';
    const form = multipart([{ name: 'file', value, filename: 'census.csv', type: 'text/csv' }]);
    const url = `/api/census/imports?facility=${place.facility.id}&apply=true`;
    const { statusCode } = await ruth.client.send('POST', url, form);
    return { status: statusCode };
  },
  'the start of the patient system': async () => () =>
    send(ruth, 'POST', `/api/census/facilities/${place.facility.id}/feed/start`, { client_id: randomUUID() }),
  'the stop of the patient system': async () => {
    await startFeed(ward.server.db, place.facility.id);
    return () => undoFeed('stop');
  },
  'the forgetting of what the patient system told': async () => () => undoFeed('forget'),
  [BY_CLOCK]: async () => {
    await approve();
    await sign();
    return () => done(ticking(ward).at('2026-12-04T00:00:00Z'));
  },
};

const held = (): RawBuilder<unknown>[] => [
  sql`select from census_facilities where facility_no = ${place.facilityNo} for no key update nowait`,
  sql`select from census_units where facility_no = ${place.facilityNo} for no key update nowait`,
  sql`select from facility_days where facility_no = ${place.facilityNo} for update nowait`,
  sql`select from unit_census where facility_no = ${place.facilityNo} for update nowait`,
  sql`select from unit_transfers where facility_no = ${place.facilityNo} for update nowait`,
  sql`select from census_alerts where facility_no = ${place.facilityNo} for update nowait`,
  sql`select from bed_complements where facility_no = ${place.facilityNo} for update nowait`,
];

it.each(Object.keys(ACTS))(
  'CEN-3 %s waits for the facility with nothing in its hands, so that no two acts wait for each other',
  async (name) => {
    const begin = await ACTS[name]?.();
    if (!begin) throw new Error(`${name} is no act`);
    let acting: Promise<{ status: number }> | undefined;
    await ward.server.db.transaction().execute(async (tx) => {
      await lockHead(tx, place.facilityNo);
      acting = begin();
      await untilBlocked(ward.server.db, acting);
      for (const lock of held()) await lock.execute(tx);
    });
    expect((await acting)?.status).toBe(200);
  },
);

it.each(Object.keys(ACTS).filter((name) => name !== BY_CLOCK))(
  'CEN-3 A48 %s is refused where the right to it ends while it waits for the facility',
  async (name) => {
    const act = await ACTS[name]?.();
    if (!act) throw new Error(`${name} is no act`);
    const { db } = ward.server;
    const roles = Object.values(place.facility.roles);
    const change = (tx: DatabaseTransaction) =>
      tx.deleteFrom('membership_roles').where('role_id', 'in', roles).execute();
    expect((await whileItWaits({ db, facilityNo: place.facilityNo, act, change })).status).toBe(403);
  },
);

it('CEN-3 the clock leaves a facility that somebody changes for its next tick, and waits for nobody', async () => {
  const clock = ticking(ward);
  const days = () =>
    ward.server.db.selectFrom('facility_days').select('census_date').where('facility_no', '=', place.facilityNo);
  await ward.server.db.transaction().execute(async (tx) => {
    await lockHead(tx, place.facilityNo);
    await clock.at('2026-11-19T16:10:00Z');
    expect(await days().execute()).toEqual([]);
  });
  await clock.at('2026-11-19T16:11:00Z');
  expect(await days().execute()).toEqual([{ census_date: DATE }]);
});
