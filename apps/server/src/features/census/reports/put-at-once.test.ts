import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '#/features/census/core/append-log.ts';
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
  setNow,
} from './testing/census-fixture.ts';

/** 00:38 on the 20th in Manila: the 19th is counted and due at 01:00. */
const NOW = '2026-11-19T16:38:00Z';
const DATE = '2026-11-19';

let ward: CensusFixture;
let med: FixtureUnit;
let ana: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  med = await ward.unit(`MED ${randomUUID().slice(0, 8)}`);
  ana = await ward.person(['chargeNurse'], [med]);
});

const which = (date = DATE) => ({ unit: med, date });
const rows = () => ward.server.db.selectFrom('unit_census').selectAll().where('unit_no', '=', med.no).execute();

describe('two at once', () => {
  it('CEN-R13 A48 a stale version is refused with 409, and nothing of it is written', async () => {
    await put(ana, which(), entry({ counted: 10 }, { seed: 10 }));
    const before = await rows();
    const stale = await put(ana, which(), entry({ counted: 8 }, { version: 2 }));
    expect(stale).toMatchObject({ status: 409, codes: ['VERSION_CONFLICT'] });
    expect(stale.body.code).toBe('conflict');
    expect(await rows()).toEqual(before);
    const noted = (await logOf(ward, ward)).at(-1);
    expect(noted).toMatchObject({ action: 'unit_day.save', outcome: 'refused', actor_id: ana.id, census_date: DATE });
  });

  it('F-N3 CEN-R13 a save or report that replaces one’s own save, whose answer was lost, is no conflict', async () => {
    const lost = entry({ counted: 10 }, { seed: 10 });
    await put(ana, which(), lost);
    expect((await put(ana, which(), lost)).day).toMatchObject({ version: 1, saved_request: lost.client_id });
    const next = entry({ counted: null }, { seed: 10, replaces: [lost.client_id] });
    expect(await put(ana, which(), next)).toMatchObject({ status: 200, day: { version: 2 } });
    expect((await put(ana, which(), entry({}, { seed: 10, replaces: [lost.client_id] }))).status).toBe(409);
    const report = entry({ counted: 10 }, { seed: 10, submit: true, replaces: [lost.client_id, next.client_id] });
    expect(await put(ana, which(), report)).toMatchObject({ status: 200, day: { version: 3, status: 'submitted' } });
  });

  it('F-N3 a report over one’s own draft is no conflict, one over a colleague’s draft is', async () => {
    setNow('2026-11-19T16:00:00Z');
    const kofi = await ward.person(['chargeNurse'], [med]);
    await put(ana, which(), entry({ counted: 10 }, { seed: 10 }));
    const late = entry({ counted: 12 }, { seed: 12, submit: true });
    expect(await put(kofi, which(), late)).toMatchObject({ status: 409, codes: ['VERSION_CONFLICT', 'DUPLICATE'] });
    expect((await read(kofi, which())).saved_request).toBeNull();
    const own = entry({ counted: 11 }, { seed: 11, submit: true });
    expect(await put(ana, which(), own)).toMatchObject({ status: 200, day: { version: 2, opening: 11 } });
  });

  it('F-N3 what was returned since is a conflict also for who replaces a request of their own', async () => {
    setNow('2026-11-19T16:00:00Z');
    const yara = await ward.person(['houseSupervisor']);
    const lost = entry({ counted: 10 }, { seed: 10, submit: true });
    await put(ana, which(), lost);
    await act(yara, which(), ['return', { version: 1, reason: 'Count again.' }]);
    const again = entry({ counted: 10 }, { seed: 10, submit: true, replaces: [lost.client_id] });
    expect((await put(ana, which(), again)).status).toBe(409);
  });

  it('CEN-R9 A48 of ten who begin the same report at once one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => put(ana, which(), entry({ counted: n }, { seed: 10 }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.codes).toEqual(['VERSION_CONFLICT', 'DUPLICATE']);
    expect(await rows()).toHaveLength(1);
  });

  it('A48 a submission that is sent twice at midnight is one: the same client id finds what the first did', async () => {
    setNow('2026-11-19T16:00:00Z');
    const body = entry({ counted: 10 }, { seed: 10, submit: true });
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(ana, which(), body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ day }) => day.version))).toEqual(new Set([1]));
    const mine = (await logOf(ward, ward)).filter(({ actor_id }) => actor_id === ana.id);
    expect(mine.map(({ action }) => action)).toEqual(['unit_day.save', 'unit_day.submit']);
    const other = await put(ana, which(), { ...body, client_id: randomUUID() });
    expect(other.status).toBe(409);
  });

  it('A48 what a device sent to a build with other names and sends again is the same', async () => {
    const { client_id, ...body } = entry({ counted: 10 }, { seed: 10 });
    await put(ana, which(), { client_id, ...body });
    const { unit, date } = which();
    const params = { unit: unit.id, date, class: 'adult_child' };
    const hash = createHash('sha256')
      .update(canonicalJson({ endpoint: 'putUnitDay', params, body }))
      .digest('hex');
    const noted = ward.server.db
      .selectFrom('census_requests')
      .select('request_hash')
      .where('client_id', '=', client_id);
    expect((await noted.executeTakeFirstOrThrow()).request_hash.toString('hex')).toBe(hash);
  });

  it('A48 another text under a client id that was used is refused', async () => {
    const body = entry({ counted: 10 }, { seed: 10 });
    await put(ana, which(), body);
    const reused = await put(ana, which(), { ...body, note: 'Another report' });
    expect(reused).toMatchObject({ status: 409, body: { code: 'client_id_reused' } });
  });

  it('CEN-2 a report that leaves an offline device hours later comes in once, late, with the device’s own time', async () => {
    setNow('2026-11-19T21:00:00Z');
    const device_time = '2026-11-19T16:20:00Z';
    const body = entry({ counted: 10 }, { seed: 10, submit: true, device_time });
    const first = await put(ana, which(), body);
    const again = await put(ana, which(), { ...body, device_time: '2026-11-19T16:20:01Z' });
    expect(first.day).toMatchObject({
      is_on_time: false,
      conditions: ['late'],
      submitted_at: '2026-11-19T21:00:00.000Z',
    });
    expect(again.day).toEqual(first.day);
    const submits = (await logOf(ward, ward)).filter(
      ({ actor_id, action }) => actor_id === ana.id && action === 'unit_day.submit',
    );
    expect(submits.map((line) => line.device_time)).toEqual([device_time]);
  });
});
