import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
const revisions = () =>
  ward.server.db
    .selectFrom('unit_census_revisions')
    .selectAll()
    .where('unit_no', '=', med.no)
    .orderBy('version')
    .execute();

async function setDay(status: 'open' | 'locked' | 'reopened', date = DATE): Promise<void> {
  const { db } = ward.server;
  const change = status === 'reopened' ? { status, reopen_reason: 'A late slip' } : { status };
  // The day of a facility has many units in these tests; that all are in is not what they are about.
  const signed = {
    signed_by: ruth.id,
    signed_at: new Date(),
    locked_at: new Date(),
    units_expected: 0,
    units_submitted: 0,
  };
  const sums = { units_approved: 0, units_on_time: 0 };
  await db
    .updateTable('facility_days')
    .set({ ...change, ...signed, ...sums, transfer_gap: 0 })
    .where('facility_no', '=', ward.facilityNo)
    .where('census_date', '=', date)
    .execute();
}

async function setStatus(status: 'approved' | 'locked', date = DATE): Promise<void> {
  await ward.server.db
    .updateTable('unit_census')
    .set({ status, approved_at: new Date(), approved_by: ruth.id })
    .where('unit_no', '=', med.no)
    .where('census_date', '=', date)
    .execute();
}

describe('CEN-3 handing in what is saved', () => {
  it('CEN-3 a draft is submitted as it is stored', async () => {
    await put(ana, which(), entry({ counted: 20 }, { seed: 20 }));
    const { day } = await act(ana, which(), ['submit', { version: 1 }]);
    expect(day).toMatchObject({ status: 'submitted', version: 2, closing: 20, is_on_time: true });
    expect(await lastOf()).toMatchObject({ action: 'unit_day.submit', before: { status: 'draft' } });
  });

  it('CEN-3 what lacks a value or words is not, nor what was never begun', async () => {
    expect((await act(ana, which(), ['submit', { version: 0 }])).codes).toContain('MISSING_VALUE');
    await put(ana, which(), entry({ counted: 19 }, { seed: 20 }));
    const answer = await act(ana, which(), ['submit', { version: 1 }]);
    expect(answer).toMatchObject({ status: 422, codes: ['VARIANCE_NEEDS_REASON'] });
  });

  it('CEN-R10 not before its hour', async () => {
    const running = which('2026-11-20');
    await put(ana, running, entry({ counted: 20 }, { seed: 20 }));
    expect((await act(ana, running, ['submit', { version: 1 }])).codes).toEqual(['NOT_YET_DUE']);
  });

  it('CEN-3 whether it was in time is said of the first time and stays', async () => {
    await submitted();
    await act(ana, which(), ['withdraw', { version: 1 }]);
    setNow('2026-11-19T17:00:01Z');
    const { day } = await act(ana, which(), ['submit', { version: 2 }]);
    expect(day).toMatchObject({ status: 'submitted', is_on_time: true, submitted_at: '2026-11-19T17:00:01.000Z' });
    const second = await ward.unit(`SUR ${randomUUID().slice(0, 8)}`);
    const kofi = await ward.person(['chargeNurse'], [second]);
    expect((await report(kofi, { unit: second, date: DATE }, { seed: 1 })).is_on_time).toBe(false);
  });
});

describe('CEN-3 taking it back', () => {
  it('CEN-3 the one who submitted it may, until somebody who may approve has read it', async () => {
    await submitted();
    expect(await read(ana, which())).toMatchObject({ may: { withdraw: true }, is_reviewed: false });
    const back = await act(ana, which(), ['withdraw', { version: 1 }]);
    expect(back.day).toMatchObject({ status: 'draft', version: 2, submitted_at: null, submitted_by: null });
    await act(ana, which(), ['submit', { version: 2 }]);
    await read(ruth, which());
    const late = await act(ana, which(), ['withdraw', { version: 3 }]);
    expect(late).toMatchObject({ status: 422, codes: ['WRONG_STATUS'] });
    expect(await read(ana, which())).toMatchObject({ may: { withdraw: false }, is_reviewed: true });
  });

  it('CEN-3 somebody else of the unit may not', async () => {
    await submitted();
    const kofi = await ward.person(['chargeNurse'], [med]);
    expect((await act(kofi, which(), ['withdraw', { version: 1 }])).status).toBe(403);
  });
});

