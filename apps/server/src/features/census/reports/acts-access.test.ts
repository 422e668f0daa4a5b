import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockHead } from '#/features/census/core/append-log.ts';
import { actsOf, audited } from '#/testing/test-client.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import {
  act,
  type CensusFixture,
  entry,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  put,
  read,
  report,
  setNow,
  urlOf,
} from './testing/census-fixture.ts';

const NOW = '2026-11-19T16:38:00Z';
const DATE = '2026-11-19';

let ward: CensusFixture;
let med: FixtureUnit;
let ana: Person;
/** May approve, reopen and sign. */
let ruth: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`);
  ana = await ward.person(['chargeNurse'], [med]);
  ruth = await ward.person(['censusOfficer'], [med]);
});

const which = (date = DATE) => ({ unit: med, date });
const submitted = () => report(ana, which(), { seed: 20 });
const lastOf = async () => (await logOf(ward, ward)).at(-1);
describe('who may', () => {
  it('A16 people of another facility find nothing, whatever they may at home', async () => {
    const other = await ward.elsewhere();
    const theirs = await ward.unit('THEIRS', {}, other);
    const visitor = await ward.person(['chargeNurse', 'censusOfficer'], [theirs], other);
    await submitted();
    const before = await logOf(ward, ward);
    expect((await visitor.client.send('GET', urlOf(which()))).statusCode).toBe(404);
    expect((await put(visitor, which(), entry({}, { version: 1 }))).status).toBe(404);
    for (const verb of ['submit', 'withdraw', 'approve']) {
      expect((await act(visitor, which(), [verb, { version: 1 }])).status).toBe(404);
    }
    expect(await logOf(ward, ward)).toEqual(before);
  });

  it('A16 a member without the assignment reads by the board’s right and writes nothing; the refusal is written down', async () => {
    const kofi = await ward.person(['chargeNurse']);
    const porter = await ward.person([]);
    expect((await read(kofi, which())).may.edit).toBe(false);
    expect((await porter.client.send('GET', urlOf(which()))).statusCode).toBe(403);
    for (const person of [kofi, porter]) {
      expect((await put(person, which(), entry({}, { seed: 0 }))).status).toBe(403);
      expect(await lastOf()).toMatchObject({ action: 'unit_day.save', outcome: 'refused', actor_id: person.id });
    }
  });

  it('A16 who is assigned but has no right to report does not, and a nurse approves nothing', async () => {
    const doctor = await ward.person(['clinician'], [med]);
    expect((await put(doctor, which(), entry({}, { seed: 0 }))).status).toBe(403);
    await submitted();
    const kofi = await ward.person(['chargeNurse'], [med]);
    for (const [verb, body] of [
      ['approve', {}],
      ['return', { reason: 'A reason' }],
      ['amend', { reason: 'A reason', reason_code: 'other' }],
    ] as const) {
      expect((await act(kofi, which(), [verb, { version: 1, ...body }])).status).toBe(403);
    }
  });
});

describe('A48 rights are read again under the lock', () => {
  it('A16 A48 a report of somebody whose assignment ends while it waits for the facility is refused', async () => {
    const { db } = ward.server;
    let saving: ReturnType<typeof put> | undefined;
    await db.transaction().execute(async (tx) => {
      await lockHead(tx, ward.facilityNo);
      saving = put(ana, which(), entry({ counted: 20 }, { seed: 20 }));
      await untilBlocked(db, saving);
      await db.deleteFrom('census_assignments').where('unit_no', '=', med.no).execute();
    });
    expect((await saving)?.status).toBe(403);
    expect(await read(ruth, which())).toMatchObject({ version: 0, status: 'draft' });
    expect(await lastOf()).toMatchObject({ action: 'unit_day.save', outcome: 'refused', actor_id: ana.id });
  });
});

describe('F-S5 a refused report', () => {
  it('F-S5 a refused report waits for nobody who holds the facility, and is written down afterwards', async () => {
    const { db } = ward.server;
    await submitted();
    const stranger = await ward.person(['chargeNurse']);
    const asked: [answer: Promise<{ status: number }>, status: number][] = [];
    await db.transaction().execute(async (tx) => {
      await lockHead(tx, ward.facilityNo);
      asked.push(
        [put(stranger, which(), entry({}, { seed: 0 })), 403],
        [put(ana, which(), entry({ counted: 20 }, { version: 7 })), 409],
        [put(ana, which(), entry({ admissions: -1 }, { version: 1 })), 422],
        [put(ana, which('2026-11-30'), entry({ counted: 20 })), 422],
        [act(ruth, which(), ['return', { version: 1, reason: ' ' }]), 422],
        [act(ruth, which(), ['amend', { version: 1, reason: 'Miscounted', reason_code: 'other' }]), 422],
        [act(ana, which('2026-11-18'), ['submit', { version: 0 }]), 422],
      );
      // They would wait until the end of this transaction, which is after their answers.
      for (const [answer, status] of asked) expect((await answer).status).toBe(status);
    });
    const refusals = async () => (await logOf(ward, ward)).filter(({ outcome }) => outcome === 'refused');
    const before = (await refusals()).length;
    expect(await ward.server.runJobs()).toBeGreaterThanOrEqual(2);
    const written = (await refusals()).slice(before).map(({ actor_id, after }) => [actor_id, after]);
    expect(written).toEqual(
      expect.arrayContaining([
        [stranger.id, { refused: 'forbidden' }],
        [ana.id, { refused: 'VERSION_CONFLICT' }],
      ]),
    );
  });

  it('F-S5 equal refusals of a quarter of an hour are one entry of the log and one of the audit', async () => {
    await submitted();
    for (let turn = 0; turn < 5; turn++) {
      expect((await put(ana, which(), entry({ counted: 20 }, { version: 7 }))).status).toBe(409);
    }
    const ofAna = (await logOf(ward, ward)).filter(
      ({ actor_id, outcome }) => actor_id === ana.id && outcome === 'refused',
    );
    expect(ofAna).toHaveLength(1);
    const counted = await ward.server.db
      .selectFrom('audit_refusal_counts as c')
      .innerJoin('audit_entries as e', 'e.id', 'c.entry_id')
      .select(['c.count', 'e.outcome'])
      .where('e.action', '=', 'census.refused')
      .where('e.actor_id', '=', ana.id)
      .execute();
    expect(counted).toEqual([{ count: 5, outcome: 'refused' }]);
  });
});

describe('A46 one transaction', () => {
  it('A46 a change whose log entry cannot be written is not made, and leaves no audit entry', async () => {
    const { db } = ward.server;
    const audits = async () => (await db.selectFrom('audit_entries').select('id').execute()).length;
    const head = db.updateTable('census_log_heads').where('facility_no', '=', ward.facilityNo);
    const { seq } = await db
      .selectFrom('census_log_heads')
      .select('seq')
      .where('facility_no', '=', ward.facilityNo)
      .executeTakeFirstOrThrow();
    const before = await audits();
    // The next number is taken, so the entry breaks the primary key.
    await report(ana, which('2026-11-18'), { seed: 3 });
    await head.set({ seq }).execute();
    const audited = await audits();
    expect(audited).toBeGreaterThan(before);
    const answer = await put(ana, which(), entry({ counted: 3 }));
    expect(answer.status).toBe(500);
    expect((await read(ana, which())).version).toBe(0);
    expect(await audits()).toBe(audited);
    await head.set({ seq: seq + 2 }).execute();
  });

  it('A46 every act leaves one audit entry that names the unit-day by ids and numbers only', async () => {
    await submitted();
    await act(ruth, which(), ['return', { version: 1, reason: 'Zaubernuss in bed 4' }]);
    const entries = await ward.server.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('object_id', '=', med.id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['census.unit_day.submit', 'census.unit_day.return']);
    expect(entries.at(-1)?.detail).toEqual({ date: DATE, population: 'adult_and_child', version: 2, moved: 0 });
    expect(JSON.stringify(entries)).not.toContain('Zaubernuss');
  });

  it('A46 CEN-7 from the first draft to an approved correction each act is one line of the log and one entry of the audit', async () => {
    const begun = (await logOf(ward, ward)).length;
    const late = { reason_code: 'late_slip', reason: 'A slip came late' };
    const back = 'Bed 12 is missing';
    await put(ana, which(), entry({ counted: 20 }, { seed: 20 }));
    await act(ana, which(), ['submit', { version: 1 }]);
    await act(ana, which(), ['withdraw', { version: 2 }]);
    await act(ana, which(), ['submit', { version: 3 }]);
    await act(ruth, which(), ['return', { version: 4, reason: back }]);
    await put(ana, which(), entry({ counted: 19, discharges: 1 }, { version: 5, submit: true }));
    await act(ruth, which(), ['approve', { version: 6 }]);
    await act(ruth, which(), ['amend', { version: 7, ...late }]);
    await act(ana, which(), ['submit', { version: 8 }]);
    await act(ana, which(), ['withdraw', { version: 9 }]);
    await put(ana, which(), entry({ counted: 18, discharges: 2 }, { version: 10 }));
    await act(ana, which(), ['submit', { version: 11 }]);
    await act(ruth, which(), ['return', { version: 12, reason: back }]);
    await act(ana, which(), ['submit', { version: 13 }]);
    await act(ruth, which(), ['approve', { version: 14 }]);
    expect(await read(ruth, which())).toMatchObject({ status: 'approved', version: 15, closing: 18 });
    const [a, r] = [ana.id, ruth.id];
    const lines = (await logOf(ward, ward)).slice(begun).map((line) => {
      expect(line).toMatchObject({ census_date: DATE, outcome: 'done' });
      const told = (side: typeof line.before) => side?.['status'] ?? side?.['counted'] ?? null;
      const { action, actor_id, after_approval, reason_code, reason } = line;
      return [action, actor_id, told(line.before), told(line.after), after_approval, reason_code, reason];
    });
    const why = [true, late.reason_code, late.reason];
    expect(lines).toEqual([
      ['unit_day.save', a, null, 20, false, null, null],
      ['unit_day.submit', a, 'draft', 'submitted', false, null, null],
      ['unit_day.withdraw', a, 'submitted', 'draft', false, null, null],
      ['unit_day.submit', a, 'draft', 'submitted', false, null, null],
      ['unit_day.return', r, 'submitted', 'returned', false, null, back],
      ['unit_day.save', a, 20, 19, false, null, null],
      ['unit_day.submit', a, 'returned', 'submitted', false, null, null],
      ['unit_day.approve', r, 'submitted', 'approved', false, null, null],
      ['unit_day.amend', r, 'approved', 'amending', ...why],
      ['unit_day.submit', a, 'amending', 'submitted', ...why],
      ['unit_day.withdraw', a, 'submitted', 'amending', true, null, null],
      ['unit_day.save', a, 19, 18, ...why],
      ['unit_day.submit', a, 'amending', 'submitted', ...why],
      ['unit_day.return', r, 'submitted', 'returned', true, null, back],
      ['unit_day.submit', a, 'returned', 'submitted', ...why],
      ['unit_day.approve', r, 'submitted', 'approved', true, null, null],
    ]);
    const acts = [
      ...['save', 'submit', 'withdraw', 'submit', 'return', 'submit', 'approve'],
      ...['amend', 'submit', 'withdraw', 'save', 'submit', 'return', 'submit', 'approve'],
    ];
    const entries = [...(await actsOf(ward.server, a)), ...(await actsOf(ward.server, r))];
    const done = entries.filter(({ action, object_id }) => object_id === med.id && action !== 'census.read');
    const version = ({ detail }: (typeof done)[number]) => Number((detail as { version: number }).version);
    const unit = { facility_id: ward.facility.id };
    expect(done.sort((one, other) => version(one) - version(other))).toEqual(
      acts.map((act, index) => {
        const detail = { date: DATE, population: 'adult_and_child', version: index + 1, moved: 0 };
        return audited(`census.unit_day.${act}`, ['unit_day', med.id], { ...unit, detail });
      }),
    );
  });
});
