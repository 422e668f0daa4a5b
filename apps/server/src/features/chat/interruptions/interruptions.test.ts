import type { Calls } from '@wardline/contract/chat/interruptions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { acceptUrgent } from '#/features/chat/urgent/act-on-urgent.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { purgeCallCounts } from './count-calls.ts';
import { exportInterruptions, listInterruptions, roundCalls } from './list-interruptions.ts';

let ward: Ward;
let lead: Person;
beforeAll(async () => {
  ward = await openChatFixture();
  lead = await ward.person('Lead');
  await sql`update roles set permissions = permissions || '{on_call.manage}'
    where facility_id = ${ward.facility.id} and name ilike 'clinician%'`.execute(ward.db);
  await ward.person('Second');
  await ward.person('Third');
});
afterAll(() => ward.close());

const MONTHS = { from: '2026-10', to: '2026-10' };

type RoleName = 'clinician' | 'chargeNurse';
const roleId = (name: RoleName = 'clinician'): string => ward.facility.roles[name];

async function put(counts: { hour: number; kind: string; calls: number; day?: string; role?: RoleName }[]) {
  for (const { hour, kind, calls, day = '2026-10-05', role = 'clinician' } of counts) {
    await sql`insert into call_counts values (${ward.facility.id}, ${day}::date, ${roleId(role)}, ${hour}, ${kind}, ${calls})`.execute(
      ward.db,
    );
  }
}
async function answer(hour: number, seconds: readonly number[], role: RoleName = 'clinician') {
  for (const one of seconds) {
    await sql`insert into urgent_answers values (${ward.facility.id}, '2026-10-05', ${roleId(role)}, ${hour}, ${one})`.execute(
      ward.db,
    );
  }
}
async function list(query = MONTHS, by = lead) {
  return (await listInterruptions(await by.ask(), { params: { facility: ward.facility.id }, query, body: {} })).data;
}
const clear = async () => {
  await sql`delete from call_counts`.execute(ward.db);
  await sql`delete from urgent_answers`.execute(ward.db);
};
const calls = (given: Partial<Calls>): Calls => ({
  ...{ silent: 0, aloud: 0, urgent: 0, answers: { count: 0, median_s: null, p90_s: null } },
  ...given,
});

