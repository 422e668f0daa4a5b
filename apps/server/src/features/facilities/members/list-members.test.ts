import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { findMembers } from './list-members.ts';

let server: TestServer;
let facility: MadeFacility;
let client: TestClient;

const NAMES = [
  'Zoe Adler',
  'adam Novak',
  'Ängström Lund',
  'Beatriz Alves',
  'Beatriz Alves',
  '100% Sure',
  'Under_score',
];

beforeAll(async () => {
  server = await startTestServer();
  const { db } = server;
  facility = await makeFacility(db, { name: 'St. Hedwig' });
  const me = await makeUser(db, { name: 'Mia Reader' });
  await makeMembership(db, { userId: me.id, facility, roles: ['clinician', 'censusOfficer'], title: 'Registrar' });
  for (const name of NAMES) {
    const user = await makeUser(db, { name });
    await makeMembership(db, { userId: user.id, facility });
  }
  const other = await makeFacility(db, { name: 'Elsewhere' });
  const stranger = await makeUser(db, { name: 'Stranger Beatriz' });
  await makeMembership(db, { userId: stranger.id, facility: other });
  const gone = await makeUser(db, { name: 'Gone Beatriz' });
  const ended = await makeMembership(db, { userId: gone.id, facility });
  await db.updateTable('memberships').set({ ended_at: new Date() }).where('id', '=', ended).execute();
  const disabled = await makeUser(db, { name: 'Disabled Beatriz', disabledAt: new Date() });
  await makeMembership(db, { userId: disabled.id, facility });
  client = await signedIn(server, me.id);
});
afterAll(() => server.close());

async function list(query: Record<string, string> = {}, of = facility.id) {
  return client.send('GET', `/api/facilities/${of}/members?${new URLSearchParams(query)}`);
}

async function namesOf(query: Record<string, string>): Promise<string[]> {
  return (await list(query)).json().data.map((member: { name: string }) => member.name);
}

it('CHAT-17 says who a person of the facility is, and of nobody else', async () => {
  const idOf = async (name: string) => {
    const found = server.db.selectFrom('users').select('id').where('name', '=', name);
    return (await found.executeTakeFirstOrThrow()).id;
  };
  const show = async (name: string) => client.send('GET', `/api/facilities/${facility.id}/members/${await idOf(name)}`);
  expect((await show('Mia Reader')).json()).toEqual({
    user_id: await idOf('Mia Reader'),
    name: 'Mia Reader',
    title: 'Registrar',
    roles: ['Census officer', 'Clinician'],
    phone: null,
    on_call: [],
    avatar_url: null,
  });
  for (const name of ['Stranger Beatriz', 'Gone Beatriz', 'Disabled Beatriz'])
    expect((await show(name)).statusCode, name).toBe(404);
});

const IN_ORDER = [
  '100% Sure',
  'adam Novak',
  'Ängström Lund',
  'Beatriz Alves',
  'Beatriz Alves',
  'Mia Reader',
  'Under_score',
  'Zoe Adler',
];

