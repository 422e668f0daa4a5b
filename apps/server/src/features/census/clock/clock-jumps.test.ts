import { describe, expect, it } from 'vitest';
import { entry, logOf, put, read, report, setNow } from '#/features/census/reports/testing/census-fixture.ts';
import { actionsOf } from '../day/testing/days.ts';
import { ana, clock, DATE, unit as med, place, ruth, useClockRoom, ward } from './testing/clock-room.ts';
import { daysOf } from './testing/ticking.ts';

useClockRoom({ code: 'MED 3A', opensAt: '2026-11-19T12:00:00Z' });

describe('a server whose clock jumps', () => {
  it.each([
    ['an hour', '2026-11-19T18:05:00Z'],
    ['a day', '2026-11-20T17:05:00Z'],
  ])('R20 %s ahead and back makes each census date once and says nothing twice', async (_how, jump) => {
    await clock.at('2026-11-19T17:05:00Z');
    await clock.at(jump);
    const made = await daysOf(ward, place);
    const said = await actionsOf(ward, place);
    for (const instant of ['2026-11-19T17:06:00Z', '2026-11-19T16:00:00Z', '2026-11-19T17:10:00Z', jump]) {
      await clock.at(instant);
    }
    expect(await daysOf(ward, place)).toEqual(made);
    expect(await actionsOf(ward, place)).toEqual(said);
    expect(new Set(made.map(({ census_date }) => census_date)).size).toBe(made.length);
  });

  it('R20 back before the count takes no report any more, and the one that was taken stays', async () => {
    setNow('2026-11-19T16:10:00Z');
    await report(ana, { unit: med, date: DATE }, { seed: 20 });
    const icu = await ward.unit('ICU', {}, place);
    const kofi = await ward.person(['chargeNurse'], [icu], place);
    setNow('2026-11-19T15:10:00Z');
    const { version } = await read(kofi, { unit: icu, date: DATE });
    const early = await put(kofi, { unit: icu, date: DATE }, entry({ counted: 4 }, { version, submit: true, seed: 4 }));
    expect([early.status, early.codes]).toEqual([422, ['NOT_YET_DUE']]);
    expect(await read(ana, { unit: med, date: DATE })).toMatchObject({ status: 'submitted', closing: 20 });
  });

  it('R20 back by a day leaves the log in the order in which it was written, whole to the verification', async () => {
    setNow('2026-11-20T16:10:00Z');
    const { version } = await report(ana, { unit: med, date: DATE }, { seed: 20 });
    setNow('2026-11-19T16:10:00Z');
    const withdrawn = await ana.client.send(
      'POST',
      `/api/census/units/${med.id}/days/${DATE}/adult_and_child/withdraw`,
      {
        body: { client_id: crypto.randomUUID(), version },
      },
    );
    expect(withdrawn.statusCode).toBe(200);
    const actions = (await logOf(ward, place)).map(({ action }) => action);
    expect(actions.indexOf('unit_day.submit')).toBeLessThan(actions.indexOf('unit_day.withdraw'));
    const verified = await ruth.client.send('GET', `/api/census/facilities/${place.facility.id}/logs/verify?run=true`);
    expect(verified.json()).toMatchObject({ broken_at: null });
  });
});
