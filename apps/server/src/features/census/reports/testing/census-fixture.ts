import { randomUUID } from 'node:crypto';
import { nilCounts } from '@wardline/census/balance.ts';
import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import type { Counts } from '@wardline/contract/census/census.ts';
import type { UnitDay, UnitDayEntry } from '@wardline/contract/census/unit.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { ShippedRole } from '#/features/facilities/index.ts';
import {
  type MadeFacility,
  makeFacility,
  makeMembership,
  makeUnit,
  newFacilityCode,
} from '#/testing/factories/facilities.ts';
import { makeSession, makeUser } from '#/testing/factories/users.ts';
import { type TestClient, withSession } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly client: TestClient;
}

export interface FixtureUnit {
  readonly id: string;
  readonly no: number;
  readonly code: string;
}

export interface Place {
  readonly facility: MadeFacility;
  readonly facilityNo: number;
}

/** A server with a hospital that takes its census. The clock stands until `setNow`. */
export interface CensusFixture extends Place {
  readonly server: TestServer;
  person(roles: readonly ShippedRole[], assigned?: readonly FixtureUnit[], place?: Place): Promise<Person>;
  unit(code: string, unitDay?: UnitOptions, place?: Place): Promise<FixtureUnit>;
  elsewhere(timeZone?: string): Promise<Place>;
  close(): Promise<void>;
}

export interface UnitOptions {
  readonly populations?: readonly ('adult_and_child' | 'newborn')[];
  readonly staffed?: number;
  /** A daterange of PostgreSQL. */
  readonly active?: string;
}

const TEN_YEARS_MS = 10 * 366 * 86_400_000;

export async function openCensusFixture(timeZone = 'Asia/Manila'): Promise<CensusFixture> {
  const server = await startTestServer();
  const { db } = server;
  const home = await newPlace(server, timeZone, 'SH');
  return {
    ...home,
    server,
    elsewhere: (zone = timeZone) => newPlace(server, zone),
    async person(roles, assigned = [], { facility } = home) {
      const user = await makeUser(db);
      await makeMembership(db, { userId: user.id, facility, roles, title: 'Nurse' });
      for (const { no } of assigned) {
        await db.insertInto('census_assignments').values({ unit_no: no, user_id: user.id }).execute();
      }
      const session = await makeSession(db, { userId: user.id, lifetimeMs: TEN_YEARS_MS });
      return { ...user, client: withSession(server, session) };
    },
    async unit(code, unitDay = {}, { facility, facilityNo } = home) {
      const id = await makeUnit(db, { facilityId: facility.id, name: `Ward ${code}`, code });
      const { populations = ['adult_and_child'], staffed = 28, active = '[,)' } = unitDay;
      const found = await sql<{ unit_no: number }>`
        update census_units set populations = ${[...populations]}::text[], active = ${active}::daterange
        where unit_id = ${id} returning unit_no`.execute(db);
      const no = found.rows[0]?.unit_no ?? 0;
      for (const population of staffed > 0 ? populations : []) {
        await sql`
          insert into bed_complements (facility_no, unit_no, population, valid, licensed, physical, staffed)
          values (${facilityNo}, ${no}, ${population}, '[,)', ${staffed + 2}, ${staffed + 2}, ${staffed})`.execute(db);
      }
      return { id, no, code };
    },
    async close() {
      vi.useRealTimers();
      await server.close();
    },
  };
}

/** The fixture of a file's tests, from the first to the last; before each the clock stands at `now`. */
export function fixtureOfFile(now: string): CensusFixture {
  const ward = {} as CensusFixture;
  beforeAll(async () => {
    setNow(now);
    Object.assign(ward, await openCensusFixture());
  });
  afterAll(() => ward.close());
  beforeEach(() => setNow(now));
  return ward;
}

const CODES = { med: 'MED 3A', icu: 'ICU', sur: 'SUR 2B' };

type UnitName = keyof typeof CODES;

/** A facility of these units, where Ana is charge nurse of all and Ruth compiles. */
export async function openHospital<Name extends UnitName>(
  ward: CensusFixture,
  units: Readonly<Record<Name, UnitOptions>>,
): Promise<{ place: Place; ana: Person; ruth: Person } & Record<Name, FixtureUnit>> {
  const place = await ward.elsewhere();
  const made: [name: string, unit: FixtureUnit][] = [];
  for (const [name, options] of Object.entries<UnitOptions>(units)) {
    made.push([name, await ward.unit(CODES[name as UnitName], options, place)]);
  }
  const all = made.map(([, unit]) => unit);
  const ana = await ward.person(['chargeNurse'], all, place);
  const ruth = await ward.person(['censusOfficer'], [], place);
  return { ...(Object.fromEntries(made) as Record<Name, FixtureUnit>), place, ana, ruth };
}

