import { randomUUID } from 'node:crypto';
import type { GivenTransfer } from '@wardline/contract/census/unit.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type CensusFixture,
  entry,
  type FixtureUnit,
  openCensusFixture,
  type Person,
  put,
  read,
  report,
  setNow,
} from './testing/census-fixture.ts';

const DATE = '2026-11-19';
let ward: CensusFixture;
let med: FixtureUnit;
let sur: FixtureUnit;
let ana: Person;
let kofi: Person;
beforeAll(async () => {
  setNow('2026-11-19T16:38:00Z');
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`);
  sur = await ward.unit(`SUR ${randomUUID().slice(0, 8)}`);
  ana = await ward.person(['chargeNurse'], [med]);
  kofi = await ward.person(['chargeNurse'], [sur]);
  await report(ana, { unit: med, date: '2026-11-18' }, { seed: 24 });
  await report(kofi, { unit: sur, date: '2026-11-18' }, { seed: 18 });
});

const atMed = () => ({ unit: med, date: DATE });
const atSur = () => ({ unit: sur, date: DATE });
const move = (unit: FixtureUnit, direction: 'in' | 'out', count: number): GivenTransfer => ({
  unit_id: unit.id,
  direction,
  count,
});
const cells = () =>
  ward.server.db
    .selectFrom('unit_transfers')
    .select(['from_unit', 'to_unit', 'out_count', 'in_count'])
    .where('from_unit', 'in', [med.no, sur.no])
    .execute();
const gap = async () => {
  const found = ward.server.db.selectFrom('facility_days').select('transfer_gap').where('census_date', '=', DATE);
  return (await found.where('facility_no', '=', ward.facilityNo).executeTakeFirstOrThrow()).transfer_gap;
};

it('CEN-3 what one side says stands in the other’s form at once, and agreement closes it', async () => {
  const before = await put(
    ana,
    atMed(),
    entry({ transfers_out: 3, counted: 21 }, { transfers: [move(sur, 'out', 3)] }),
  );
  expect(before.day.transfers).toEqual([
    { unit_id: sur.id, unit_code: sur.code, direction: 'out', mine: 3, theirs: null, partner_status: null },
  ]);
  expect((await read(kofi, atSur())).transfers).toEqual([
    { unit_id: med.id, unit_code: med.code, direction: 'in', mine: null, theirs: 3, partner_status: 'draft' },
  ]);
  const agreed = entry({ transfers_in: 3, counted: 21 }, { transfers: [move(med, 'in', 3)], submit: true });
  expect((await put(kofi, atSur(), agreed)).day.conditions).toEqual([]);
  expect(await cells()).toEqual([{ from_unit: med.no, to_unit: sur.no, out_count: 3, in_count: 3 }]);
});

it('CEN-3 both sides in: the units close with 22 and 19, the facility’s transfers cancel out', async () => {
  const ofMed = { admissions: 5, transfers_in: 1, discharges: 4, deaths: 1, transfers_out: 3, counted: 22 };
  const ofSur = { admissions: 2, transfers_in: 3, discharges: 3, transfers_out: 1, counted: 19 };
  const fromMed = [move(sur, 'out', 3), move(sur, 'in', 1)];
  const fromSur = [move(med, 'in', 3), move(med, 'out', 1)];
  const first = await put(ana, atMed(), entry(ofMed, { transfers: fromMed, submit: true }));
  const second = await put(kofi, atSur(), entry(ofSur, { transfers: fromSur, submit: true }));
  expect([first.day.closing, second.day.closing]).toEqual([22, 19]);
  expect(second.day.conditions).toEqual([]);
  expect(await cells()).toHaveLength(2);
});

it('CEN-R7 CEN-10 the second side to come in with another number opens a discussion with both units’ people', async () => {
  const known = await gap();
  await put(ana, atMed(), entry({ transfers_out: 3, counted: 21 }, { transfers: [move(sur, 'out', 3)], submit: true }));
  expect((await read(ana, atMed())).discussion_chat_id).toBeNull();
  expect(await gap()).toBe(known);
  const said = { transfers: [move(med, 'in', 2)], submit: true };
  const { status, day } = await put(kofi, atSur(), entry({ transfers_in: 2, counted: 20 }, said));
  expect(status).toBe(200);
  expect(day).toMatchObject({ status: 'submitted', conditions: ['unreconciled'] });
  expect(await gap()).toBe(known + 1);
  const { data } = (await ana.client.send('GET', `/api/chats/${day.discussion_chat_id}/messages`)).json();
  expect(data.map((message: { body: string }) => message.body)).toEqual([
    `reported a transfer that does not agree: 2 received from ${med.code}, which says it sent 3`,
  ]);
});

it('CEN-3 who takes a move back drops only their own side; a move of which nobody says anything is gone', async () => {
  await put(ana, atMed(), entry({ transfers_out: 3, counted: 21 }, { transfers: [move(sur, 'out', 3)] }));
  await put(kofi, atSur(), entry({ transfers_in: 3, counted: 21 }, { transfers: [move(med, 'in', 3)] }));
  await put(ana, atMed(), entry({ counted: 24 }, { version: 1 }));
  expect(await cells()).toEqual([{ from_unit: med.no, to_unit: sur.no, out_count: null, in_count: 3 }]);
  await put(kofi, atSur(), entry({ counted: 18 }, { version: 1 }));
  expect(await cells()).toEqual([]);
});

it('CEN-3 both sides at once: nothing is lost and nothing is torn', async () => {
  const answers = await Promise.all([
    put(ana, atMed(), entry({ transfers_out: 3, counted: 21 }, { transfers: [move(sur, 'out', 3)], submit: true })),
    put(kofi, atSur(), entry({ transfers_in: 3, counted: 21 }, { transfers: [move(med, 'in', 3)], submit: true })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await cells()).toEqual([{ from_unit: med.no, to_unit: sur.no, out_count: 3, in_count: 3 }]);
});

it('CEN-10 a head count that differs is said in the report’s discussion, with its reason', async () => {
  const variance_reason = 'One patient is in theatre.';
  const { day } = await put(ana, atMed(), entry({ counted: 23 }, { submit: true, variance_reason }));
  const { data } = (await ana.client.send('GET', `/api/chats/${day.discussion_chat_id}/messages`)).json();
  expect(data.map((message: { body: string }) => message.body)).toEqual([
    `counted 23, the report comes to 24: ${variance_reason}`,
  ]);
});
