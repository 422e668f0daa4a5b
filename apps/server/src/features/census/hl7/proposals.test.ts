import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockHead } from '#/features/census/core/append-log.ts';
import { actOnDay, approveBoth, dayUrl, getDay } from '#/features/census/day/testing/days.ts';
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
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { splitOff, whileItWaits } from '#/features/census/testing/while-it-waits.ts';
import { actsOf, audited } from '#/testing/test-client.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { correct, type FeedFixture, listed, openFeedFixture, proposalsUrl } from './testing/feed-fixture.ts';

/** 08:00 on the 21st in Manila: the 19th and the 20th are counted and due. */
const NOW = '2026-11-21T00:00:00Z';
const DATE = '2026-11-19';
const NEXT = '2026-11-20';

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let ana: Person;
let ruth: Person;
let owen: Person;
let feed: FeedFixture;
beforeEach(async () => {
  ({ place, med, ana, ruth } = await openHospital(ward, { med: {} }));
  owen = await ward.person(['houseSupervisor'], [], place);
  feed = await openFeedFixture(ward, place);
  for (const visit of ['V1', 'V2']) await feed.tell('A01', { visit, unit: med, at: '202611190200' });
});

/** 20:00 on the 19th in Manila. */
const EVENING = '202611191200';
const discharge = (visit = 'V1') => feed.tell('A03', { visit, unit: med, at: EVENING });
const cancelDischarge = (visit = 'V1') => feed.tell('A13', { visit, unit: med, at: EVENING });

/** Ana hands the date in, Owen approves it and Ruth signs it. */
async function signed(date = DATE, counts: Parameters<typeof entry>[0] = { admissions: 2 }) {
  const { version } = await report(ana, { unit: med, date }, { counts, ...(date === DATE && { seed: 20 }) });
  await act(owen, { unit: med, date }, ['approve', { version }]);
  const { day } = await getDay(ruth, place, date);
  const answer = await actOnDay(ruth, `${dayUrl(place, date)}/sign`, { version: day.version });
  if (answer.status !== 200) throw new Error(answer.messages.join());
}

async function reopen(date = DATE) {
  const { day } = await getDay(ruth, place, date);
  const body = { version: day.version, reason_code: 'patient_system', reason: 'A discharge came late' };
  await actOnDay(ruth, `${dayUrl(place, date)}/reopen`, body);
}

const dismiss = (person: Person, { id, version }: { id: string; version: number }, more: object = {}) =>
  person.client.send('POST', `${proposalsUrl(place)}/${id}/dismiss`, {
    body: { client_id: randomUUID(), version, reason: 'Entered in the wrong chart', ...more },
  });
const codesOf = (response: { json: () => { findings?: { code: string }[] } }) =>
  (response.json().findings ?? []).map(({ code }) => code);
const onlyOpen = async () => {
  const [proposal] = await listed(ruth, place);
  if (!proposal) throw new Error('nothing is proposed');
  return proposal;
};
const lastLog = async () => (await logOf(ward, place)).at(-1);