describe('CEN-3 giving it back', () => {
  it('CEN-10 the reason opens the discussion about the report with the unit’s people and the one who returned it', async () => {
    await submitted();
    const reason = 'The discharges lack bed 12.';
    const { day } = await act(ruth, which(), ['return', { version: 1, reason }]);
    expect(day).toMatchObject({ status: 'returned', version: 2, last_reason: reason, submitted_by: { id: ana.id } });
    const chat = await ana.client.send('GET', `/api/chats/${day.discussion_chat_id}`);
    expect(chat.json()).toMatchObject({ title: `${med.code} · Thu 19 Nov` });
    const { data } = (await ana.client.send('GET', `/api/chats/${day.discussion_chat_id}/messages`)).json();
    expect(data.map((message: { body: string }) => message.body)).toEqual([`returned the report: ${reason}`]);
    const people = (await ana.client.send('GET', `/api/chats/${day.discussion_chat_id}/participants`)).json().data;
    expect(people.map((person: { user_id: string }) => person.user_id).sort()).toEqual([ana.id, ruth.id].sort());
    expect(await lastOf()).toMatchObject({ action: 'unit_day.return', reason, before: { status: 'submitted' } });
    expect((await put(ana, which(), entry({ counted: 20 }, { version: 2, submit: true }))).day.status).toBe(
      'submitted',
    );
    const again = await act(ruth, which(), ['return', { version: 3, reason: 'And bed 13.' }]);
    expect(again.day.discussion_chat_id).toBe(day.discussion_chat_id);
    // To anybody else the way there would lead nowhere.
    const reader = await ward.person(['censusOfficer']);
    expect([(await read(ana, which())).discussion_chat_id, (await read(reader, which())).discussion_chat_id]).toEqual([
      day.discussion_chat_id,
      null,
    ]);
  });

  it('CEN-R19 without a reason it is refused', async () => {
    await submitted();
    for (const reason of ['', 'no', '    no    ', '😀😀😀']) {
      const answer = await act(ruth, which(), ['return', { version: 1, reason }]);
      expect(answer).toMatchObject({ status: 422, codes: ['REASON_REQUIRED'] });
    }
    expect((await read(ana, which())).status).toBe('submitted');
  });
});

describe('CEN-3 approving it', () => {
  it('CEN-3 another person approves it; what is approved is not edited', async () => {
    await submitted();
    const { day } = await act(ruth, which(), ['approve', { version: 1 }]);
    expect(day).toMatchObject({ status: 'approved', version: 2, approved_by: { id: ruth.id } });
    const edit = await put(ana, which(), entry({ counted: 20 }, { version: 2 }));
    expect(edit).toMatchObject({ status: 422, codes: ['WRONG_STATUS'] });
    expect(day.may).toEqual({
      edit: false,
      submit: false,
      withdraw: false,
      return: false,
      approve: false,
      amend: true,
    });
  });

  it('CEN-R18 nobody approves their own report where four eyes are asked for', async () => {
    await report(ruth, which(), { seed: 20 });
    expect((await read(ruth, which())).may.approve).toBe(false);
    const own = await act(ruth, which(), ['approve', { version: 1 }]);
    expect(own).toMatchObject({ status: 422, codes: ['SELF_APPROVAL'] });
    expect(await lastOf()).toMatchObject({ action: 'unit_day.approve', outcome: 'refused', actor_id: ruth.id });
    const hours = ward.server.db.updateTable('census_hours').where('facility_no', '=', ward.facilityNo);
    await hours.set({ four_eyes: false }).execute();
    const allowed = await act(ruth, which(), ['approve', { version: 1 }]);
    await hours.set({ four_eyes: true }).execute();
    expect(allowed.day.status).toBe('approved');
  });

  it('CEN-3 a step that is not there is refused by its name', async () => {
    await put(ana, which(), entry({ counted: 20 }, { seed: 20 }));
    for (const [person, verb, body] of [
      [ana, 'withdraw', {}],
      [ruth, 'approve', {}],
      [ruth, 'return', { reason: 'Not yet in' }],
      [ruth, 'amend', { reason: 'Not yet in', reason_code: 'miscount' }],
    ] as const) {
      const answer = await act(person, which(), [verb, { version: 1, ...body }]);
      expect(answer, verb).toMatchObject({ status: 422, codes: ['WRONG_STATUS'] });
    }
  });
});