describe('CHAT-23 interruptions by role and hour', () => {
  it('are rounded to five, few below it, and answers are told from five on', async () => {
    await clear();
    await put([
      { hour: 2, kind: 'silent', calls: 4 },
      { hour: 2, kind: 'urgent', calls: 7 },
      { hour: 2, kind: 'urgent', calls: 6, day: '2026-10-31' },
      { hour: 9, kind: 'aloud', calls: 8 },
      { hour: 9, kind: 'aloud', calls: 90, day: '2026-11-01' },
      { hour: 9, kind: 'aloud', calls: 90, day: '2026-09-30' },
    ]);
    await answer(2, [30, 60, 90, 120, 600]);
    await answer(9, [10, 10, 10, 10]);
    const [role] = await list();
    expect(role).toMatchObject({
      total: calls({ silent: null, aloud: 10, urgent: 15, answers: { count: 10, median_s: 30, p90_s: 600 } }),
      hours: [
        { hour: 2, ...calls({ silent: null, urgent: 15, answers: { count: 5, median_s: 90, p90_s: 600 } }) },
        { hour: 9, ...calls({ aloud: 10, answers: { count: null, median_s: null, p90_s: null } }) },
      ],
    });
    expect([0, 1, 4, 5, 7, 8, 102].map(roundCalls)).toEqual([0, null, null, 5, 5, 10, 100]);
  });

  it('A18 of a role that fewer than three hold say nothing, in the file neither', async () => {
    await clear();
    const user = await makeUser(ward.db);
    await makeMembership(ward.db, { userId: user.id, facility: ward.facility, roles: ['chargeNurse'] });
    await put([
      { hour: 3, kind: 'urgent', calls: 4711, role: 'chargeNurse' },
      { hour: 3, kind: 'urgent', calls: 20 },
    ]);
    await answer(3, [99_881, 99_881, 99_881, 99_881, 99_881], 'chargeNurse');
    const roles = await list();
    expect(roles.filter(({ total }) => total === null)).toMatchObject([{ hours: [] }]);
    const file = await exportInterruptions(await lead.ask(), {
      params: { facility: ward.facility.id },
      query: MONTHS,
      body: {},
    });
    const text = `${JSON.stringify(roles)} ${file.body}`;
    expect(text).not.toMatch(/4711|4710|99881/);
    expect(String(file.body)).toMatch(/,all,few,few,few,few,,\r?\n/);
    expect(String(file.body)).toContain(',3,0,0,20,0,,');
    const audited = await sql`select from audit_entries where action = 'interruptions.export'`.execute(ward.db);
    expect(audited.rows).toHaveLength(1);
    // A third holder is enough, and one whose membership has ended counts no more.
    await sql`update memberships set ended_at = now() where user_id = ${(await ward.person('Gone')).id}`.execute(
      ward.db,
    );
    for (let n = 0; n < 2; n++) {
      const { id } = await makeUser(ward.db);
      await makeMembership(ward.db, { userId: id, facility: ward.facility, roles: ['chargeNurse'] });
    }
    expect((await list()).filter(({ total }) => total === null)).toEqual([]);
  });

  it('URG-1 count each call of an urgent message and the time to its acknowledgement, by the facility’s clock, without a person', async () => {
    await clear();
    const [mira, leila] = [await ward.person('Mira'), await ward.person('Leila')];
    const chat = await openChat(ward, mira, [leila]);
    const urgent = { targets: { people: [leila.id], role_id: null } };
    const message = await say(mira, chat, { urgent });
    await sql`update escalations set started_at = now() - interval '90 s'`.execute(ward.db);
    await sql`update escalation_people set called_at = now() - interval '90 s'`.execute(ward.db);
    const params = { chat: chat.id, message: message.id };
    await acceptUrgent(await leila.ask(), { params, query: {}, body: {} });
    await acceptUrgent(await leila.ask(), { params, query: {}, body: {} });
    const { rows } = await sql<{ calls: number; is_now: boolean; columns: string[] }>`
      select calls, (day + make_interval(hours => hour)) = date_trunc('hour', now() at time zone f.time_zone) as is_now,
        array(select jsonb_object_keys(to_jsonb(c)) order by 1) as columns
      from call_counts c join facilities f on f.id = c.facility_id`.execute(ward.db);
    expect(rows).toEqual([
      { calls: 1, is_now: true, columns: ['calls', 'day', 'facility_id', 'hour', 'kind', 'role_id'] },
    ]);
    const answers = await sql<{ seconds: number; columns: string[] }>`
      select seconds, array(select jsonb_object_keys(to_jsonb(a)) order by 1) as columns from urgent_answers a`.execute(
      ward.db,
    );
    expect(answers.rows).toEqual([
      { seconds: expect.closeTo(90, -1), columns: ['day', 'facility_id', 'hour', 'role_id', 'seconds'] },
    ]);
  });

  it('are for who plans on-call, of their own facility, 13 months at most, and kept for 14', async () => {
    await clear();
    const stranger = await ward.person('Stranger', await ward.otherFacility());
    expect(await refusalOf(list(MONTHS, stranger))).toBe('404 not_found');
    expect(await refusalOf(list({ from: '2025-10', to: '2026-10' }))).toBe('none');
    expect(await refusalOf(list({ from: '2025-09', to: '2026-10' }))).toBe('422 unprocessable');
    await put([{ hour: 1, kind: 'silent', calls: 50, day: '2020-01-01' }]);
    await sql`insert into call_counts select facility_id, current_date, role_id, hour, kind, calls from call_counts`.execute(
      ward.db,
    );
    await purgeCallCounts(ward.db);
    const left = await sql<{ is_today: boolean }>`select day = current_date as is_today from call_counts`.execute(
      ward.db,
    );
    expect(left.rows).toEqual([{ is_today: true }]);
  });

  it('CHAT-23 a month is read by its index, however many years are stored', async () => {
    await clear();
    await sql`insert into call_counts
      select ${ward.facility.id}::uuid, d::date, ${roleId()}::uuid, h, k, 7
      from generate_series(date '2026-01-01', date '2026-12-31', interval '1 day') d, generate_series(0, 23) h,
        unnest('{aloud}'::text[]) k`.execute(ward.db);
    await sql`analyze call_counts`.execute(ward.db);
    const plan = await sql<{ 'QUERY PLAN': string }>`explain select sum(calls) from call_counts
      where facility_id = ${ward.facility.id} and day >= '2026-10-01' and day < '2026-11-01'`.execute(ward.db);
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /Index (Only )?Scan.* call_counts_pkey|Bitmap Index Scan on call_counts_pkey/,
    );
    expect((await list())[0]?.hours).toHaveLength(24);
  });
});
