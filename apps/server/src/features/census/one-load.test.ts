import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { statementsOf } from '#/testing/same-work.ts';
import { actOnDay, approveAll, dayUrl, getDay } from './day/testing/days.ts';
import {
  act,
  entry,
  type FixtureUnit,
  fixtureOfFile,
  openHospital,
  type Person,
  type Place,
  put,
  read,
  report,
} from './reports/testing/census-fixture.ts';

const [BEFORE, DATE, AFTER] = ['2026-11-17', '2026-11-18', '2026-11-19'] as const;

const ward = fixtureOfFile('2026-11-20T00:00:00Z');
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeEach(async () => {
  ({ place, med, icu, ana, ruth } = await openHospital(ward, { med: {}, icu: {} }));
});

const which = () => ({ unit: med, date: DATE });
const reason = { reason_code: 'late_slip', reason: 'A discharge slip came late' };
const amended = async () => {
  await report(ana, { unit: med, date: BEFORE }, { seed: 20 });
  const { version } = await report(ana, which());
  await report(ana, { unit: med, date: AFTER });
  const approved = await act(ruth, which(), ['approve', { version }]);
  return (await act(ruth, which(), ['amend', { version: approved.day.version, ...reason }])).day;
};

describe('the answer to an act', () => {
  let version: number;
  beforeEach(() => {
    version = 0;
  });
  /** It went well, and its answer is what is read right after it. */
  const holds = async (name: string, person: Person, doing: ReturnType<typeof put>) => {
    const { status, day, message } = await doing;
    expect([name, status, message]).toEqual([name, 200, '']);
    expect(day, name).toEqual(await read(person, which()));
    version = day.version;
    return day;
  };
  const send = (more: object, counts = {}) => put(ana, which(), entry(counts, { version, ...more }));
  const doOn = (person: Person, verb: string, body: object = {}) => act(person, which(), [verb, { version, ...body }]);

  it('CEN-2 is the report as it is read afterwards, from the first draft to a correction', async () => {
    const guess = () => act(ruth, which(), ['estimate', { census: 17, reason: 'As the day before' }]);
    await holds('estimate', ruth, guess());
    await holds('take the estimate back', ruth, act(ruth, which(), ['estimate/withdraw', {}]));
    await holds('estimate again', ruth, guess());
    await holds('save', ana, send({ seed: 20, note: 'Begun' }, { counted: null }));
    await holds('save nothing new', ana, send({ seed: 20, note: 'Begun' }, { counted: null }));
    await holds('hand in', ana, send({ submit: true }, { counted: 20 }));
    await holds('withdraw', ana, doOn(ana, 'withdraw'));
    await holds('save again', ana, send({}, { admissions: 1, counted: 21 }));
    await holds('hand in what is saved', ana, doOn(ana, 'submit'));
    const returned = await holds('return', ruth, doOn(ruth, 'return', { reason: 'Look at it again' }));
    expect(returned.discussion_chat_id).not.toBeNull();
    await holds('hand in again', ana, send({ submit: true }, { counted: 20 }));
    await holds('approve', ruth, doOn(ruth, 'approve'));
    await holds('amend', ruth, doOn(ruth, 'amend', reason));
    await holds('correct', ana, send({ submit: true }, { admissions: 2, counted: 22 }));
    await holds('approve again', ruth, doOn(ruth, 'approve'));
  });

  it('CEN-2 is the report as it is read afterwards where a transfer and a head count open its discussion', async () => {
    await report(ana, { unit: icu, date: DATE }, { seed: 8 });
    const transfers = [{ unit_id: icu.id, direction: 'out', count: 1 }] as const;
    const said = { seed: 20, transfers, variance_reason: 'One left at 23:58' };
    const counts = { transfers_out: 1, counted: 20 };
    await holds('save', ana, send(said, { ...counts, admissions: 1 }));
    const day = await holds('hand in', ana, send({ ...said, submit: true }, counts));
    expect([day.conditions.includes('unreconciled'), day.discussion_chat_id === null]).toEqual([true, false]);
  });

  it('CEN-2 is the report as it is read afterwards where a correction answers a proposal', async () => {
    const units = [med, icu].map((unit) => ({ unit, seed: 24 }));
    await approveAll({ nurse: ana, approver: ruth }, { units, date: DATE });
    const signed = await actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: 1 });
    await actOnDay(ruth, `${dayUrl(place, DATE)}/reopen`, { version: signed.day.version, ...reason });
    await sql`insert into census_proposals (id, facility_no, unit_no, census_date, population, signed, told)
      values (${randomUUID()}, ${place.facilityNo}, ${med.no}, ${DATE}, 'adult_and_child', '{"discharges": 0}', '{"discharges": 1}')
    `.execute(ward.server.db);
    version = (await read(ruth, which())).version;
    const amending = await holds('amend', ruth, doOn(ruth, 'amend', reason));
    expect(amending.proposal).not.toBeNull();
    await holds('correct', ana, send({ submit: true }, { discharges: 1, counted: 23 }));
    const approved = await holds('approve', ruth, doOn(ruth, 'approve'));
    expect(approved.proposal).toBeNull();
  });

  it('CEN-6 is the day as it is read afterwards, whether it was signed, locked or reopened', async () => {
    await approveAll(
      { nurse: ana, approver: ruth },
      {
        units: [
          { unit: med, seed: 24 },
          { unit: icu, seed: 8 },
        ],
        date: DATE,
      },
    );
    const url = dayUrl(place, DATE);
    let { version } = (await getDay(ruth, place, DATE)).day;
    for (const [verb, body] of [
      ['sign', {}],
      ['lock', {}],
      ['reopen', reason],
      ['sign', { lock: true }],
    ] as const) {
      const { status, day } = await actOnDay(ruth, `${url}/${verb}`, { version, ...body });
      expect([verb, status]).toEqual([verb, 200]);
      expect(day, verb).toEqual((await getDay(ruth, place, DATE)).day);
      version = day.version;
    }
    const again = { client_id: randomUUID(), version, ...reason };
    const first = await actOnDay(ruth, `${url}/reopen`, again);
    expect((await actOnDay(ruth, `${url}/reopen`, again)).day).toEqual(first.day);
  });
});

