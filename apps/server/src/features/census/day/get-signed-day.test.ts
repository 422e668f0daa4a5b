import { createHash } from 'node:crypto';
import { sumsOfDay } from '@wardline/census/day-sums.ts';
import { toStoredNames } from '@wardline/census/log/stored-names.ts';
import type { SignedDay } from '@wardline/contract/census/day.ts';
import type { CensusSummary } from '@wardline/contract/census/summary.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '#/features/census/core/append-log.ts';
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
} from '#/features/census/reports/testing/census-fixture.ts';
import { actOnDay, approveBoth, dayUrl, getDay } from './testing/days.ts';

const NOW = '2026-11-20T00:00:00Z';
const BEFORE = '2026-11-18';
const DATE = '2026-11-19';
const WHY = { reason_code: 'late_slip', reason: 'A discharge slip came late' };

const ward = fixtureOfFile(NOW);
let place: Place;
let med: FixtureUnit;
let icu: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeEach(async () => {
  ({ place, med, icu, ana, ruth } = await openHospital(ward, { med: {}, icu: { staffed: 10 } }));
  await approveBoth({ ana, ruth, med, icu }, BEFORE);
  for (const [unit, admissions] of [
    [med, 2],
    [icu, 0],
  ] as const) {
    const { version } = await report(ana, { unit, date: DATE }, { counts: { admissions } });
    await act(ruth, { unit, date: DATE }, ['approve', { version }]);
  }
});

async function signedDay(date = DATE): Promise<SignedDay> {
  const answer = await ruth.client.send('GET', `${dayUrl(place, date)}/signed`);
  if (answer.statusCode !== 200) throw new Error(answer.payload);
  return answer.json();
}

async function sign(date: string): Promise<void> {
  const { day } = await getDay(ruth, place, date);
  const signed = await actOnDay(ruth, `${dayUrl(place, date)}/sign`, { version: day.version, lock: true });
  if (signed.status !== 200) throw new Error(signed.messages.join());
}

/** A discharge of the day before is found: it is reopened and corrected, and the next day opens with one less. */
async function correctDayBefore(discharges = 1): Promise<void> {
  const { day } = await getDay(ruth, place, BEFORE);
  await actOnDay(ruth, `${dayUrl(place, BEFORE)}/reopen`, { version: day.version, ...WHY });
  const which = { unit: med, date: BEFORE };
  const open = await act(ruth, which, ['amend', { version: (await read(ruth, which)).version, ...WHY }]);
  const body = entry({ discharges, counted: 24 - discharges }, { version: open.day.version, submit: true });
  const given = await put(ana, which, { ...body, seed: 24 });
  const approved = await act(ruth, which, ['approve', { version: given.day.version }]);
  if (approved.status !== 200) throw new Error(approved.message);
}

const unitOf = ({ signed }: SignedDay, code: string) =>
  signed?.figures.units.find(({ unit_code }) => unit_code === code);
const verify = async () =>
  (await ruth.client.send('GET', `/api/census/facilities/${place.facility.id}/logs/verify?run=true`)).json();

