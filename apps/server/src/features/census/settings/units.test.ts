import { randomUUID } from 'node:crypto';
import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CensusFixture,
  type FixtureUnit,
  logOf,
  openCensusFixture,
  type Person,
  type Place,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { multipart } from '#/testing/multipart.ts';
import { auditOf } from '#/testing/test-client.ts';

/** 08:00 on the 20th in Manila: the 19th is counted, the 20th is under way. */
const NOW = '2026-11-20T00:00:00Z';

let ward: CensusFixture;
let place: Place;
let med: FixtureUnit;
let ana: Person;
let ruth: Person;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  place = await ward.elsewhere();
  med = await ward.unit('MED 3A', { staffed: 28 }, place);
  ana = await ward.person(['chargeNurse'], [med], place);
  ruth = await ward.person(['facilityAdministrator'], [], place);
});

const url = () => `/api/census/facilities/${place.facility.id}/settings`;
type Answer = CensusSettings & { errors?: Record<string, string[]> };

async function settings(): Promise<CensusSettings> {
  return (await ruth.client.send('GET', url())).json();
}

async function send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: object) {
  const { version } = await settings();
  const response = await ruth.client.send(method, url() + path, { body: { version, ...body } });
  return { status: response.statusCode, body: response.json() as Answer };
}

const add = (unit_code: string, unit_name = `Unit ${unit_code}`, unit_kind = 'Ward') =>
  send('POST', '/units', { unit_code, unit_name, unit_kind });
const codes = async () => (await settings()).units.map(({ unit_code }) => unit_code);
const changes = async () => (await logOf(ward, place)).filter(({ action }) => action === 'settings.change');

async function upload(csv: string, apply: 'true' | 'false', version?: number) {
  const form = multipart([{ name: 'file', value: csv, filename: 'units.csv', type: 'text/csv' }]);
  const at = version ?? (await settings()).version;
  const response = await ruth.client.send('POST', `${url()}/unit-imports?version=${at}&apply=${apply}`, form);
  return { status: response.statusCode, body: response.json() };
}

