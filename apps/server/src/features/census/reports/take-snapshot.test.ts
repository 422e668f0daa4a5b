import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { whileItWaits } from '#/features/census/testing/while-it-waits.ts';
import {
  type CensusFixture,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  read,
  setNow,
} from './testing/census-fixture.ts';

const NOW = '2026-11-19T23:00:00Z';
let ward: CensusFixture;
let med: FixtureUnit;
let ana: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
  med = await ward.unit('MED 3A');
  ana = await ward.person(['chargeNurse'], [med]);
});
afterAll(() => ward.close());

const snapshot = (more: object = {}) => ({
  client_id: randomUUID(),
  population: 'adult_and_child',
  taken_at: NOW,
  occupied: 24,
  blocked: 1,
  ...more,
});
const take = (person: Person, body: object) =>
  person.client.send('POST', `/api/census/units/${med.id}/snapshots`, { body });
const stored = () => ward.server.db.selectFrom('census_snapshots').selectAll().execute();

it('CEN-5 a count beside the census hour is stored once, with the beds of the day, and never enters the balance', async () => {
  const body = snapshot();
  const first = await take(ana, body);
  expect(first.json()).toMatchObject({
    occupied: 24,
    blocked: 1,
    staffed: 28,
    taken_by: { id: ana.id },
    unit_id: med.id,
  });
  expect((await take(ana, body)).json()).toEqual(first.json());
  expect(await stored()).toHaveLength(1);
  const day = await read(ana, { unit: med, date: '2026-11-20' });
  expect(day).toMatchObject({ version: 0, opening: null, closing: null });
  expect((await logOf(ward, ward)).at(-1)).toMatchObject({
    action: 'snapshot.take',
    census_date: '2026-11-20',
    after: { occupied: 24, blocked: 1 },
  });
});

it('CEN-5 a count of tomorrow, of last week, with too many blocked beds or of a population that is not there is refused', async () => {
  for (const more of [
    { taken_at: '2026-11-20T00:00:00Z' },
    { taken_at: '2026-11-12T00:00:00Z' },
    { taken_at: '0000-01-01T00:00:00Z' },
    { blocked: 31 },
    { population: 'newborn' },
  ]) {
    expect((await take(ana, snapshot(more))).statusCode, JSON.stringify(more)).toBe(422);
  }
  expect(await stored()).toHaveLength(1);
});

it('CEN-5 A48 a count that was stored and is sent again a day later is answered as it stands', async () => {
  const body = snapshot({ occupied: 23 });
  const first = await take(ana, body);
  setNow('2026-11-21T00:00:00Z');
  expect((await take(ana, body)).json()).toEqual(first.json());
  setNow(NOW);
});

it('A16 A48 who reports for the unit no more by the time that their turn has come counts nothing', async () => {
  const eva = await ward.person(['chargeNurse'], [med]);
  const answer = await whileItWaits({
    ...{ db: ward.server.db, facilityNo: ward.facilityNo },
    act: () => take(eva, snapshot({ taken_at: '2026-11-19T22:59:00Z' })),
    change: (tx) => tx.deleteFrom('census_assignments').where('user_id', '=', eva.id).execute(),
  });
  expect(answer.statusCode).toBe(403);
});

it('A16 who does not report for the unit counts nothing there; a stranger finds nothing', async () => {
  const kofi = await ward.person(['chargeNurse']);
  expect((await take(kofi, snapshot())).statusCode).toBe(403);
  expect((await logOf(ward, ward)).at(-1)).toMatchObject({
    action: 'snapshot.take',
    outcome: 'refused',
    actor_id: kofi.id,
  });
  const visitor = await ward.person(['chargeNurse'], [], await ward.elsewhere());
  expect((await take(visitor, snapshot())).statusCode).toBe(404);
});