/** The statement that a query runs. */
async function compiled(run: (db: Database) => Promise<unknown>): Promise<CompiledQuery> {
  const statements: CompiledQuery[] = [];
  const watched = server.db.withPlugin({
    transformQuery({ node, queryId }) {
      statements.push(server.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await run(watched);
  const [statement] = statements;
  if (!statement) throw new Error('nothing was asked');
  return statement;
}

describe('the members of a facility', () => {
  it('ADM-1 are listed in the order of people, with title and roles; who left or is disabled is not', async () => {
    const response = await list();
    expect(response.statusCode).toBe(200);
    expect(response.json().next_cursor).toBeNull();
    expect(response.json().data.map((member: { name: string }) => member.name)).toEqual(IN_ORDER);
    const mia = response.json().data.find((member: { name: string }) => member.name === 'Mia Reader');
    expect(mia).toEqual({
      user_id: expect.any(String),
      name: 'Mia Reader',
      title: 'Registrar',
      avatar_url: null,
      phone: null,
      on_call: [],
      roles: ['Census officer', 'Clinician'],
    });
  });

  it('IMG-1 ACC-5 come with the address of their picture, and nothing else of its key', async () => {
    const zoe = server.db.updateTable('users').where('name', '=', 'Zoe Adler');
    await zoe.set({ avatar_key: 'AAAAAAAAAAAAAAAAAAAAAA' }).execute();
    const [member] = (await list({ q: 'zoe' })).json().data;
    await zoe.set({ avatar_key: null }).execute();
    expect(member).toEqual({
      user_id: expect.any(String),
      name: 'Zoe Adler',
      title: null,
      avatar_url: '/storage/avatars/AAAAAAAAAAAAAAAAAAAAAA',
      phone: null,
      on_call: [],
      roles: [],
    });
  });

  it.each(['1', '2', '3', '7', '8'])('ADM-1 pages of %s give each person once, namesakes included', async (limit) => {
    const names: string[] = [];
    const ids = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: { data: { name: string; user_id: string }[]; next_cursor: string | null } = (
        await list({ limit, ...(cursor !== null && { cursor }) })
      ).json();
      for (const member of page.data) {
        names.push(member.name);
        ids.add(member.user_id);
      }
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(names).toEqual(IN_ORDER);
    expect(ids.size).toBe(IN_ORDER.length);
  });

  it('ADM-1 are found by the start or a part of a name, in any case, paged', async () => {
    expect(await namesOf({ q: 'beat' })).toEqual(['Beatriz Alves', 'Beatriz Alves']);
    expect(await namesOf({ q: 'NOVAK' })).toEqual(['adam Novak']);
    expect(await namesOf({ q: 'ängs' })).toEqual(['Ängström Lund']);
    expect(await namesOf({ q: 'nobody of that name' })).toEqual([]);
    expect(await namesOf({ q: '' })).toEqual(IN_ORDER);
    const first = (await list({ q: 'beat', limit: '1' })).json();
    const second = (await list({ q: 'beat', limit: '1', cursor: first.next_cursor })).json();
    expect(second.data[0].user_id).not.toBe(first.data[0].user_id);
    expect(second.next_cursor).toBeNull();
  });

  it('F-U5 are found by title and role too, each word anywhere', async () => {
    expect(await namesOf({ q: 'registrar' })).toEqual(['Mia Reader']);
    expect(await namesOf({ q: 'census' })).toEqual(['Mia Reader']);
    expect(await namesOf({ q: 'reader clin' })).toEqual(['Mia Reader']);
    expect(await namesOf({ q: 'zoe registrar' })).toEqual([]);
    expect(await namesOf({ q: 'alves  BEATRIZ' })).toEqual(['Beatriz Alves', 'Beatriz Alves']);
  });

  it('A40 are searched for the signs as they are typed: no sign stands for others', async () => {
    expect(await namesOf({ q: '%' })).toEqual(['100% Sure']);
    expect(await namesOf({ q: '_' })).toEqual(['Under_score']);
    expect(await namesOf({ q: '\\' })).toEqual([]);
    expect(await namesOf({ q: '%_%_%' })).toEqual([]);
    expect(await namesOf({ q: "' or 1=1 --" })).toEqual([]);
  });

  it('A17 the cursor takes only people of this facility, so that it tells nothing of others', async () => {
    const stranger = await server.db.selectFrom('users').select('id').where('name', '=', 'Stranger Beatriz').execute();
    for (const cursor of [stranger[0]?.id ?? '', newId(), 'abc', 'A'.repeat(512)]) {
      const response = await list({ cursor });
      expect(response.statusCode).toBe(422);
      expect(response.json().errors).toEqual({ cursor: ['This is not a cursor of this list.'] });
    }
    // A page may end with somebody who has left by the time the next one is asked for.
    const gone = await server.db.selectFrom('users').select('id').where('name', '=', 'Gone Beatriz').execute();
    expect(await namesOf({ cursor: gone[0]?.id ?? '' })).toEqual(['Mia Reader', 'Under_score', 'Zoe Adler']);
  });

  it('PERM-3 a facility that is not mine does not exist', async () => {
    const other = await server.db.selectFrom('facilities').select('id').where('name', '=', 'Elsewhere').execute();
    const foreign = await list({}, other[0]?.id ?? '');
    const missing = await list({}, newId());
    expect(foreign.statusCode).toBe(404);
    expect(foreign.json()).toEqual(missing.json());
  });

  it('A40 a page of a large facility is a walk along an index, not a sort of all members', async () => {
    const { db } = server;
    const big = await makeFacility(db);
    await sql`
      insert into users (id, name, email, password_hash)
      select gen_random_uuid(), initcap(md5(n::text)), 'big' || n || '@people.test', '!' from generate_series(1, 20000) n`.execute(
      db,
    );
    // Known as many before they are looked up one by one: the plan for few would read all of them each time.
    await sql`analyze users`.execute(db);
    await sql`
      insert into memberships (id, facility_id, user_id)
      select gen_random_uuid(), ${big.id}, id from users where email ~ '^big[0-9]+@people.test$'`.execute(db);
    await sql`analyze memberships`.execute(db);
    const after = { name: 'B', userId: newId() };
    const page = await compiled((watched) => findMembers(watched, { facilityId: big.id, terms: [], after, limit: 51 }));
    const plan = await db.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain ${page.sql}`, [...page.parameters]),
    );
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('users_name_idx');
    expect(text).not.toMatch(/Sort Key: .*icu/);
  });
});

describe('those who may be on call', () => {
  it('CHAT-19 are found without the others, also by a search', async () => {
    expect(await namesOf({ may: 'on_call.take' })).toEqual(['Mia Reader']);
    expect(await namesOf({ may: 'on_call.take', q: 'zoe' })).toEqual([]);
    expect((await list({ may: 'members.manage' })).statusCode).toBe(422);
  });
});

describe('my facilities', () => {
  it('PERM-2 are the ones I belong to, with units counted and my permissions there', async () => {
    await makeUnit(server.db, { facilityId: facility.id, name: 'Medicine 3A', code: 'MED3A' });
    await makeUnit(server.db, { facilityId: facility.id, name: 'Intensive care', code: 'ICU' });
    const response = await client.send('GET', '/api/facilities');
    expect(response.json()).toEqual({
      data: [
        {
          id: facility.id,
          name: 'St. Hedwig',
          code: facility.code,
          time_zone: 'Europe/Berlin',
          hour_cycle: 'h23',
          date_order: 'dmy',
          unit_count: 2,
          permissions: [
            'census.logs',
            'census.report_summary',
            'census.report_units',
            'census.view',
            'chats.break_glass',
            'chats.create',
            'examinations.sign',
            'examinations.write',
            'on_call.take',
            'phones.view',
          ],
        },
      ],
    });
  });

  it('ACC-1 are none for somebody whom nobody has admitted yet', async () => {
    const newcomer = await signedIn(server, (await makeUser(server.db)).id);
    expect((await newcomer.send('GET', '/api/facilities')).json()).toEqual({ data: [] });
  });
});
