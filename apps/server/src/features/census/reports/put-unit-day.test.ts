import { randomUUID } from 'node:crypto';
import type { Counts } from '@wardline/contract/census/census.ts';
import type { UnitDayEntry } from '@wardline/contract/census/unit.ts';
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

/** 00:38 on the 20th in Manila: the 19th is counted and due at 01:00. */
const NOW = '2026-11-19T16:38:00Z';
const DATE = '2026-11-19';

let ward: CensusFixture;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`);
  icu = await ward.unit(`ICU ${randomUUID().slice(0, 8)}`);
  ana = await ward.person(['chargeNurse'], [med]);
});

const which = (date = DATE) => ({ unit: med, date });
const rows = () => ward.server.db.selectFrom('unit_census').selectAll().where('unit_no', '=', med.no).execute();

describe('a report', () => {
  it('CEN-1 opens with the closing of the day before and answers with the whole balance', async () => {
    await report(ana, which('2026-11-18'), { seed: 24 });
    expect(await read(ana, which())).toMatchObject({
      status: 'draft',
      version: 0,
      opening: 24,
      opening_from: '2026-11-18',
      conditions: ['due'],
      beds: { licensed: 30, physical: 30, staffed: 28, surge: 0, blocked: 0 },
      census_at: '2026-11-19T16:00:00.000Z',
      due_at: '2026-11-19T17:00:00.000Z',
      may: { edit: true, submit: true, withdraw: false, return: false, approve: false, amend: false },
    });
    const counts = { admissions: 5, discharges: 4, deaths: 1, ad_same_day: 1, on_leave: 2, counted: 22 };
    const { status, day } = await put(ana, which(), entry(counts, { submit: true, beds_blocked: 1 }));
    expect(status).toBe(200);
    expect(day).toMatchObject({
      status: 'submitted',
      version: 1,
      opening: 24,
      closing: 24,
      present: 22,
      service_days: 23,
      is_on_time: true,
      submitted_by: { id: ana.id, name: ana.name },
      beds: { staffed: 28, blocked: 1 },
    });
  });

  it.each([
    ['2026-11-19T17:00:00.000Z', true, []],
    ['2026-11-19T17:00:00.001Z', false, ['late']],
  ])('CEN-2 CEN-R10 is due at 01:00 sharp: handed in at %s it is in time: %s', async (now, isOnTime, conditions) => {
    setNow(now);
    const { day } = await put(ana, which(), entry({ counted: 24 }, { seed: 24, submit: true }));
    expect(day).toMatchObject({ status: 'submitted', submitted_at: now, is_on_time: isOnTime, conditions });
  });

  it('CEN-2 is saved half empty as a draft, from the start of its date, and not handed in with gaps', async () => {
    const empty = {
      ...entry({}, { seed: 10 }),
      counts: { ...(entry()['counts'] as Counts), admissions: null, counted: null },
    };
    expect((await put(ana, which('2026-11-20'), empty)).day).toMatchObject({
      status: 'draft',
      version: 1,
      closing: null,
    });
    const tooEarly = await put(ana, which('2026-11-21'), { ...empty, client_id: randomUUID() });
    expect(tooEarly).toMatchObject({ status: 422, codes: ['NOT_YET_DUE'] });
    const gaps = await put(ana, which(), { ...empty, client_id: randomUUID(), submit: true });
    expect(gaps).toMatchObject({ status: 422, codes: ['MISSING_VALUE', 'MISSING_VALUE'] });
    expect(Object.keys(gaps.body.errors ?? {})).toEqual(['admissions', 'counted']);
  });

  it('CEN-1 a save that changes nothing leaves nothing: no version, no log entry', async () => {
    const first = await put(ana, which(), entry({ counted: 10 }, { seed: 10 }));
    const before = await logOf(ward, ward);
    const again = await put(ana, which(), entry({ counted: 10 }, { version: 1 }));
    expect(again.day).toEqual(first.day);
    expect(await logOf(ward, ward)).toEqual(before);
  });

  it('CEN-3 keeps the words and beds that a later save does not mention, and drops those that it blanks', async () => {
    await put(
      ana,
      which(),
      entry({ counted: 10 }, { seed: 10, note: 'Bed 4 is a cot', beds_blocked: 2, beds_staffed: 20 }),
    );
    const kept = await put(ana, which(), entry({ counted: 9 }, { version: 1 }));
    expect(kept.day).toMatchObject({ note: 'Bed 4 is a cot', opening: 10, beds: { blocked: 2, staffed: 20 } });
    const dropped = await put(ana, which(), entry({ counted: 9 }, { version: 2, note: '', beds_staffed: null }));
    expect(dropped.day).toMatchObject({ note: null, beds: { blocked: 2, staffed: 28 } });
  });

  it('CEN-3 the beds of a stored report stay when the plan changes', async () => {
    await put(ana, which(), entry({ counted: 10 }, { seed: 10 }));
    await ward.server.db.updateTable('bed_complements').set({ staffed: 5 }).where('unit_no', '=', med.no).execute();
    expect((await read(ana, which())).beds.staffed).toBe(28);
    expect((await read(ana, which('2026-11-20'))).beds.staffed).toBe(5);
  });

  it('CEN-3 a unit without a plan of its beds has none of any kind', async () => {
    const unit = await ward.unit(`OPD ${randomUUID().slice(0, 8)}`, { staffed: 0 });
    const { beds } = await read(ana, { unit, date: DATE });
    expect(beds).toEqual({ licensed: 0, physical: 0, staffed: 0, surge: 0, blocked: 0 });
  });

  it('A46 the log says what changed and no more, with the device’s own time beside', async () => {
    const device_time = '2026-11-19T16:37:00Z';
    await put(ana, which(), entry({ counted: 10 }, { seed: 10 }));
    const left = entry(
      { counted: 8, discharges: 1, transfers_out: 1 },
      { version: 1, submit: true, device_time, transfers: [{ unit_id: icu.id, direction: 'out', count: 1 }] },
    );
    await put(ana, which(), left);
    const [begin, save, submit] = (await logOf(ward, ward)).slice(-3);
    expect(begin?.after).not.toHaveProperty('transfers');
    expect(save).toMatchObject({
      action: 'unit_day.save',
      outcome: 'done',
      actor_id: ana.id,
      census_date: DATE,
      before: { counted: 10, discharges: 0, transfers: null },
      after: { counted: 8, discharges: 1, transfers: `out: ${icu.code} 1` },
      after_approval: false,
      device_time,
    });
    expect(submit).toMatchObject({
      action: 'unit_day.submit',
      before: { status: 'draft' },
      after: { status: 'submitted', closing: 8, counted: 8, is_on_time: true },
    });
  });
});

describe('what is refused', () => {
  const refused: readonly [string, string, Partial<Counts>, Partial<UnitDayEntry>][] = [
    ['CEN-R1 a typed total that is not the computed one', 'UNBALANCED', { counted: 20 }, { closing: 21 }],
    ['CEN-R2 an opening that is not the closing before', 'OPENING_MISMATCH', { counted: 23 }, { seed: 23 }],
    [
      'CEN-R4 more same-day patients than left',
      'AD_EXCEEDS_SEPARATIONS',
      { admissions: 5, discharges: 2, ad_same_day: 3, counted: 23 },
      {},
    ],
    [
      'CEN-R4 more same-day patients than came',
      'AD_EXCEEDS_ADMISSIONS',
      { admissions: 1, discharges: 2, ad_same_day: 2, counted: 19 },
      {},
    ],
    [
      'CEN-R5 more deaths under 48 h than deaths',
      'SUBSET_EXCEEDS_TOTAL',
      { deaths: 1, deaths_u48: 2, counted: 19 },
      {},
    ],
    ['CEN-R6 more who left than were there', 'NEGATIVE_CLOSING', { discharges: 25 }, {}],
    ['CEN-R14 more on leave than are left', 'LEAVE_EXCEEDS_CENSUS', { discharges: 18, on_leave: 3 }, {}],
    ['CEN-R16 births where no newborn is counted', 'BIRTHS_NOT_ALLOWED', { births: 1, counted: 21 }, {}],
    ['a head count that differs without words', 'VARIANCE_NEEDS_REASON', { counted: 19 }, {}],
    [
      'CEN-R20 more patients than beds without words',
      'OVER_CAPACITY_NEEDS_REASON',
      { admissions: 20, counted: 40 },
      {},
    ],
    ['more staffed beds than there are', 'STAFFED_EXCEEDS_BEDS', { counted: 20 }, { beds_staffed: 31 }],
    ['more blocked beds than there are', 'BLOCKED_EXCEEDS_BEDS', { counted: 20 }, { beds_blocked: 31 }],
    [
      'more blocked beds than are staffed',
      'BLOCKED_EXCEEDS_BEDS',
      { counted: 20 },
      { beds_staffed: 10, beds_blocked: 12, capacity_reason: 'In the corridor' },
    ],
    ['transfers that no partner is named for', 'UNBALANCED', { transfers_out: 1, counted: 19 }, {}],
  ];

  it.each(refused)('CEN-2 %s', async (_what, code, counts, more) => {
    await report(ana, which('2026-11-18'), { seed: 20 });
    const answer = await put(ana, which(), entry(counts, { submit: true, ...more }));
    expect(answer.status).toBe(422);
    expect(answer.codes).toContain(code);
    expect((await rows()).map((row) => row.census_date)).toEqual(['2026-11-18']);
  });

  it('CEN-R3 what is no count is refused at its field', async () => {
    for (const wrong of [-1, 2.5, '3a', '1e3', 10_000]) {
      const body = entry();
      const answer = await put(ana, which(), { ...body, counts: { ...(body['counts'] as Counts), discharges: wrong } });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors ?? {})).toEqual(['counts.discharges']);
    }
  });

  it('F-N14 CEN-R3 what is no count carries the code INVALID_COUNT and its field, wherever it stands', async () => {
    const counts = entry()['counts'] as Counts;
    const invalid = (field: string) => ({ status: 422, body: { findings: [{ code: 'INVALID_COUNT', field }] } });
    for (const wrong of [-1, 2.5, '3a', '1e3', '', true, [], 10_000]) {
      const answer = await put(ana, which(), { ...entry(), counts: { ...counts, discharges: wrong } });
      expect(answer).toMatchObject(invalid('discharges'));
    }
    expect(await put(ana, which(), { ...entry(), seed: -1 })).toMatchObject(invalid('seed'));
    expect(await put(ana, which(), { ...entry(), beds_blocked: 1.5 })).toMatchObject(invalid('beds_blocked'));
    const transfers = [{ unit_id: icu.id, direction: 'out', count: -2 }];
    expect(await put(ana, which(), { ...entry(), transfers })).toMatchObject(invalid('transfers'));
  });

  it('F-N14 CEN-R20 a reason of zero-width spaces is none', async () => {
    const variance_reason = '\u200b'.repeat(12);
    const body = entry({ counted: 4 }, { seed: 5, submit: true, variance_reason });
    expect(await put(ana, which(), body)).toMatchObject({ status: 422, codes: ['VARIANCE_NEEDS_REASON'] });
  });

  it('F-N14 CEN-1 a reason for a difference is gone once the count agrees, also where it is sent again', async () => {
    const reasons = { variance_reason: 'One at X-ray.', capacity_reason: 'Two in the corridor.' };
    const first = await put(ana, which(), entry({ counted: 39 }, { seed: 40, ...reasons }));
    expect(first.day).toMatchObject(reasons);
    const typing = entry({ counted: null }, { seed: 40, version: 1 });
    expect((await put(ana, which(), typing)).day).toMatchObject(reasons);
    const agreed = entry({ counted: 40 }, { seed: 40, version: 2, submit: true, ...reasons });
    expect((await put(ana, which(), agreed)).day).toMatchObject({ ...reasons, variance_reason: null });
    const other = which('2026-11-18');
    const fits = await put(ana, other, entry({ counted: 7 }, { seed: 7, submit: true, ...reasons }));
    expect(fits.day).toMatchObject({ variance_reason: null, capacity_reason: null });
  });

  it('CEN-1 a reason for other numbers is asked for again, and stays where it is said to be of these too', async () => {
    const variance_reason = 'One at X-ray.';
    const first = await put(ana, which(), entry({ counted: 4 }, { seed: 5, variance_reason }));
    expect(first.day).toMatchObject({ variance_reason, variance_for: -1 });
    const later = { seed: 5, variance_reason, submit: true };
    const stale = await put(ana, which(), entry({ counted: 3 }, { ...later, version: 1 }));
    expect(stale).toMatchObject({ status: 422, codes: ['VARIANCE_NEEDS_REASON'] });
    const draft = await put(ana, which(), entry({ counted: 3 }, { ...later, version: 1, submit: false }));
    expect(draft.day).toMatchObject({ variance_reason, variance_for: -1 });
    const handedIn = await act(ana, which(), ['submit', { version: 2 }]);
    expect(handedIn).toMatchObject({ status: 422, codes: ['VARIANCE_NEEDS_REASON'] });
    const kept = await put(ana, which(), entry({ counted: 3 }, { ...later, version: 2, variance_for: -2 }));
    expect(kept.day).toMatchObject({ status: 'submitted', variance_reason, variance_for: -2 });
    const logged = await logOf(ward, ward);
    expect(logged.findLast(({ action }) => action === 'unit_day.save')).toMatchObject({
      before: { variance_for: -1 },
      after: { variance_for: -2 },
    });
  });

  it('CEN-1 a returned report asks for its reason anew once its numbers have changed', async () => {
    const ruth = await ward.person(['censusOfficer']);
    const variance_reason = 'One at X-ray.';
    await put(ana, which(), entry({ counted: 4 }, { seed: 5, submit: true, variance_reason }));
    await act(ruth, which(), ['return', { version: 1, reason: 'Two discharges are missing.' }]);
    const corrected = { seed: 5, version: 2, submit: true };
    expect(
      await put(ana, which(), entry({ discharges: 2, counted: 4 }, { ...corrected, variance_reason })),
    ).toMatchObject({
      status: 422,
      codes: ['VARIANCE_NEEDS_REASON'],
    });
    const anew = { ...corrected, variance_reason: 'One came back unseen.' };
    const { day } = await put(ana, which(), entry({ discharges: 2, counted: 4 }, anew));
    expect(day).toMatchObject({ status: 'submitted', variance_for: 1 });
  });

  it('CEN-1 says whose head count and whose reason stand in the report', async () => {
    const ben = await ward.person(['chargeNurse'], [med]);
    const author = ({ id, name }: Person) => ({ id, name });
    const said = { seed: 5, variance_reason: 'One at X-ray.' };
    await put(ana, which(), entry({ counted: 4 }, said));
    const noted = await put(ben, which(), entry({ counted: 4 }, { ...said, version: 1, note: 'Seen at 23:58' }));
    expect(noted.day).toMatchObject({ counted_by: author(ana), variance_by: author(ana) });
    const counted = await put(ben, which(), entry({ counted: 3 }, { ...said, version: 2 }));
    expect(counted.day).toMatchObject({ counted_by: author(ben), variance_by: author(ana) });
    const kept = await put(ben, which(), entry({ counted: 3 }, { ...said, version: 3, variance_for: -2 }));
    expect(kept.day).toMatchObject({ counted_by: author(ben), variance_by: author(ben) });
    const gone = await put(ana, which(), entry({ counted: 5 }, { seed: 5, version: 4 }));
    expect(gone.day).toMatchObject({ counted_by: author(ana), variance_for: null, variance_by: null });
  });

  it('CEN-R6 a draft that closes below nothing is refused before all of it is given', async () => {
    const body = entry({ discharges: 5, ad_same_day: null, on_leave: null, counted: null }, { seed: 3 });
    expect(await put(ana, which(), body)).toMatchObject({ status: 422, codes: ['NEGATIVE_CLOSING'] });
  });

  it('CEN-R3 counts that are each possible but together are not', async () => {
    const body = entry({ admissions: 9999, discharges: 9999, ad_same_day: null }, { seed: 9999 });
    expect(await put(ana, which(), body)).toMatchObject({ status: 422, codes: ['INVALID_COUNT'] });
  });

  it('CEN-R8 CEN-R9 a transfer to the unit itself, a partner twice, and a unit that is not there', async () => {
    const elsewhere = await ward.unit('OTHER', {}, await ward.elsewhere());
    const closed = await ward.unit(`OLD ${randomUUID().slice(0, 8)}`, { active: '[,2026-01-01)' });
    const say = (unit_ids: string[]) =>
      put(
        ana,
        which(),
        entry(
          { transfers_out: unit_ids.length },
          { seed: 5, transfers: unit_ids.map((unit_id) => ({ unit_id, direction: 'out', count: 1 })) },
        ),
      );
    expect((await say([med.id])).codes).toEqual(['TRANSFER_SELF']);
    expect((await say([icu.id, icu.id])).codes).toEqual(['DUPLICATE']);
    for (const id of [elsewhere.id, closed.id, randomUUID()])
      expect((await say([id])).codes).toEqual(['UNIT_INACTIVE']);
    expect(await rows()).toEqual([]);
  });

  it('CEN-R10 nothing is handed in before the census instant', async () => {
    setNow('2026-11-19T15:59:59Z');
    expect(await put(ana, which(), entry({}, { seed: 0, submit: true }))).toMatchObject({
      status: 422,
      codes: ['NOT_YET_DUE'],
      message: 'Thu 19 Nov is not counted yet: it can be submitted after its census hour.',
    });
    setNow('2026-11-19T16:00:00Z');
    expect((await put(ana, which(), entry({}, { seed: 0, submit: true }))).status).toBe(200);
  });

  it('CEN-3 the report of a unit’s last day is handed in once nobody is left in it, and saved before', async () => {
    const closing = await ward.unit(`OLD ${randomUUID().slice(0, 8)}`, { active: '[,2026-11-20)' });
    const nurse = await ward.person(['chargeNurse'], [closing]);
    const [before, last] = [
      { unit: closing, date: '2026-11-18' },
      { unit: closing, date: '2026-11-19' },
    ];
    expect(await report(nurse, before, { seed: 17 })).toMatchObject({ is_last_day: false, status: 'submitted' });
    const saved = await put(nurse, last, entry({ discharges: 16, counted: 1 }));
    expect(saved).toMatchObject({ status: 200, day: { is_last_day: true, status: 'draft' } });
    for (const refused of [
      await act(nurse, last, ['submit', { version: 1 }]),
      await put(nurse, last, entry({ discharges: 16, counted: 1 }, { version: 1, submit: true })),
    ]) {
      expect([refused.status, refused.codes]).toEqual([422, ['UNIT_CLOSES']]);
      expect(refused.message).toContain('The unit closes after this day, and 1 patient is left in it.');
    }
    const gone = await put(nurse, last, entry({ discharges: 17, counted: 0 }, { version: 1, submit: true }));
    expect(gone).toMatchObject({ status: 200, day: { status: 'submitted', closing: 0 } });
  });

  it('CEN-R11 a unit that is not active on the date', async () => {
    const late = await ward.unit(`NEW ${randomUUID().slice(0, 8)}`, { active: '[2026-11-19,)' });
    const kofi = await ward.person(['chargeNurse'], [late]);
    const answer = await put(kofi, { unit: late, date: '2026-11-18' }, entry({}, { seed: 0 }));
    expect(answer).toMatchObject({ status: 422, codes: ['UNIT_INACTIVE'] });
    expect((await put(kofi, { unit: late, date: DATE }, entry({}, { seed: 0 }))).status).toBe(200);
  });

  it('CEN-R15 a date that is none, in the calendar or in the zone', async () => {
    const apia = await ward.elsewhere('Pacific/Apia');
    const unit = await ward.unit('APIA', {}, apia);
    const sina = await ward.person(['chargeNurse'], [unit], apia);
    for (const [person, place] of [
      [ana, which('2027-02-29')],
      [sina, { unit, date: '2011-12-30' }],
      [ana, which('9999-12-31')],
      [ana, which('0000-00-00')],
    ] as const) {
      expect(await put(person, place, entry({}, { seed: 0 }))).toMatchObject({ status: 422, codes: ['NO_SUCH_DATE'] });
    }
    expect((await put(sina, { unit, date: '2011-12-31' }, entry({}, { seed: 0, submit: true }))).status).toBe(200);
  });

  it('CEN-R16 births are taken in a report of newborns, which a unit without them does not have', async () => {
    const nursery = await ward.unit(`NUR ${randomUUID().slice(0, 8)}`, { populations: ['newborn'], staffed: 14 });
    const elena = await ward.person(['chargeNurse'], [nursery]);
    const newborn = { unit: nursery, date: DATE, population: 'newborn' } as const;
    const counts = { births: 4, discharges: 5, counted: 11 };
    const answer = await put(elena, newborn, entry(counts, { seed: 12, submit: true }));
    expect(answer.day).toMatchObject({ closing: 11, population: 'newborn' });
    const other = await put(elena, { unit: nursery, date: DATE }, entry({}, { seed: 0 }));
    expect(other.codes).toEqual(['UNIT_INACTIVE']);
    expect(
      (await elena.client.send('GET', `/api/census/units/${nursery.id}/days/${DATE}/adult_and_child`)).statusCode,
    ).toBe(404);
  });
});