describe('the units of a facility', () => {
  it('ADM-1 are added at the end, report from the census date under way on, and stand in the log', async () => {
    const { status, body } = await add('ICU', 'Intensive care', 'Intensive care');
    expect(status).toBe(201);
    expect(body.units.at(-1)).toMatchObject({
      ...{ unit_code: 'ICU', unit_name: 'Intensive care', unit_kind: 'Intensive care' },
      ...{ active_from: expect.any(String), active_to: null, beds: [], people: [] },
    });
    const [entry] = await changes();
    expect(entry).toMatchObject({ after: { unit_code: 'ICU', unit_name: 'Intensive care' } });
    const twice = await add('icu');
    expect(twice.body.errors).toEqual({ unit_code: ['Intensive care has this code already.'] });
    const data = (await ruth.client.send('GET', `/api/facilities/${place.facility.id}/units`)).json().data;
    expect(data.map(({ code }: { code: string }) => code)).toEqual(['MED 3A', 'ICU']);
  });

  it('ADM-1 are called otherwise; a unit that has reported keeps its code', async () => {
    const path = `/units/${med.id}`;
    const { body } = await send('PATCH', path, { unit_code: 'MED 3', unit_name: 'Medicine', unit_kind: 'Medical' });
    expect(body.units[0]).toMatchObject({ unit_code: 'MED 3', unit_name: 'Medicine', unit_kind: 'Medical' });
    await report(ana, { unit: med, date: '2026-11-19' }, { seed: 20 });
    const refused = await send('PATCH', path, { unit_code: 'MED 4' });
    expect(refused.body.errors).toEqual({ unit_code: ['The unit has reported under this code, so it stays.'] });
    expect((await send('PATCH', path, { unit_name: 'General medicine' })).status).toBe(200);
    // The same again is no change.
    const before = (await settings()).version;
    expect((await send('PATCH', path, { unit_name: 'General medicine' })).body.version).toBe(before);
  });

  it('ADM-1 stand in the order that they are put in, each of them', async () => {
    await add('ICU');
    await add('SUR');
    const ids = (await settings()).units.map(({ unit_id }) => unit_id);
    expect((await send('PUT', '/unit-order', { unit_ids: ids.toReversed() })).status).toBe(200);
    expect(await codes()).toEqual(['SUR', 'ICU', 'MED 3A']);
    for (const unit_ids of [ids.slice(1), [...ids, ids[0]], [ids[0], ids[0], ids[1]], []]) {
      expect((await send('PUT', '/unit-order', { unit_ids })).body.errors).toEqual({
        unit_ids: ['Name every unit of the facility once.'],
      });
    }
    const [ordered] = await auditOf(ward.server, 'census.settings.change', ruth.id);
    expect(ordered).toMatchObject({
      ...{ facility_id: place.facility.id, object_type: null, detail: { fields: ['unit_order'] } },
    });
    expect((await changes()).at(-1)).toMatchObject({
      ...{ before: { unit_order: ['MED 3A', 'ICU', 'SUR'] }, after: { unit_order: ['SUR', 'ICU', 'MED 3A'] } },
    });
    expect((await add('LAST')).body.units.at(-1)?.unit_code).toBe('LAST');
  });

  it('ADM-1 of two who add at the same moment one is told that the other was faster', async () => {
    const { version } = await settings();
    const answers = await Promise.all(
      ['A', 'B'].map((unit_code) =>
        ruth.client.send('POST', `${url()}/units`, {
          body: { version, unit_code, unit_name: unit_code, unit_kind: 'Ward' },
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  });

  it('PERM-3 are not changed by who may not configure the census', async () => {
    const { version } = await settings();
    const body = { version, unit_code: 'X', unit_name: 'X', unit_kind: 'Ward' };
    expect((await ana.client.send('POST', `${url()}/units`, { body })).statusCode).toBe(403);
    expect((await ana.client.send('PUT', `${url()}/unit-order`, { body: { version, unit_ids: [] } })).statusCode).toBe(
      403,
    );
    const form = multipart([{ name: 'file', value: 'code\nX', filename: 'units.csv', type: 'text/csv' }]);
    expect((await ana.client.send('POST', `${url()}/unit-imports?version=${version}`, form)).statusCode).toBe(403);
  });
});

describe('a file of units', () => {
  const GOOD = [
    '\ufeffcode;name;kind;from;licensed;physical;staffed;surge',
    'ICU;Intensive care;Intensive care;;12;12;10;2',
    'ICU;;;2026-12-01;12;12;12;',
    'SUR 2B;Surgery 2B;;;;;;',
    'med 3a;Medicine 3A;Medical;2026-11-25;30;30;30;0',
    '',
  ].join('\r\n');

  it('ADM-1 is tried first, with what each line would become; nothing is stored', async () => {
    const before = await settings();
    const { body } = await upload(GOOD, 'false');
    expect(body).toMatchObject({ is_applied: false, counts: { new: 2, changed: 2, unchanged: 0, refused: 0 } });
    expect(body.rows).toMatchObject([
      { line: 2, unit_code: 'ICU', outcome: 'new' },
      { line: 3, unit_code: 'ICU', outcome: 'changed' },
      { line: 4, unit_code: 'SUR 2B', outcome: 'new' },
      { line: 5, unit_code: 'med 3a', outcome: 'changed' },
    ]);
    expect(await settings()).toEqual(before);
    expect(await changes()).toEqual([]);
  });

  it('ADM-1 is stored whole: units, names, and beds from date to date', async () => {
    expect((await upload(GOOD, 'true')).body.is_applied).toBe(true);
    const now = await settings();
    expect(now.units.map(({ unit_code, unit_name }) => [unit_code, unit_name])).toEqual([
      ['MED 3A', 'Medicine 3A'],
      ['ICU', 'Intensive care'],
      ['SUR 2B', 'Surgery 2B'],
    ]);
    expect(now.units[1]?.beds).toMatchObject([
      { from: '2026-11-20', licensed: 12, physical: 12, staffed: 10, surge: 2 },
      { from: '2026-12-01', staffed: 12, surge: 0 },
    ]);
    expect(now.units[0]?.beds.at(-1)).toMatchObject({ from: '2026-11-25', staffed: 30 });
    expect(await changes()).toHaveLength(6);
    expect(await auditOf(ward.server, 'census.settings.change', ruth.id)).toMatchObject([{ object_id: null }]);
    const again = await upload(GOOD, 'false');
    expect(again.body.counts).toMatchObject({ new: 0, refused: 0 });
    const same = await upload('code;name\nSUR 2B;Surgery 2B\nICU;', 'true');
    expect(same.body.counts).toEqual({ new: 0, changed: 0, unchanged: 2, refused: 0 });
    expect(await changes()).toHaveLength(6);
  });

  it('ADM-1 one bad line keeps all of it out; each says its column and why', async () => {
    const csv = [
      'code,name,kind,population,from,licensed,physical,staffed,surge',
      'GOOD,A good one,Ward,,,4,4,4,',
      ',No code,Ward,,,,,,',
      'NONAME,,,,,,,,',
      'MANY,Too many staffed,Ward,,,4,4,9,1',
      'WORD,Words for beds,Ward,,,four,4,4,',
      'DATE,Odd date,Ward,,31.12.2026,4,4,4,',
      'POP,Odd population,Ward,children,,4,4,4,',
      'NEWB,Not reported,Ward,newborn,,4,4,4,',
      'HALF,Half the beds,Ward,,,4,,,',
      'LONGLONGLONGCODE,Too long,Ward,,,,,,',
    ].join('\n');
    const { body } = await upload(csv, 'true');
    expect(body).toMatchObject({ is_applied: false, counts: { new: 1, refused: 9 } });
    const told = body.rows.map((row: { line: number; problems: { column: string; message: string }[] }) => [
      row.line,
      ...row.problems.map(({ column, message }) => `${column}: ${message}`),
    ]);
    expect(told).toEqual([
      [3, 'code: The code of the unit is missing.'],
      [4, 'name: A new unit needs a name.'],
      [5, 'staffed: More beds are staffed than there are.'],
      [6, 'licensed: A whole number from 0 to 9999.'],
      [7, 'from: This is not a date, such as 2026-11-23.'],
      [8, 'population: Either adult_and_child or newborn.'],
      [9, 'population: The unit does not report this population.'],
      [10, 'physical: A whole number from 0 to 9999.', 'staffed: A whole number from 0 to 9999.'],
      [11, 'code: At most 12 characters.'],
      [2],
    ]);
    expect(await codes()).toEqual(['MED 3A']);
  });

  it.each([
    ['', /required/],
    ['unit,beds\nICU,3', /first line names the columns/],
    ['code,beds\nICU,3', /no column “beds”/],
    ['code,code\nICU,3', /twice/],
    ['code', /no lines below/],
    ['code,name\n"ICU,3', /not well-formed CSV/],
    [`code\n${'A\n'.repeat(501)}`, /more than 500 lines/],
  ])('ADM-1 what is no such file is refused as one: %j', async (csv, why) => {
    const { status, body } = await upload(csv, 'false');
    expect(status).toBe(422);
    expect(body.errors.file[0]).toMatch(why);
  });

  it('ADM-1 is refused over settings that somebody has changed since they were seen', async () => {
    const { version } = await settings();
    await add('ICU');
    expect((await upload('code,name\nSUR,Surgery', 'true', version)).status).toBe(409);
    expect(await codes()).toEqual(['MED 3A', 'ICU']);
  });
});

describe('a unit that was added by mistake', () => {
  const remove = (id: string) => send('DELETE', `/units/${id}`, {});
  const mistyped = async () => (await add('ICV', 'Intensive care')).body.units.at(-1)?.unit_id ?? '';
  const noOf = async (unit_id: string) => {
    const found = ward.server.db.selectFrom('census_units').select('unit_no').where('unit_id', '=', unit_id);
    return (await found.executeTakeFirstOrThrow()).unit_no;
  };

  it('ADM-1 CEN-7 is deleted with what was set for it; the log tells of it and is whole', async () => {
    const id = await mistyped();
    const beds = { population: 'adult_and_child', from: '2026-11-20', licensed: 8, physical: 8, staffed: 8, surge: 0 };
    await send('PATCH', `/units/${id}`, { people: [ana.id], beds });
    await sql`insert into census_alerts (id, facility_no, unit_no, census_date, rule, message)
      values (gen_random_uuid(), ${place.facilityNo}, ${await noOf(id)}, '2026-11-19', 'report_missing', 'ICV is missing')`.execute(
      ward.server.db,
    );
    expect((await remove(id)).status).toBe(200);
    expect(await codes()).toEqual(['MED 3A']);
    expect((await changes()).at(-1)).toMatchObject({
      ...{ before: { unit_code: 'ICV', unit_name: 'Intensive care' }, after: { unit_code: null } },
      ...{ unit_id: id, actor_id: ruth.id },
    });
    const acts = await auditOf(ward.server, 'census.settings.change', ruth.id);
    const names = ['unit_code', 'unit_name', 'unit_kind'];
    const of = { object_type: 'unit', facility_id: place.facility.id };
    expect(acts.filter(({ object_id }) => object_id === id)).toMatchObject([
      { ...of, detail: { fields: names } },
      { ...of, detail: { fields: ['people', 'beds'] } },
      { ...of, detail: { fields: names } },
    ]);
    const officer = await ward.person(['censusOfficer', 'facilityAdministrator'], [], place);
    const logs = `/api/census/facilities/${place.facility.id}/logs`;
    const verified = (await officer.client.send('GET', `${logs}/verify?run=true`)).json();
    expect(verified).toMatchObject({ verified_at: expect.any(String), broken_at: null });
    const told = (await officer.client.send('GET', `${logs}?unit=${id}&q=intensive`)).json().data;
    expect(told).toHaveLength(3);
    expect((await remove(id)).status).toBe(404);
    expect((await add('ICV')).status).toBe(201);
  });

  it('ADM-1 stays while something refers to it, and says what', async () => {
    const id = await mistyped();
    const no = await noOf(id);
    const unit = { id, no, code: 'ICV' };
    const nurse = await ward.person(['chargeNurse'], [unit], place);
    await sql`update census_units set active = '[2026-11-18,)' where unit_no = ${no}`.execute(ward.server.db);
    await report(nurse, { unit, date: '2026-11-18' }, { seed: 2 });
    await report(nurse, { unit, date: '2026-11-19' });
    const role = { id: randomUUID(), facility_id: place.facility.id, unit_id: id, name: 'Intensivist' };
    await ward.server.db.insertInto('on_call_roles').values(role).execute();
    const refused = await remove(id);
    expect(refused.status).toBe(422);
    const kept = 'ICV has 2 reports and 1 on-call role, so it stays. Set its last day instead.';
    expect(refused.body.errors).toEqual({ unit: [kept] });
    expect(await codes()).toEqual(['MED 3A', 'ICV']);
  });

  it('ADM-1 is deleted where the patient system told of others, and stays where it told of a patient there', async () => {
    const id = await mistyped();
    const tell = (unit_no: number) =>
      ward.server.db
        .insertInto('adt_movements')
        .values({
          ...{ facility_no: place.facilityNo, visit_key: Buffer.alloc(32), place: 0, unit_no, partner_unit_no: null },
          ...{
            kind: 'admission',
            at: '2026-11-18T08:00:00Z',
            census_date: '2026-11-18',
            population: 'adult_and_child',
          },
        })
        .execute();
    const other = (await add('ICU')).body.units.at(-1)?.unit_id ?? '';
    await tell(await noOf(other));
    expect((await remove(other)).body.errors).toEqual({
      unit: ['ICU has 1 stay, so it stays. Set its last day instead.'],
    });
    expect((await remove(id)).status).toBe(200);
  });

  it('ADM-1 PERM-3 is deleted by nobody without the right to the settings, and in no other facility', async () => {
    const id = await mistyped();
    const { version } = await settings();
    const body = { version };
    expect((await ana.client.send('DELETE', `${url()}/units/${id}`, { body })).statusCode).toBe(403);
    const other = await ward.elsewhere();
    const boss = await ward.person(['facilityAdministrator'], [], other);
    const elsewhere = `/api/census/facilities/${other.facility.id}/settings`;
    const own = (await boss.client.send('GET', elsewhere)).json().version;
    expect((await boss.client.send('DELETE', `${elsewhere}/units/${id}`, { body: { version: own } })).statusCode).toBe(
      404,
    );
    expect(await codes()).toEqual(['MED 3A', 'ICV']);
  });
});