describe('what an act asks of the database', () => {
  /** The statements that are sent a second time. */
  const repeated = (statements: readonly string[]) => {
    const seen = new Set<string>();
    return statements
      .filter((text) => seen.size === seen.add(text).size)
      .map((text) => text.replace(/\s+/g, ' ').trim());
  };
  const REPORT = /^select c\.\*, s\.name as submitted_by_name/;
  const DAY = /^select d\.status, d\.version/;

  it.each<[string, number, readonly RegExp[], () => Promise<() => Promise<{ status: number }>>]>([
    [
      'a report that is handed in reads again, of what it read under the lock, the report as it is stored',
      23,
      [REPORT],
      async () => {
        await report(ana, { unit: med, date: BEFORE }, { seed: 20 });
        return () => put(ana, which(), entry({ counted: 20 }, { submit: true }));
      },
    ],
    [
      'a correction reads again the same, however many days it moves',
      25,
      [REPORT],
      async () => {
        const { version } = await amended();
        return () => put(ana, which(), entry({ admissions: 1, counted: 21 }, { version, submit: true }));
      },
    ],
    [
      'a signature reads again the day alone',
      19,
      [DAY],
      async () => {
        const units = [med, icu].map((unit) => ({ unit, seed: 24 }));
        await approveAll({ nurse: ana, approver: ruth }, { units, date: DATE });
        return () => actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: 1 });
      },
    ],
  ])('CEN-2 %s', async (_title, most, again, prepare) => {
    const work = await prepare();
    const sent = await statementsOf(async () => expect((await work()).status).toBe(200));
    // What would be refused is found before it, so that a refusal waits for nobody (F-S5).
    const statements = sent.slice(sent.findIndex((text) => / for update of h$/.test(text)));
    expect(statements.length).toBeLessThan(sent.length);
    const texts = repeated(statements);
    expect(texts).toEqual(again.map((pattern) => expect.stringMatching(pattern)));
    expect(statements.length).toBeLessThanOrEqual(most);
  });
});
