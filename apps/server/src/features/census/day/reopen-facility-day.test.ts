import { beforeEach, describe, expect, it } from 'vitest';
import {
  act,
  entry,
  type FixtureUnit,
  fixtureOfFile,
  logOf,
  openHospital,
  type Person,
  type Place,
  put,
  read,
} from '#/features/census/reports/testing/census-fixture.ts';
import { splitOff, whileItWaits } from '#/features/census/testing/while-it-waits.ts';
import { actOnDay, approveBoth, dayUrl, getDay, reportStatuses } from './testing/days.ts';

/** 08:00 on the 20th in Manila: the 19th, a Thursday, is counted and due. */
const NOW = '2026-11-20T00:00:00Z';
const DATE = '2026-11-19';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let ruth: Person;
let url: string;
beforeEach(async () => {
  ({ place, med, icu, ana, ruth } = await openHospital(ward, { med: {}, icu: { staffed: 10 } }));
  url = dayUrl(place, DATE);
});

const bothIn = () => approveBoth({ ana, ruth, med, icu }, DATE);
const statusesOf = () => reportStatuses(ward, place, DATE);

describe('reopening', () => {
  const reopen = { reason_code: 'late_slip', reason: 'A discharge slip came late' };

  it('CEN-3 CEN-R19 asks for a reason', async () => {
    await bothIn();
    await actOnDay(ruth, `${url}/sign`, { version: 1, lock: true });
    const refused = await actOnDay(ruth, `${url}/reopen`, { version: 3, reason_code: 'other', reason: '  why ' });
    expect(refused).toMatchObject({ status: 422, codes: ['REASON_REQUIRED'] });
    expect(Object.keys(refused.body.errors ?? {})).toEqual(['reason']);
  });

  it('CEN-3 leaves the reports locked until one is amended, and the day is signed anew', async () => {
    await bothIn();
    await actOnDay(ruth, `${url}/sign`, { version: 1, lock: true });
    const opened = await actOnDay(ruth, `${url}/reopen`, { version: 3, ...reopen });
    expect(opened.day).toMatchObject({
      status: 'reopened',
      version: 4,
      reopen_reason: reopen.reason,
      signed_at: null,
      log_head: null,
      may: { sign: true, reopen: false },
    });
    expect(await statusesOf()).toEqual(['locked', 'locked']);
    const which = { unit: med, date: DATE };
    const locked = await read(ruth, which);
    const amending = await act(ruth, which, ['amend', { version: locked.version, ...reopen }]);
    expect(amending.day.status).toBe('amending');
    const blocked = await actOnDay(ruth, `${url}/sign`, { version: 4 });
    expect(blocked.messages).toEqual(['MED 3A being corrected']);
    const counts = { discharges: 1, counted: 23 };
    const corrected = await put(ana, which, entry(counts, { version: amending.day.version, submit: true }));
    expect(corrected.status).toBe(200);
    await act(ruth, which, ['approve', { version: corrected.day.version }]);
    const signed = await actOnDay(ruth, `${url}/sign`, { version: 4, lock: true });
    expect(signed.day).toMatchObject({ status: 'locked', reopen_reason: null });
    expect(await statusesOf()).toEqual(['locked', 'locked']);
    expect((await logOf(ward, place)).findLast(({ action }) => action === 'facility_day.sign')).toMatchObject({
      before: { status: 'reopened' },
      after: { census: 31 },
      after_approval: true,
    });
  });

  it('CEN-3 CEN-R12 a report of a signed day is not amended while the day is not reopened', async () => {
    await bothIn();
    await actOnDay(ruth, `${url}/sign`, { version: 1 });
    const which = { unit: med, date: DATE };
    const approved = await read(ruth, which);
    const refused = await act(ruth, which, ['amend', { version: approved.version, ...reopen }]);
    expect(refused).toMatchObject({ status: 422, codes: ['LOCKED'] });
  });

  it('CEN-3 is nothing for a day that nobody signed', async () => {
    const refused = await actOnDay(ruth, `${url}/reopen`, { version: 1, ...reopen });
    expect(refused).toMatchObject({ status: 422, codes: ['WRONG_STATUS'], messages: ['Thu 19 Nov is not signed.'] });
  });

  it('PERM-3 A48 is refused where its permission is split off while it waits for its turn', async () => {
    await bothIn();
    await actOnDay(ruth, `${url}/sign`, { version: 1, lock: true });
    const { facilityNo } = place;
    const answer = await whileItWaits({
      ...{ db: ward.server.db, facilityNo, change: splitOff(facilityNo, 'census.reopen') },
      act: () => actOnDay(ruth, `${url}/reopen`, { version: 3, ...reopen }),
    });
    expect(answer.status).toBe(403);
  });

  it('PERM-3 takes its own permission where the facility split it off', async () => {
    await bothIn();
    await actOnDay(ruth, `${url}/sign`, { version: 1 });
    await ward.server.db
      .updateTable('census_facilities')
      .set({ split_permissions: ['census.reopen'] })
      .where('facility_no', '=', place.facilityNo)
      .execute();
    expect((await actOnDay(ruth, `${url}/reopen`, { version: 2, ...reopen })).status).toBe(403);
    expect((await getDay(ruth, place, DATE)).day.may.reopen).toBe(false);
  });
});