describe('CEN-3 correcting it', () => {
  const amend = { reason_code: 'late_slip', reason: 'Late slip' } as const;

  it('A48 a correction says why, keeps what was said before, and is marked as made after approval', async () => {
    await submitted();
    await act(ruth, which(), ['approve', { version: 1 }]);
    expect((await act(ruth, which(), ['amend', { version: 2, ...amend, reason: 'no' }])).codes).toEqual([
      'REASON_REQUIRED',
    ]);
    const open = await act(ruth, which(), ['amend', { version: 2, ...amend }]);
    expect(open.day).toMatchObject({ status: 'amending', version: 3, last_reason: amend.reason, approved_by: null });
    const gap = await put(ana, which(), entry({ counted: null, discharges: 1 }, { version: 3 }));
    expect(gap).toMatchObject({ status: 422, codes: ['MISSING_VALUE'] });
    await put(ana, which(), entry({ counted: 19, discharges: 1 }, { version: 3, submit: true }));
    expect((await logOf(ward, ward)).at(-2)).toMatchObject({
      action: 'unit_day.save',
      before: { counted: 20, discharges: 0 },
      after: { counted: 19, discharges: 1 },
      after_approval: true,
      reason_code: 'late_slip',
      reason: amend.reason,
    });
    const kept = await revisions();
    expect(kept.map(({ version, reason }) => [version, reason])).toEqual([
      [1, null],
      [2, amend.reason],
      [3, amend.reason],
    ]);
    expect(kept.map(({ row_data }) => (row_data as { status: string; closing: number }).closing)).toEqual([20, 20, 20]);
    const done = await act(ruth, which(), ['approve', { version: 4 }]);
    expect(done.day).toMatchObject({ status: 'approved', closing: 19 });
  });

  it('CEN-3 a correction that is taken back is still a correction', async () => {
    await submitted();
    await act(ruth, which(), ['approve', { version: 1 }]);
    await act(ruth, which(), ['amend', { version: 2, ...amend }]);
    await act(ana, which(), ['submit', { version: 3 }]);
    expect((await act(ana, which(), ['withdraw', { version: 4 }])).day.status).toBe('amending');
  });

  it('CEN-R12 what is locked takes no edit, and no correction before its day is reopened', async () => {
    await submitted();
    await setStatus('locked');
    await setDay('locked');
    const { version } = await read(ana, which());
    const edit = await put(ana, which(), entry({ counted: 20 }, { version }));
    expect(edit).toMatchObject({ status: 422, codes: ['LOCKED'] });
    expect(edit.message).toBe('Thu 19 Nov is signed. It must be reopened before anything of it changes.');
    expect(await lastOf()).toMatchObject({ action: 'unit_day.save', outcome: 'refused', actor_id: ana.id });
    expect((await act(ruth, which(), ['amend', { version, ...amend }])).codes).toEqual(['LOCKED']);
    await setDay('reopened');
    expect((await put(ana, which(), entry({ counted: 20 }, { version }))).codes).toEqual(['LOCKED']);
    expect((await act(ruth, which(), ['amend', { version, ...amend }])).day.status).toBe('amending');
    await setDay('open');
  });

  it('CEN-3 a locked report takes the right to reopen days, where the facility keeps it apart', async () => {
    await submitted();
    await setStatus('locked');
    const { version } = await read(ana, which());
    const facilities = ward.server.db.updateTable('census_facilities').where('facility_no', '=', ward.facilityNo);
    await facilities.set({ split_permissions: ['census.reopen'] }).execute();
    const refused = await act(ruth, which(), ['amend', { version, ...amend }]);
    await facilities.set({ split_permissions: [] }).execute();
    expect(refused.status).toBe(403);
  });
});