async function newPlace({ db }: TestServer, timeZone: string, code = newFacilityCode()): Promise<Place> {
  const facility = await makeFacility(db, { timeZone, code });
  const found = db.selectFrom('census_facilities').select('facility_no').where('facility_id', '=', facility.id);
  return { facility, facilityNo: (await found.executeTakeFirstOrThrow()).facility_no };
}

/** Everybody's clock, but for the database's and the timers'. */
export function setNow(instant: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });
}

export interface Which {
  readonly unit: FixtureUnit;
  readonly date: string;
  readonly population?: 'adult_and_child' | 'newborn';
}

export function urlOf({ unit, date, population = 'adult_and_child' }: Which): string {
  return `/api/census/units/${unit.id}/days/${date}/${population}`;
}

export async function read(person: Person, which: Which): Promise<UnitDay> {
  const response = await person.client.send('GET', urlOf(which));
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${response.payload}`);
  return response.json();
}

/** What a nurse sends: nobody came or went, everybody was counted, unless said otherwise. */
export function entry(
  counts: Partial<Counts> = {},
  more: Partial<UnitDayEntry> = {},
): Record<string, unknown> & { client_id: string } {
  return {
    client_id: randomUUID(),
    version: 0,
    counts: { ...nilCounts(0), ...counts },
    transfers: [],
    submit: false,
    ...more,
  };
}

interface Answer {
  readonly status: number;
  /** The codes of the broken rules. */
  readonly codes: readonly string[];
  readonly message: string;
  readonly day: UnitDay;
  readonly body: { readonly errors?: Record<string, string[]>; readonly code?: string };
}

export async function put(person: Person, which: Which, body: object): Promise<Answer> {
  return answerOf(await person.client.send('PUT', urlOf(which), { body }));
}

export async function act(person: Person, which: Which, [verb, body]: [verb: string, body: object]): Promise<Answer> {
  return answerOf(
    await person.client.send('POST', `${urlOf(which)}/${verb}`, { body: { client_id: randomUUID(), ...body } }),
  );
}

function answerOf(response: Awaited<ReturnType<TestClient['send']>>): Answer {
  const body = response.json();
  return {
    status: response.statusCode,
    codes: (body.findings ?? []).map(({ code }: { code: string }) => code),
    message: body.message ?? '',
    day: body,
    body,
  };
}

/** Hands in a day that follows the chain: what came and went, and a head count that agrees. Fails loudly. */
export async function report(
  person: Person,
  which: Which,
  { counts = {}, seed }: { counts?: Partial<Counts>; seed?: number } = {},
): Promise<UnitDay> {
  const now = await read(person, which);
  const opening = now.opening ?? seed ?? 0;
  const all = { ...nilCounts(0), ...counts };
  const sum = (fields: readonly (keyof Counts)[]) => fields.reduce((total, field) => total + (all[field] ?? 0), 0);
  const closing =
    opening +
    sum(['admissions', 'births', 'transfers_in']) -
    sum(['discharges', 'deaths', 'transfers_out']) -
    (all.on_leave ?? 0);
  const body = entry(
    { ...all, counted: counts.counted ?? closing },
    { version: now.version, submit: true, ...(seed !== undefined && { seed }) },
  );
  const answer = await put(person, which, body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.message}`);
  return answer.day;
}

/** The census log of a facility, the oldest first. */
export async function logOf({ server }: CensusFixture, { facilityNo }: Place): Promise<LogLine[]> {
  const rows = await server.db
    .selectFrom('census_log')
    .select('entry')
    .where('facility_no', '=', facilityNo)
    .orderBy('seq')
    .execute();
  return rows.map(({ entry: text }) => toPresentNames(JSON.parse(text)));
}

interface LogLine {
  readonly seq: number;
  readonly action: string;
  readonly outcome: string;
  readonly actor_id: string | null;
  readonly census_date: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly after_approval: boolean;
  readonly reason_code: string | null;
  readonly reason: string | null;
  readonly device_time: string | null;
}