describe('CEN-8 an event that comes after the signature', () => {
  it('CEN-8 proposes a correction and changes nothing of the report, and says so to officer, nurse, log and audit', async () => {
    await signed();
    const before = await read(ruth, { unit: med, date: DATE });
    await discharge();
    const counts = [
      { field: 'discharges', signed: 0, told: 1 },
      { field: 'ad_same_day', signed: 0, told: 1 },
    ];
    const [proposal, ...others] = await listed(ruth, place);
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      unit_id: med.id,
      unit_code: 'MED 3A',
      census_date: DATE,
      population: 'adult_and_child',
      counts,
      state: 'open',
      version: 1,
      closed_at: null,
      closed_by: null,
      reason: null,
    });
    const { feed: told, proposal: offered, ...after } = await read(ruth, { unit: med, date: DATE });
    expect(offered).toEqual({ id: proposal?.id, counts });
    expect(told?.counts.discharges).toBe(1);
    const { feed: _, proposal: none, ...was } = before;
    expect(none).toBeNull();
    expect(after).toEqual(was);
    expect(await lastLog()).toMatchObject({
      action: 'proposal.raise',
      census_date: DATE,
      before: { discharges: 0, ad_same_day: 0 },
      after: { discharges: 1, ad_same_day: 1 },
      after_approval: false,
      source: 'feed',
      ip: '10.9.8.7',
    });
    const audit = await sql<{ detail: { proposals: string[] } }>`
      select detail from audit_entries where facility_id = ${place.facility.id} and action = 'census.feed'
      order by at desc limit 1`.execute(ward.server.db);
    expect(audit.rows[0]?.detail).toEqual({ code: 'AA', proposals: [proposal?.id] });
    expect(feed.published.at(-1)).toMatchObject({ data: { census_date: DATE } });
  });

  it('CEN-8 a later event that makes both agree again closes it by itself', async () => {
    await signed();
    await discharge();
    const { id } = await onlyOpen();
    await cancelDischarge();
    expect(await listed(ruth, place)).toEqual([]);
    expect(await listed(ruth, place, '?state=agreed')).toMatchObject([{ id, state: 'agreed', closed_by: null }]);
    expect(await lastLog()).toMatchObject({ action: 'proposal.agree', census_date: DATE });
  });

  it('CEN-8 another event changes what is proposed, under a new version', async () => {
    await signed();
    await discharge('V1');
    await discharge('V2');
    expect(await onlyOpen()).toMatchObject({
      version: 2,
      counts: [
        { field: 'discharges', signed: 0, told: 2 },
        { field: 'ad_same_day', signed: 0, told: 2 },
      ],
    });
  });

  it('CEN-8 an event that changes nothing of what is proposed leaves it as it is, and the log too', async () => {
    await signed();
    await feed.tell('A21', { visit: 'V1', unit: med, at: '202611191100' });
    const [proposed, log] = [await onlyOpen(), await lastLog()];
    expect(proposed.counts).toEqual([{ field: 'on_leave', signed: 0, told: 1 }]);
    await feed.tell('A21', { visit: 'V1', unit: med, at: '202611191030' });
    expect([await onlyOpen(), await lastLog()]).toEqual([proposed, log]);
  });

  it('CEN-8 what differed already when it was signed is not proposed: the signer has judged it', async () => {
    await signed(DATE, { admissions: 3 });
    await discharge();
    expect((await onlyOpen()).counts.map(({ field }) => field)).toEqual(['discharges', 'ad_same_day']);
  });

  it('CEN-8 before the signature nothing is proposed: the report is still being looked at', async () => {
    const { version } = await report(ana, { unit: med, date: DATE }, { counts: { admissions: 2 }, seed: 20 });
    await act(owen, { unit: med, date: DATE }, ['approve', { version }]);
    await discharge();
    expect(await listed(ruth, place)).toEqual([]);
  });

  it('CEN-8 what comes while the day is being signed waits for that, and is proposed', async () => {
    const { version } = await report(ana, { unit: med, date: DATE }, { counts: { admissions: 2 }, seed: 20 });
    await act(owen, { unit: med, date: DATE }, ['approve', { version }]);
    const { day } = await getDay(ruth, place, DATE);
    const { db } = ward.server;
    const both = await db.transaction().execute(async (tx) => {
      await lockHead(tx, place.facilityNo);
      const signing = actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: day.version });
      await untilBlocked(db, signing);
      const told = discharge();
      await untilBlocked(db, told, 2);
      return { signing, told };
    });
    expect((await both.signing).status).toBe(200);
    await both.told;
    expect((await onlyOpen()).counts).toMatchObject([{ field: 'discharges', signed: 0, told: 1 }, {}]);
  });

  it('CEN-3 CEN-8 3.3 another census hour from a later date on moves nothing of what was signed before', async () => {
    await signed();
    await sql`
      insert into census_hours (facility_no, from_date, time_zone, census_time)
      values (${place.facilityNo}, '2026-11-22', 'Asia/Manila', '07:00')`.execute(ward.server.db);
    setNow('2026-11-22T04:00:00Z');
    await feed.tell('A21', { visit: 'V1', unit: med, at: '202611220300' });
    expect(await listed(ruth, place)).toEqual([]);
    const { feed: told } = await read(ruth, { unit: med, date: DATE });
    expect(told?.counts.admissions).toBe(2);
  });

  it('CEN-8 an absence that is told late is proposed for each census hour that lies in it', async () => {
    await signed(DATE);
    await signed(NEXT, {});
    await feed.tell('A21', { visit: 'V1', unit: med, at: '202611191100' });
    const counts = [{ field: 'on_leave', signed: 0, told: 1 }];
    expect((await listed(ruth, place)).map((one) => [one.census_date, one.counts])).toEqual([
      [NEXT, counts],
      [DATE, counts],
    ]);
    await feed.tell('A22', { visit: 'V1', unit: med, at: '202611201100' });
    expect((await listed(ruth, place)).map(({ census_date }) => census_date)).toEqual([DATE]);
  });

  it('CEN-8 one event that changes two units, dates and populations proposes to each report what changed there', async () => {
    const icu = await ward.unit('ICU', {}, place);
    const nurse = await ward.person(['chargeNurse'], [med, icu], place);
    await feed.tell('A01', { visit: 'V3', unit: med, at: '202611190200', kind: 'N' });
    await feed.tell('A01', { visit: 'V3', unit: med, at: '202611190400' });
    await feed.tell('A02', { visit: 'V3', unit: icu, at: '202611200200' });
    await feed.tell('A03', { visit: 'V3', unit: icu, at: '202611200400' });
    for (const date of [DATE, NEXT]) {
      await approveBoth({ ana: nurse, ruth: owen, med, icu }, date);
      const { day } = await getDay(ruth, place, date);
      expect((await actOnDay(ruth, `${dayUrl(place, date)}/sign`, { version: day.version })).status).toBe(200);
    }
    await feed.tell('A11', { visit: 'V3', unit: med, at: '202611190300' });
    const proposed = (await listed(ruth, place)).map(({ census_date, unit_code, counts }) =>
      [census_date, unit_code, ...counts.map(({ field, told }) => `${field} ${told}`)].join(),
    );
    expect(proposed.sort()).toEqual([
      `${DATE},MED 3A,admissions 3`,
      `${NEXT},ICU,transfers_in 1,discharges 1`,
      `${NEXT},MED 3A,transfers_out 1`,
    ]);
  });

  it('CEN-8 a cancelled admission, the only one that was told, is proposed as none', async () => {
    await signed();
    await feed.tell('A11', { visit: 'V1', unit: med, at: '202611190200' });
    await feed.tell('A11', { visit: 'V2', unit: med, at: '202611190200' });
    expect((await onlyOpen()).counts).toEqual([{ field: 'admissions', signed: 2, told: 0 }]);
  });
});

