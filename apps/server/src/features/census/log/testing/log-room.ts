import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { appendLog, type LogAuthor, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

export let server: TestServer;
export let facility: MadeFacility;
export let facilityNo: number;
export let unit: { unitNo: number; unitId: string; unitCode: string };
export let anaId: string;
export let officer: TestClient;
export let officerId: string;
export let admin: TestClient;

/** Gives each test a facility with a unit, people and an empty log of its own. */
export function useLogRoom(): void {
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    facility = await makeFacility(server.db, { name: 'St. Brigid General', timeZone: 'Asia/Manila' });
    const found = await server.db
      .selectFrom('census_facilities')
      .select('facility_no')
      .where('facility_id', '=', facility.id)
      .executeTakeFirstOrThrow();
    facilityNo = found.facility_no;
    unit = await unitOf('MED 3A', 'Medical 3A');
    anaId = (await person('Ana Reyes', ['chargeNurse'])).id;
    const ruth = await person('Ruth Calloway', ['censusOfficer']);
    officerId = ruth.id;
    officer = await signedIn(server, ruth.id);
    admin = await signedIn(server, (await person('Ada Lindt', ['facilityAdministrator'])).id);
  });
}

type Roles = NonNullable<Parameters<typeof makeMembership>[1]['roles']>;

async function person(name: string, roles: Roles) {
  const user = await makeUser(server.db, { name });
  await makeMembership(server.db, { userId: user.id, facility, roles, title: 'Charge nurse' });
  return user;
}

export async function unitOf(code: string, name: string) {
  const unitId = await makeUnit(server.db, { facilityId: facility.id, name, code });
  const { unit_no } = await server.db
    .selectFrom('census_units')
    .select('unit_no')
    .where('unit_id', '=', unitId)
    .executeTakeFirstOrThrow();
  return { unitNo: unit_no, unitId, unitCode: code };
}

export const ana = (): LogAuthor => ({
  actorId: anaId,
  actorName: 'Ana Reyes',
  actorTitle: 'Charge nurse',
  source: 'web',
  requestId: 'r-1',
  ip: '10.20.30.40',
  device: 'ab'.repeat(32),
});

export const change = (more: Partial<NewLogEntry> = {}): NewLogEntry => ({
  action: 'unit_day.save',
  unit,
  date: '2026-11-17',
  population: 'adult_and_child',
  before: { discharges: 4, closing: 25 },
  after: { discharges: 5, closing: 24 },
  ...more,
});

export async function write(...entries: NewLogEntry[]) {
  await server.db.transaction().execute((tx) => appendLog(tx, { facilityNo, author: ana(), entries }));
}

export const address = (rest = '') => `/api/census/facilities/${facility.id}/logs${rest}`;
export const list = async (client: TestClient, query = '') => (await client.send('GET', address(query))).json();
export const seqsOf = (page: { data: { seq: number }[] }) => page.data.map(({ seq }) => seq);
export const verify = async (client = officer) => (await client.send('GET', address('/verify?run=true'))).json();

/** What only somebody who owns the database can do: the triggers refuse it to everybody else. */
export async function tamper(statement: ReturnType<typeof sql>) {
  await server.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await statement.execute(tx);
  });
}

/** So many entries at once, chained by SQL as appendLog chains them. */
export async function fill(count: number) {
  await sql`
    with recursive head as (
      select seq, hash from census_log_heads where facility_no = ${facilityNo}),
    chain as (
      select h.seq, h.hash as prev, h.hash, ''::text as entry, 0 as n from head h
      union all
      select c.seq + 1, c.hash, sha256(c.hash || convert_to(e.entry, 'UTF8')), e.entry, c.n + 1
      from chain c cross join lateral (select concat('{"action":"unit_day.approve","actor_id":"', ${anaId}::text,
        '","actor_name":"Ana Reyes","actor_title":"Charge nurse","after":{"status":"approved","version":', c.n,
        '},"after_approval":false,"at":"2026-11-19T00:35:00.000Z","before":{"status":"submitted"},"census_date":"2026-11-18",',
        '"class":"adult_child","device":null,"device_time":null,"facility":', ${facilityNo}::int,
        ',"ip":null,"outcome":"done","reason":null,"reason_code":null,"request_id":null,"seq":', c.seq + 1,
        ',"source":"web","time_zone":"Asia/Manila","unit_code":"MED 3A","unit_id":"', ${unit.unitId}::text, '"}') as entry) e
      where c.n < ${count}::int),
    written as (
      insert into census_log (facility_no, seq, at, actor_id, action, outcome, unit_no, census_date, class, entry, prev_hash, hash)
      select ${facilityNo}, seq, '2026-11-19T00:35:00.000Z', ${anaId}::uuid, 'unit_day.approve', 'done', ${unit.unitNo},
        '2026-11-18', 'adult_child', entry, prev, hash from chain where n > 0
      returning seq, hash)
    update census_log_heads set seq = w.seq, hash = w.hash
    from (select seq, hash from written order by seq desc limit 1) w where facility_no = ${facilityNo}`.execute(
    server.db,
  );
}
