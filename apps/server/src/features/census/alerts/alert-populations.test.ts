import type { CensusAlert } from '@wardline/contract/census/board.ts';
import type { Population } from '@wardline/contract/census/census.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ana,
  clock,
  DATE,
  unit as mat,
  place,
  ruth,
  useClockRoom,
  ward,
} from '#/features/census/clock/testing/clock-room.ts';
import { alertsOf, linesIn, snapshot } from '#/features/census/clock/testing/ticking.ts';
import {
  act,
  entry,
  type FixtureUnit,
  logOf,
  put,
  read,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { makeUnitDays } from '#/testing/factories/census.ts';

useClockRoom({
  code: 'MAT',
  populations: ['adult_and_child', 'newborn'],
  staffed: 10,
  opensAt: '2026-11-19T16:10:00Z',
});
beforeEach(() => clock.at('2026-11-19T16:05:00Z'));

const ADULTS = 'MAT report of Thu 19 Nov missing';
const NEWBORNS = 'MAT newborn report of Thu 19 Nov missing';

const which = (population: Population, unit: FixtureUnit = mat) => ({ unit, date: DATE, population });
const handIn = (population: Population) => report(ana, which(population), { seed: 5 });
/** A head count that is one short, with the words for it. */
const handInShort = (population: Population) =>
  put(ana, which(population), entry({ counted: 4 }, { seed: 5, submit: true, variance_reason: 'One is in theatre' }));
const beside = (population: Population, at: string, occupied: number) =>
  snapshot(ward, place, { unit: mat, population, at, occupied, staffed: 10, by: ana.id });

const facilityUrl = () => `/api/census/facilities/${place.facility.id}`;
const boardAlerts = async (): Promise<CensusAlert[]> =>
  (await ruth.client.send('GET', `${facilityUrl()}/board`)).json().alerts;
const alertOf = async (message: string): Promise<CensusAlert> => {
  const found = ward.server.db.selectFrom('census_alerts').select('id').where('facility_no', '=', place.facilityNo);
  const { id } = await found.where('message', '=', message).executeTakeFirstOrThrow();
  return (await ruth.client.send('GET', `${facilityUrl()}/alerts/${id}`)).json();
};
const said = async () => (await linesIn(ward, place)).filter(({ title }) => title === 'Census').map(({ body }) => body);

describe('two reports of one unit that are missing', () => {
  it('CEN-9 1.3 have an alert each: one that comes in is not named any more, while the other waits', async () => {
    await clock.at('2026-11-19T18:00:00Z');
    expect(await alertsOf(ward, place)).toEqual([ADULTS, NEWBORNS]);
    setNow('2026-11-19T18:10:00Z');
    await handIn('adult_and_child');
    await clock.at('2026-11-19T18:11:00Z');
    expect(await alertsOf(ward, place)).toEqual([`${ADULTS} (cleared)`, NEWBORNS]);
    expect(await boardAlerts()).toMatchObject([{ message: NEWBORNS, unit_code: 'MAT', population: 'newborn' }]);
    await handIn('newborn');
    await clock.at('2026-11-19T18:12:00Z');
    expect(await alertsOf(ward, place)).toEqual([`${ADULTS} (cleared)`, `${NEWBORNS} (cleared)`]);
    expect(await boardAlerts()).toEqual([]);
  });

  it('CEN-9 1.3 have a line each, of which each carries its own alert, and no more lines until both are in', async () => {
    await clock.at('2026-11-19T18:00:00Z');
    setNow('2026-11-19T18:10:00Z');
    await handIn('newborn');
    for (const minute of ['11', '12']) await clock.at(`2026-11-19T18:${minute}:00Z`);
    expect(await said()).toEqual([`Alert: ${ADULTS}`, `Alert: ${NEWBORNS}`]);
    const chat = ward.server.db.selectFrom('chats').select('id').where('facility_id', '=', place.facility.id);
    const { id } = await chat.where('title', '=', 'Census').executeTakeFirstOrThrow();
    const lines: Message[] = (await ruth.client.send('GET', `/api/chats/${id}/messages`)).json().data;
    const [adults, newborns] = [await alertOf(ADULTS), await alertOf(NEWBORNS)];
    expect(lines.map((line) => line.act?.id)).toEqual([adults.id, newborns.id]);
    expect([adults, newborns]).toMatchObject([
      { population: 'adult_and_child', cleared_at: null },
      { population: 'newborn', cleared_at: '2026-11-19T18:11:00.000Z' },
    ]);
  });

  it('CEN-9 1.3 of which one is in: the other alone is named; one that is taken back later is said then', async () => {
    const { version } = await handIn('adult_and_child');
    await clock.at('2026-11-19T18:00:00Z');
    expect(await alertsOf(ward, place)).toEqual([NEWBORNS]);
    setNow('2026-11-19T18:10:00Z');
    expect((await act(ana, which('adult_and_child'), ['withdraw', { version }])).status).toBe(200);
    await clock.at('2026-11-19T18:11:00Z');
    expect(await alertsOf(ward, place)).toEqual([NEWBORNS, ADULTS]);
    expect(await said()).toEqual([`Alert: ${NEWBORNS}`, `Alert: ${ADULTS}`]);
  });

  it('CEN-9 1.3 are taken on one by one: the log and the chat name the population, and the other waits', async () => {
    await clock.at('2026-11-19T18:00:00Z');
    const { id } = await alertOf(NEWBORNS);
    const taken = await ana.client.send('POST', `${facilityUrl()}/alerts/${id}/acknowledge`, { body: {} });
    expect(taken.json()).toMatchObject({ id, population: 'newborn', acknowledged_by: { id: ana.id } });
    expect(await boardAlerts()).toMatchObject([
      { message: ADULTS, population: 'adult_and_child', acknowledged_by: null },
      { message: NEWBORNS, population: 'newborn', acknowledged_by: { id: ana.id } },
    ]);
    expect((await said()).slice(2)).toEqual([`acknowledged the alert: ${NEWBORNS}`]);
    const logged = (await logOf(ward, place)).filter(({ action }) => action === 'alert.acknowledge');
    expect(logged).toMatchObject([{ population: 'newborn', census_date: DATE, after: { message: NEWBORNS } }]);
  });
});

describe('the other rules', () => {
  it('CEN-9 1.3 a head count of the second population is said beside the first, and each is settled by itself', async () => {
    const text = (report: string) => `${report} counted 4 on Thu 19 Nov, 5 computed`;
    await handInShort('adult_and_child');
    await clock.at('2026-11-19T16:11:00Z');
    expect(await alertsOf(ward, place)).toEqual([text('MAT')]);
    await handInShort('newborn');
    await clock.at('2026-11-19T16:12:00Z');
    expect(await alertsOf(ward, place)).toEqual([text('MAT'), text('MAT newborn')]);
    const { version } = await read(ruth, which('adult_and_child'));
    expect((await act(ruth, which('adult_and_child'), ['approve', { version }])).status).toBe(200);
    await clock.at('2026-11-19T16:13:00Z');
    expect(await alertsOf(ward, place)).toEqual([`${text('MAT')} (cleared)`, text('MAT newborn')]);
  });

  it('CEN-9 1.3 a rule speaks of each population once a shift', async () => {
    await beside('newborn', '2026-11-19T16:20:00Z', 11);
    await clock.at('2026-11-19T16:21:00Z');
    await beside('newborn', '2026-11-19T16:30:00Z', 5);
    await clock.at('2026-11-19T16:31:00Z');
    const first = 'MAT newborn 11 patients, 10 staffed beds (cleared)';
    expect(await alertsOf(ward, place)).toEqual([first]);
    await beside('newborn', '2026-11-19T16:40:00Z', 12);
    await beside('adult_and_child', '2026-11-19T16:40:00Z', 13);
    await clock.at('2026-11-19T16:41:00Z');
    expect(await alertsOf(ward, place)).toEqual([first, 'MAT 13 patients, 10 staffed beds']);
  });

  it('CEN-9 CEN-R7 a transfer gap of newborns is told apart from that of adults between the same units', async () => {
    const nur = await ward.unit('NUR', { populations: ['adult_and_child', 'newborn'] }, place);
    const nina = await ward.person(['chargeNurse'], [nur], place);
    const move = (to: FixtureUnit, direction: 'in' | 'out', count: number) => [{ unit_id: to.id, direction, count }];
    for (const population of ['adult_and_child', 'newborn'] as const) {
      const out = { seed: 5, transfers: move(nur, 'out', 2), submit: true };
      expect((await put(ana, which(population), entry({ transfers_out: 2, counted: 3 }, out))).status).toBe(200);
      const into = { seed: 5, transfers: move(mat, 'in', 1), submit: true };
      expect((await put(nina, which(population, nur), entry({ transfers_in: 1, counted: 6 }, into))).status).toBe(200);
    }
    await clock.at('2026-11-19T16:11:00Z');
    expect(await alertsOf(ward, place)).toEqual([
      'Transfer gap on Thu 19 Nov: MAT says 2 to NUR, NUR says 1',
      'Transfer gap on Thu 19 Nov: MAT newborn says 2 to NUR, NUR says 1',
    ]);
  });

  it('CEN-9 1.3 the forecast speaks of each population', async () => {
    const days = Array.from({ length: 60 }, (_, index) => ({
      date: new Date(Date.UTC(2026, 8, 20 + index)).toISOString().slice(0, 10),
      opening: 12,
      beds: 12,
    }));
    for (const population of ['adult_and_child', 'newborn'] as const) {
      await makeUnitDays(ward.server.db, { unitId: mat.id, population, by: ana.id, days });
    }
    await clock.at('2026-11-19T19:00:00Z');
    const expected = (await alertsOf(ward, place)).filter((message) => message.includes('expected'));
    expect(expected).toEqual([
      'MAT is expected to have 12.0 patients on Fri 20 Nov, 10 staffed beds',
      'MAT newborn is expected to have 12.0 patients on Fri 20 Nov, 10 staffed beds',
    ]);
  });
});

describe('an alert of before, when none knew its population', () => {
  it('CEN-9 1.3 stands for both reports until both are in, and nothing of it is said again in the shift', async () => {
    const { db } = ward.server;
    const both = `${ADULTS}; ${NEWBORNS}`;
    await sql`
      insert into census_alerts (id, facility_no, unit_no, census_date, rule, message, raised_at)
      values (gen_random_uuid(), ${place.facilityNo}, ${mat.no}, ${DATE}, 'report_missing', ${both},
        '2026-11-19T18:00:00Z')`.execute(db);
    await clock.at('2026-11-19T18:01:00Z');
    setNow('2026-11-19T18:10:00Z');
    await handIn('adult_and_child');
    await clock.at('2026-11-19T18:11:00Z');
    expect(await alertsOf(ward, place)).toEqual([both]);
    const { version } = await handIn('newborn');
    await clock.at('2026-11-19T18:12:00Z');
    await act(ana, which('newborn'), ['withdraw', { version }]);
    await clock.at('2026-11-19T18:13:00Z');
    expect(await alertsOf(ward, place)).toEqual([`${both} (cleared)`]);
    expect(await said()).toEqual([]);
  });
});