describe('what a day said when it was signed', () => {
  it('F-N1 CEN-7 is stored with the signature, and its hash is in the log', async () => {
    await sign(DATE);
    const { signed, earlier } = await signedDay();
    expect(signed).toMatchObject({ source: 'stored', restatements: [] });
    expect(earlier).toEqual([]);
    expect(
      signed?.figures.units.map((unit) => [unit.unit_code, unit.opening, unit.counts.admissions, unit.closing]),
    ).toEqual([
      ['ICU', 8, 0, 8],
      ['MED 3A', 24, 2, 26],
    ]);
    expect(unitOf(await signedDay(), 'MED 3A')).toMatchObject({
      counts: { counted: 26 },
      variance_reason: null,
      beds: { licensed: 30, physical: 30, staffed: 28, surge: 0, blocked: 0 },
      submitted_by: { name: ana.name },
      approved_by: { name: ruth.name },
    });
    const told = (await logOf(ward, place)).filter(({ action }) => action === 'facility_day.sign').at(-1)?.after;
    const text = canonicalJson(toStoredNames(signed?.figures));
    const hash = createHash('sha256').update(text).digest('hex');
    expect([signed?.hash, told?.['figures_hash']]).toEqual([hash, hash]);
    // The bytes that every build before would have stored.
    expect(text).toContain('"class":"adult_child"');
    expect(signed?.figures.units.map(({ population }) => population)).toEqual(['adult_and_child', 'adult_and_child']);
  });

  it('F-N1 CEN-3 stays as it was when an earlier day is corrected; what was restated stands beside it, when, by whom and why', async () => {
    await sign(BEFORE);
    await sign(DATE);
    await correctDayBefore();
    expect((await getDay(ruth, place, DATE)).day.units.map(({ closing }) => closing)).toEqual([8, 25]);
    const day = await signedDay();
    expect(unitOf(day, 'MED 3A')).toMatchObject({ opening: 24, closing: 26, present: 26, service_days: 26 });
    expect(day.signed?.restatements).toMatchObject([
      {
        unit_code: 'MED 3A',
        population: 'adult_and_child',
        by: { id: ruth.id, name: ruth.name },
        ...WHY,
        changes: [
          { field: 'opening', from: 24, to: 23 },
          { field: 'closing', from: 26, to: 25 },
          { field: 'present', from: 26, to: 25 },
          { field: 'service_days', from: 26, to: 25 },
          { field: 'variance', from: 0, to: 1 },
          { field: 'variance_reason', from: null, to: `The opening was restated: ${WHY.reason}` },
        ],
      },
    ]);
    expect(Date.parse(day.signed?.restatements[0]?.at ?? '')).toBeGreaterThan(0);
    expect(await verify()).toMatchObject({ broken_at: null, changed_day: null });
  });

  it('F-N1 CEN-3 what was signed before a reopening stays beside what was signed anew', async () => {
    await sign(BEFORE);
    const first = await signedDay(BEFORE);
    await correctDayBefore();
    expect(await signedDay(BEFORE)).toEqual({
      signed: null,
      earlier: [
        { signed_at: NOW.replace('Z', '.000Z'), signed_by: { id: ruth.id, name: ruth.name }, hash: first.signed?.hash },
      ],
    });
    await sign(BEFORE);
    const again = await signedDay(BEFORE);
    expect(unitOf(again, 'MED 3A')).toMatchObject({ counts: { discharges: 1 }, closing: 23 });
    expect(again.signed?.hash).not.toBe(first.signed?.hash);
    expect(again).toMatchObject({ signed: { restatements: [] }, earlier: [{ hash: first.signed?.hash }] });
    expect(await verify()).toMatchObject({ broken_at: null, changed_day: null });
  });

  it('F-N1 what a day adds up to by its own units is what the summary says of it', async () => {
    await sign(DATE);
    const { signed } = await signedDay();
    const address = `/api/census/facilities/${place.facility.id}/summary?from=${DATE}&to=${DATE}&by=day`;
    const summary: CensusSummary = (await ruth.client.send('GET', address)).json();
    expect(sumsOfDay(signed?.figures.units ?? [], summary.denominator)).toEqual(summary.total);
  });

  it('F-N1 CEN-3 is nothing to those who do not compile the day', async () => {
    await sign(DATE);
    const stranger = await ward.person(['censusOfficer']);
    const address = `${dayUrl(place, DATE)}/signed`;
    expect((await ana.client.send('GET', address)).statusCode).toBe(403);
    expect((await stranger.client.send('GET', address)).statusCode).toBe(404);
    expect(await signedDay(BEFORE)).toEqual({ signed: null, earlier: [] });
  });
});