describe('CEN-8 the answer to a proposed correction', () => {
  it('CEN-8 A48 it is taken by a correction that is approved with its counts', async () => {
    await signed();
    await discharge();
    await reopen();
    const counts = { admissions: 2, discharges: 1, ad_same_day: 1, counted: 21 };
    await correct({ nurse: ana, approver: owen }, { unit: med, date: DATE, counts, reason: 'The discharge came late' });
    expect(await listed(ruth, place)).toEqual([]);
    expect(await listed(ruth, place, '?state=taken')).toMatchObject([
      { state: 'taken', closed_by: { id: owen.id, name: owen.name }, reason: null },
    ]);
    expect((await logOf(ward, place)).filter(({ action }) => action === 'proposal.take')).toMatchObject([
      { actor_id: owen.id, before: { discharges: 0 }, after: { discharges: 1 }, after_approval: true },
    ]);
  });

  it('CEN-8 a correction that finds something else dismisses it in its own words', async () => {
    await signed();
    await discharge();
    await reopen();
    const counts = { admissions: 1, counted: 21 };
    await correct({ nurse: ana, approver: owen }, { unit: med, date: DATE, counts, reason: 'V2 was in another unit' });
    expect(await listed(ruth, place, '?state=dismissed')).toMatchObject([
      { closed_by: { id: owen.id }, reason: 'V2 was in another unit' },
    ]);
  });

  it('CEN-8 while the report is being corrected, what was signed of it stays what was signed', async () => {
    // And not what was once said of another day, however often that was changed.
    const next = { unit: med, date: NEXT };
    for (let version = 0; version < 9; version += 2) {
      const counts = { admissions: 7, discharges: version, counted: 7 - version };
      await put(ana, next, entry(counts, { version, submit: true, ...(version === 0 && { seed: 0 }) }));
      await act(owen, next, ['return', { version: version + 1, reason: 'Count again' }]);
    }
    await signed(DATE, { admissions: 2, discharges: 3 });
    await discharge('V1');
    await reopen();
    const which = { unit: med, date: DATE };
    const { version } = await read(owen, which);
    const text = { reason_code: 'patient_system', reason: 'A discharge came late' };
    const open = await act(owen, which, ['amend', { version, ...text }]);
    const counts = { admissions: 2, discharges: 1, ad_same_day: 1, counted: 21 };
    await put(ana, which, entry(counts, { version: open.day.version }));
    await discharge('V2');
    expect((await read(ana, which)).proposal?.counts).toEqual([
      { field: 'discharges', signed: 3, told: 2 },
      { field: 'ad_same_day', signed: 0, told: 2 },
    ]);
  });

  it('CEN-8 CEN-R19 it is dismissed with a reason, once, by somebody who approves', async () => {
    await signed();
    await discharge();
    const proposal = await onlyOpen();
    expect((await dismiss(ana, proposal)).statusCode).toBe(403);
    expect(await lastLog()).toMatchObject({ action: 'proposal.dismiss', outcome: 'refused', actor_id: ana.id });
    const short = await dismiss(ruth, proposal, { reason: 'no' });
    expect([short.statusCode, codesOf(short)]).toEqual([422, ['REASON_REQUIRED']]);
    const same = { client_id: randomUUID() };
    const done = await dismiss(ruth, proposal, same);
    expect(done.json()).toMatchObject({
      state: 'dismissed',
      closed_by: { id: ruth.id, name: ruth.name },
      reason: 'Entered in the wrong chart',
    });
    expect((await dismiss(ruth, proposal, same)).json()).toEqual(done.json());
    expect(
      (await logOf(ward, place)).filter(({ outcome, action }) => action === 'proposal.dismiss' && outcome === 'done'),
    ).toMatchObject([{ reason: 'Entered in the wrong chart', before: { discharges: 0 }, after: { discharges: 1 } }]);
    const again = await dismiss(ruth, { id: proposal.id, version: 2 });
    expect([again.statusCode, codesOf(again)]).toEqual([422, ['WRONG_STATUS']]);
    const entries = (await actsOf(ward.server, ruth.id)).filter(({ object_id }) => object_id === proposal.id);
    const of = { facility_id: place.facility.id, detail: { date: DATE, unit: med.id } };
    expect(entries).toEqual([audited('census.proposal.dismiss', ['census_proposal', proposal.id], of)]);
    expect(await listed(ruth, place)).toEqual([]);
    expect((await read(ruth, { unit: med, date: DATE })).counts.discharges).toBe(0);
  });

  it('CEN-8 PERM-3 A48 dismissing it is refused where approving is split off while it waits for its turn', async () => {
    await signed();
    await discharge();
    const proposal = await onlyOpen();
    const { facilityNo } = place;
    const answer = await whileItWaits({
      ...{ db: ward.server.db, facilityNo, change: splitOff(facilityNo, 'census.approve') },
      act: () => dismiss(ruth, proposal),
    });
    expect(answer.statusCode).toBe(403);
  });

  it('CEN-8 CEN-R13 what the patient system has said since has to be looked at before it is dismissed', async () => {
    await signed();
    await discharge('V1');
    const seen = await onlyOpen();
    await discharge('V2');
    const stale = await dismiss(ruth, seen);
    expect([stale.statusCode, codesOf(stale)]).toEqual([409, ['VERSION_CONFLICT']]);
  });

  it('CEN-8 they are listed page by page, only in their facility, only to those who compile its days', async () => {
    await signed(DATE);
    await signed(NEXT, {});
    await feed.tell('A01', { visit: 'V3', unit: med, at: '202611191000' });
    await feed.tell('A01', { visit: 'V4', unit: med, at: '202611201000' });
    const page = async (query: string) => (await ruth.client.send('GET', `${proposalsUrl(place)}${query}`)).json();
    const first = await page('?limit=1');
    const second = await page(`?limit=1&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map(({ census_date }) => census_date)).toEqual([NEXT, DATE]);
    expect(second.next_cursor).toBeNull();
    expect((await ruth.client.send('GET', `${proposalsUrl(place)}?cursor=nonsense`)).statusCode).toBe(422);
    expect((await ana.client.send('GET', proposalsUrl(place))).statusCode).toBe(403);
    const other = await ward.elsewhere();
    const stranger = await ward.person(['censusOfficer'], [], other);
    expect((await stranger.client.send('GET', proposalsUrl(place))).statusCode).toBe(404);
    const url = `${proposalsUrl(other)}/${first.data[0].id}/dismiss`;
    const body = { client_id: randomUUID(), version: 1, reason: 'Not of this house' };
    expect((await stranger.client.send('POST', url, { body })).statusCode).toBe(404);
  });
});
