import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { type DemoSummary, isEmpty, seedDemo } from './demo-hospital.ts';

let database: TestDatabase;
let summary: DemoSummary;
const hashes: string[] = [];
const now = new Date('2026-11-20T00:38:00Z');
const options = {
  password: 'demo password',
  hashPassword: async (password: string) => {
    hashes.push(password);
    return 'a hash';
  },
};

beforeAll(async () => {
  database = await testDatabase();
  expect(await isEmpty(database.db)).toBe(true);
  summary = await seedDemo(database.db, { ...options, now });
});
afterAll(() => database.close());

async function count(query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  return (await query.execute(database.db)).rows[0]?.n ?? -1;
}

describe('the demo hospital', () => {
  test('OPS-1 is loaded once, and only into an empty database', async () => {
    expect(await isEmpty(database.db)).toBe(false);
    await expect(seedDemo(database.db, options)).rejects.toThrow('empty database');
    expect(hashes).toEqual(['demo password', ...hashes.slice(1)]);
  });

  test('OPS-1 is loaded however long a machine takes for a statement', async () => {
    const slow = await testDatabase();
    await sql`create table timeouts (setting text)`.execute(slow.db);
    await sql`
      create function note_timeout() returns trigger language plpgsql as
      $$ begin insert into timeouts values (current_setting('statement_timeout')); return null; end $$`.execute(
      slow.db,
    );
    await sql`create trigger note after insert on unit_census execute function note_timeout()`.execute(slow.db);
    await seedDemo(slow.db, { ...options, now, censusDays: 30, longChatMessages: 1 });
    const noted = await sql<{ setting: string }>`select distinct setting from timeouts`.execute(slow.db);
    expect(noted.rows).toEqual([{ setting: '0' }]);
    await slow.close();
  });

  test('CHAT-19 OPS-1 has somebody on call for what it always needs, and a role that nobody holds', async () => {
    const held = sql<{ n: number }>`
      select count(*)::int as n from on_call_shifts where starts_at <= ${now} and ends_at > ${now}`;
    expect(await count(held)).toBe(7);
    expect(await count(sql`select count(*)::int as n from on_call_roles`)).toBe(8);
  });

  test('CHAT-23 OPS-1 has calls of every hour by day, and roles that are too few to be told of', async () => {
    const { rows } = await sql<{ name: string; hours: number; urgent: number; answers: number }>`
      select r.name, count(distinct c.hour)::int as hours, sum(c.calls) filter (where c.kind = 'urgent')::int as urgent,
        (select count(*)::int from urgent_answers a where a.role_id = r.id) as answers
      from call_counts c join roles r on r.id = c.role_id group by r.id order by urgent desc`.execute(database.db);
    // One more clinician is called by the critical result of the demo, and answers.
    expect(rows).toEqual([
      { name: 'Clinician', hours: 24, urgent: 191, answers: 177 },
      { name: 'Charge nurse', hours: 24, urgent: 120, answers: 111 },
      { name: 'House supervisor', hours: 24, urgent: 12, answers: 11 },
    ]);
  });

  test('OPS-1 has the accounts that scripts rely on, each where it belongs', async () => {
    const { rows } = await sql<{ email: string; is_operator: boolean; places: string[]; permissions: string[] }>`
      select u.email, u.is_operator,
        array(select f.name from memberships m join facilities f on f.id = m.facility_id where m.user_id = u.id order by f.name) as places,
        array(select distinct unnest(r.permissions) from memberships m join membership_roles mr on mr.membership_id = m.id
          join roles r on r.id = mr.role_id where m.user_id = u.id order by 1) as permissions
      from users u where u.is_demo order by u.email`.execute(database.db);
    const accounts = new Map(rows.map((row) => [row.email, row]));
    const brigid = 'St. Brigid General';
    const harbour = 'Harbour District Clinic';
    expect(accounts.get('doctor@demo.test')).toMatchObject({ places: [brigid], is_operator: false });
    expect(accounts.get('nurse@demo.test')).toMatchObject({ places: [harbour, brigid] });
    expect(accounts.get('nurse@demo.test')?.permissions).toContain('census.report_units');
    expect(accounts.get('officer@demo.test')?.permissions).toContain('census.report_summary');
    expect(accounts.get('admin@demo.test')?.permissions).toContain('members.manage');
    expect(accounts.get('visitor@demo.test')).toMatchObject({ places: [harbour] });
    expect(accounts.get('newcomer@demo.test')).toMatchObject({ places: [], is_operator: false });
    expect(accounts.get('operator@demo.test')).toMatchObject({ places: [], is_operator: true });
    expect(rows).toHaveLength(summary.people);
    expect(summary).toMatchObject({ facilities: 2, units: 10 });
  });

  test('CHAT-1 has no gap in any chat, and every list row is that of the newest message', async () => {
    expect(await count(sql`select count(*)::int as n from messages`)).toBe(summary.messages);
    expect(summary.chats).toBeGreaterThanOrEqual(20);
    const broken = sql<{ n: number }>`
      select count(*)::int as n from chats c
      left join lateral (select max(seq) as head, count(*) as n from messages where chat_id = c.id) m on true
      left join messages newest on newest.chat_id = c.id and newest.seq = c.head_seq
      where c.head_seq is distinct from m.head or c.head_seq is distinct from m.n
        or c.last_message is distinct from last_message_of(newest) or c.updated_at is distinct from newest.created_at`;
    expect(await count(broken)).toBe(0);
    const longest = sql<{ n: number }>`select max(head_seq)::int as n from chats`;
    expect(await count(longest)).toBe(20_000);
  });

  test('EXAM-3 OPS-1 has examinations by the product’s own functions: drafts, signed and amended ones, a critical one that was read back', async () => {
    const { rows } = await sql<{ state: string; n: number }>`
      select state, count(*)::int as n from examinations group by state order by state`.execute(database.db);
    expect(Object.fromEntries(rows.map(({ state, n }) => [state, n]))).toEqual({
      ...{ amended: 1, draft: 1, reported: 6, requested: 1 },
    });
    // The database itself holds each hash to its text; each has its entry in the audit, and is signed before now.
    const signed = sql<{ n: number }>`
      select count(*)::int as n from examination_reports r
      where r.signed_at <= ${now} and exists (
        select from audit_entries a where a.object_id = r.examination_id and a.action = 'examination.move'
          and a.detail ->> 'sha256' = encode(r.sha256, 'hex'))`;
    expect(await count(signed)).toBe(8);
    const alert = sql<{ n: number }>`
      select count(*)::int as n from critical_alerts a join critical_read_backs b on b.alert_id = a.id and b.is_right
      where a.state = 'closed'`;
    expect(await count(alert)).toBe(1);
    const citing = sql<{ n: number }>`
      select count(*)::int as n from messages m join message_citations c on c.message_id = m.id and c.seq = m.seq
      where m.citations -> 0 ->> 'value' = '6.8'`;
    expect(await count(citing)).toBe(1);
  });

  test('HAND-1 OPS-1 has a hand-over by the product’s own functions, signed by both, with an action that is done', async () => {
    const { rows } = await sql<{ state: string; quoted: number; done: number; received: number }>`
      select h.state, (select count(*)::int from jsonb_array_elements(s.content::jsonb -> 'lines') line where (line ->> 'is_quoted')::boolean) as quoted,
        (select count(*)::int from handover_actions a where a.handover_id = h.id and a.done_at <= ${now}) as done,
        (select count(*)::int from handover_receipts r where r.handover_id = h.id and r.signed_at <= ${now}) as received
      from handovers h join handover_sheets s on s.handover_id = h.id`.execute(database.db);
    expect(rows).toEqual([{ state: 'received', quoted: 2, done: 1, received: 1 }]);
  });

  test('is told in the order of its clock and ends before now', async () => {
    const disordered = sql<{ n: number }>`
      select count(*)::int as n from messages a join messages b on b.chat_id = a.chat_id and b.seq = a.seq + 1
      where b.created_at < a.created_at or b.created_at > ${now}`;
    expect(await count(disordered)).toBe(0);
  });

  test('lets nobody but the product itself speak who is not in the chat, and puts nobody into a chat of a foreign facility', async () => {
    const strangers = sql<{ n: number }>`
      select count(*)::int as n from messages m
      where m.sender_id <> ${SERVER_USER.id}
        and not exists (select from active_participants p where p.chat_id = m.chat_id and p.user_id = m.sender_id)`;
    expect(await count(strangers)).toBe(0);
    const lost = sql<{ n: number }>`
      select count(*)::int as n from chat_participants p
      where not exists (select from active_participants a where a.chat_id = p.chat_id and a.user_id = p.user_id)`;
    expect(await count(lost)).toBe(0);
  });

  test('OPS-1 gives the demo accounts something unread, and reads as it was written by hand', async () => {
    for (const email of [
      'doctor@demo.test',
      'nurse@demo.test',
      'officer@demo.test',
      'admin@demo.test',
      'visitor@demo.test',
    ]) {
      const unread = sql<{ n: number }>`
        select count(*)::int as n from active_participants p join users u on u.id = p.user_id and u.email = ${email}
        join chats c on c.id = p.chat_id where c.head_seq > p.read_seq`;
      expect(await count(unread), email).toBeGreaterThan(0);
    }
    const written = sql<{ n: number }>`
      select count(distinct m.body)::int as n from messages m join chats c on c.id = m.chat_id
      where c.head_seq < 1000 and m.kind = 'text'`;
    expect(await count(written)).toBeGreaterThan(200);
    const generated = sql<{ n: number }>`
      select count(distinct m.body)::int as n from messages m join chats c on c.id = m.chat_id where c.head_seq > 1000`;
    expect(await count(generated)).toBeGreaterThan(5_000);
    expect(await count(sql`select count(*)::int as n from messages where body ~ '[{}]|undefined'`)).toBe(0);
  });
});