/** Past the server, as only who owns the database can. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await ward.server.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await statement.execute(tx);
  });
}

describe('what was signed cannot be changed unseen', () => {
  const changedText = (more = sql``) => sql`
    update signed_days set figures = replace(figures, '"closing":26', '"closing":25') ${more}
    where facility_no = ${place.facilityNo} and census_date = ${DATE}`;

  it('F-N1 CEN-7 the database refuses a change, and the server’s own role may only add', async () => {
    await sign(DATE);
    await expect(changedText().execute(ward.server.db)).rejects.toThrow();
    await expect(
      sql`delete from signed_days where facility_no = ${place.facilityNo}`.execute(ward.server.db),
    ).rejects.toThrow();
  });

  it.each([
    ['one figure', () => changedText()],
    [
      'a figure and its hash',
      () => changedText(sql`, hash = sha256(convert_to(replace(figures, '"closing":26', '"closing":25'), 'UTF8'))`),
    ],
    [
      'the day that it is of',
      () => sql`
      update signed_days set census_date = ${BEFORE} where facility_no = ${place.facilityNo} and census_date = ${DATE}`,
    ],
    [
      'all of it, by a removal',
      () => sql`
      delete from signed_days where facility_no = ${place.facilityNo} and census_date = ${DATE}`,
    ],
  ])('F-N1 CEN-7 A48 the verification finds a change of %s, with the day', async (_what, change) => {
    await sign(BEFORE);
    await sign(DATE);
    expect(await verify()).toMatchObject({ broken_at: null, changed_day: null });
    const seq = (await logOf(ward, place)).findLast(({ action }) => action === 'facility_day.sign')?.seq;
    await tamper(change());
    const found = await verify();
    expect(found.broken_at).toBe(seq);
    expect([BEFORE, DATE]).toContain(found.changed_day);
    const noted = (await logOf(ward, place)).findLast(({ action }) => action === 'log.verify');
    expect(noted?.after).toMatchObject({ broken_at: seq, changed_day: found.changed_day });
    expect(await verify()).toMatchObject({ broken_at: seq });
  });

  it('F-N1 CEN-7 a sheet of it is told that what was kept is not what was signed', async () => {
    await sign(DATE);
    const { signed } = await signedDay();
    await tamper(
      changedText(sql`, hash = sha256(convert_to(replace(figures, '"closing":26', '"closing":25'), 'UTF8'))`),
    );
    expect((await signedDay()).signed).toMatchObject({ source: 'changed', hash: signed?.hash, restatements: [] });
    await tamper(sql`update signed_days set figures = 'nothing' where facility_no = ${place.facilityNo}`);
    expect((await signedDay()).signed?.source).toBe('changed');
  });

  it('F-N1 CEN-3 a report that was changed past the server stands among what was restated, with nobody’s words', async () => {
    await sign(DATE);
    await tamper(sql`
      update unit_census set admissions = 1, counted = 25 where unit_no = ${med.no} and census_date = ${DATE}`);
    const fields = ['admissions', 'counted', 'closing', 'present', 'service_days'].map((field) => ({ field }));
    expect((await signedDay()).signed?.restatements).toMatchObject([
      { at: null, by: null, reason: null, changes: fields },
    ]);
  });
});

describe('a day that was signed before its figures were kept', () => {
  const forget = () => tamper(sql`delete from signed_days where facility_no = ${place.facilityNo}`);

  it('F-N1 is rebuilt from the kept versions of its reports, exactly as it was signed', async () => {
    await sign(BEFORE);
    await sign(DATE);
    const was = await signedDay();
    await correctDayBefore();
    await correctAgain();
    const known = await signedDay();
    expect(known.signed?.restatements).toHaveLength(2);
    await forget();
    const { signed } = await signedDay();
    expect(signed).toMatchObject({ source: 'rebuilt', hash: null });
    const now = (await signedDay()).signed?.figures.units.map(({ version }) => version);
    expect(signed?.figures).toEqual({
      ...was.signed?.figures,
      units: was.signed?.figures.units.map((unit, index) => ({ ...unit, version: now?.[index], status: 'locked' })),
    });
    expect(signed?.restatements).toEqual(known.signed?.restatements);
  });

  it('F-N1 says that it is not known where the versions do not come to what the signature told', async () => {
    await sign(DATE);
    await forget();
    expect((await signedDay()).signed?.source).toBe('rebuilt');
    await tamper(sql`
      update unit_census set counted = 25, admissions = 1 where unit_no = ${med.no} and census_date = ${DATE}`);
    expect((await signedDay()).signed).toMatchObject({ source: 'unknown', hash: null, restatements: [] });
  });

  it('F-N1 without a log of its signature it is known only where no report has an earlier version that differs', async () => {
    await sign(BEFORE);
    await sign(DATE);
    await forget();
    const withoutLog = sql`
      update facility_days set log_seq = null, log_hash = null where facility_no = ${place.facilityNo} and census_date = ${DATE}`;
    await withoutLog.execute(ward.server.db);
    expect((await signedDay()).signed?.source).toBe('rebuilt');
    await correctDayBefore();
    expect((await signedDay()).signed?.source).toBe('unknown');
  });

  async function correctAgain(): Promise<void> {
    await sign(BEFORE);
    const { day } = await getDay(ruth, place, BEFORE);
    await actOnDay(ruth, `${dayUrl(place, BEFORE)}/reopen`, { version: day.version, ...WHY });
    const which = { unit: med, date: BEFORE };
    const open = await act(ruth, which, ['amend', { version: (await read(ruth, which)).version, ...WHY }]);
    const body = entry({ discharges: 3, counted: 21 }, { version: open.day.version, submit: true });
    const given = await put(ana, which, { ...body, seed: 24 });
    await act(ruth, which, ['approve', { version: given.day.version }]);
  }
});
