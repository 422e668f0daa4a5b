import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { startFeed } from '#/features/census/hl7/testing/adt-room.ts';
import {
  type FixtureUnit,
  fixtureOfFile,
  logOf,
  openHospital,
  type Person,
  type Place,
  read,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { actsOf, audited } from '#/testing/test-client.ts';
import { adtOf, type FeedRoom, openFeedRoom, stayFile } from './testing/feed-room.ts';

/** 10:00 on the 19th in Manila; the 18th is counted and the 19th goes on. */
const NOW = '2026-11-19T02:00:00Z';
const COUNTED = '2026-11-18';
const FIRST = '2026-11-20';
const reason = 'The hospital changes its patient system';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let ana: Person;
let admin: Person;
let room: FeedRoom;
beforeEach(async () => {
  ({ place, med, ana } = await openHospital(ward, { med: {} }));
  admin = await ward.person(['facilityAdministrator'], [], place);
  room = await openFeedRoom(ward, place);
  await report(ana, { unit: med, date: COUNTED }, { seed: 2 });
  await room.upload(admin, stayFile('MED 3A,1,V1,2026-11-03 14:20,', 'MED 3A,2,V2,2026-11-10 08:00,'), true);
  expect((await room.post(admin, '/start')).statusCode).toBe(200);
  setNow('2026-11-20T03:00:00Z');
  await room.hand(adtOf('A03', { visit: 'V1', unit: 'MED 3A', at: '202611200200' }));
});

const feedOf = async (date = FIRST) => (await read(ana, { unit: med, date })).feed;
const codeOf = (response: { json(): { findings: { code: string }[] } }) => response.json().findings[0]?.code;
const newestLog = async () => (await logOf(ward, place)).at(-1);
const feedActs = async () =>
  (await actsOf(ward.server, admin.id)).filter(({ action }) => /^census[.]feed[.](stop|forget)$/.test(action));

describe('a patient system that is stopped', () => {
  it('F-N10 says nothing of any report, and is heard all the same; why it was stopped is on record', async () => {
    expect(await feedOf()).toMatchObject({ opening: 2, closing: 1 });
    const stopped = await room.post(admin, '/stop', { reason });
    expect(stopped.json()).toMatchObject({ live_from: null, next_date: '2026-11-21' });
    expect(await feedOf()).toBeNull();
    await room.hand(adtOf('A01', { visit: 'V3', unit: 'MED 3A', at: '202611200230' }));
    expect((await room.status(admin)).heard_at).not.toBeNull();
    expect(await newestLog()).toMatchObject({
      ...{ action: 'settings.change', actor_id: admin.id, reason },
      ...{ before: { feed_live_from: FIRST }, after: { feed_live_from: null } },
    });
    expect(await feedActs()).toEqual([
      audited('census.feed.stop', [], { facility_id: place.facility.id, detail: { from: FIRST } }),
    ]);
  });

  it('F-N10 is started anew with whom it has heard of meanwhile', async () => {
    await room.post(admin, '/stop', { reason });
    await room.hand(adtOf('A01', { visit: 'V3', unit: 'MED 3A', at: '202611200230' }));
    expect((await room.post(admin, '/start')).json()).toMatchObject({ live_from: '2026-11-21' });
    expect(await feedOf()).toBeNull();
    setNow('2026-11-21T03:00:00Z');
    expect(await feedOf('2026-11-21')).toMatchObject({ opening: 2, closing: 2 });
  });

  it('F-N10 CEN-R19 is not stopped without a reason, nor twice; the same request again is the same act', async () => {
    expect(codeOf(await room.post(admin, '/stop', { reason: 'no' }))).toBe('REASON_REQUIRED');
    expect(await feedOf()).not.toBeNull();
    const client_id = randomUUID();
    for (const time of ['once', 'again'])
      expect((await room.post(admin, '/stop', { client_id, reason })).statusCode, time).toBe(200);
    expect(codeOf(await room.post(admin, '/stop', { reason }))).toBe('WRONG_STATUS');
    expect(await feedActs()).toHaveLength(1);
  });
});

/** As {@link adtOf}, of what is no visit's. */
const headOf = (trigger: string) => {
  const time = '20261120020000+0000';
  return `MSH|^~\\&|ADT|H1|CENSUS|H1|${time}||ADT^${trigger}|${randomUUID()}|P|2.5.1\rEVN|${trigger}|${time}`;
};

describe('what the patient system has told', () => {
  const kept = async (facilityNo: number) => {
    const tables = ['events', 'stays', 'movements', 'unknown_stays', 'merges', 'beds'].map((name) => `adt_${name}`);
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const found = await sql<{ rows: number }>`
        select count(*)::int as rows from ${sql.table(table)} where facility_no = ${facilityNo}`.execute(
        ward.server.db,
      );
      counts[table] = found.rows[0]?.rows ?? 0;
    }
    return counts;
  };
  const nothing = { adt_events: 0, adt_stays: 0, adt_movements: 0, adt_unknown_stays: 0, adt_merges: 0, adt_beds: 0 };

  it('F-N10 is not forgotten while it counts, nor without a reason', async () => {
    const before = await kept(place.facilityNo);
    expect(codeOf(await room.post(admin, '/forget', { reason }))).toBe('WRONG_STATUS');
    await room.post(admin, '/stop', { reason });
    expect(codeOf(await room.post(admin, '/forget', { reason: 'no' }))).toBe('REASON_REQUIRED');
    expect(await kept(place.facilityNo)).toEqual(before);
  });

  it('F-N10 A31 is forgotten whole, in this facility alone, and another one begins with whom it brings in', async () => {
    const elsewhere = await ward.elsewhere();
    const theirs = await ward.unit('MED 3A', {}, elsewhere);
    // Who sets both up reaches both.
    const { facility } = elsewhere;
    await makeMembership(ward.server.db, { userId: admin.id, facility, roles: ['facilityAdministrator'] });
    const other = await openFeedRoom(ward, elsewhere);
    await startFeed(ward.server.db, facility.id);
    await other.hand(adtOf('A01', { visit: 'V1', unit: theirs.code, at: '202611190200' }));
    for (const { hand } of [room, other]) {
      await hand(adtOf('A03', { visit: 'V9', unit: 'MED 3A', at: '202611200200' }));
      expect(await hand(`${headOf('A20')}\rNPU|MED 3A^1^1|H`)).toContain('MSA|AA|');
      const visit = Array.from({ length: 20 }, (_, index) => ({ 0: 'PV1', 2: 'I', 19: 'V2' })[index] ?? '').join('|');
      expect(await hand(`${headOf('A40')}\rPID|1||PV2\rMRG|PV3||||V3\r${visit}`)).toContain('MSA|AA|');
    }
    const theirRows = await kept(elsewhere.facilityNo);
    for (const rows of [theirRows, await kept(place.facilityNo)])
      expect(Object.entries(rows).filter(([, count]) => count === 0)).toEqual([]);

    await room.post(admin, '/stop', { reason });
    const status = (await room.post(admin, '/forget', { reason })).json();
    expect(status).toMatchObject({ heard_at: null, units: [{ unit_code: 'MED 3A', told: 0 }] });
    expect(await kept(place.facilityNo)).toEqual(nothing);
    expect(await kept(elsewhere.facilityNo)).toEqual(theirRows);
    expect(await newestLog()).toMatchObject({
      ...{ action: 'settings.change', actor_id: admin.id, reason },
      ...{ before: { feed_patients: 1 }, after: { feed_patients: 0 } },
    });
    expect((await feedActs()).at(-1)).toEqual(
      audited('census.feed.forget', [], { facility_id: place.facility.id, detail: { patients: 1, visits: 3 } }),
    );

    await room.upload(admin, stayFile('MED 3A,1,N1,2026-11-03 14:20,', 'MED 3A,2,N2,2026-11-10 08:00,'), true);
    expect((await room.post(admin, '/start')).json()).toMatchObject({ live_from: '2026-11-21' });
    setNow('2026-11-21T03:00:00Z');
    expect(await feedOf('2026-11-21')).toMatchObject({ opening: 2, closing: 2 });
    expect(await feedOf()).toBeNull();
  });
});

it('F-N10 PERM-2 only who sets the census up stops it and forgets what it told', async () => {
  const officer = await ward.person(['censusOfficer'], [], place);
  for (const act of ['/stop', '/forget']) {
    expect((await room.post(officer, act, { reason })).statusCode).toBe(403);
    expect(await newestLog()).toMatchObject({ outcome: 'refused', actor_id: officer.id });
  }
  expect(await feedOf()).not.toBeNull();
});
