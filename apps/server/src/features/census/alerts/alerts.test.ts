import { randomUUID } from 'node:crypto';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ana,
  clock,
  DATE,
  unit as icu,
  place,
  ruth,
  useClockRoom,
  ward,
} from '#/features/census/clock/testing/clock-room.ts';
import { alertsOf, linesIn, snapshot } from '#/features/census/clock/testing/ticking.ts';
import { lockHead } from '#/features/census/core/append-log.ts';
import { actOnDay, dayUrl } from '#/features/census/day/testing/days.ts';
import {
  act,
  entry,
  type FixtureUnit,
  logOf,
  type Person,
  put,
  report,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { auditOf } from '#/testing/test-client.ts';

useClockRoom({ code: 'ICU', staffed: 100, opensAt: '2026-11-19T16:10:00Z' });
beforeEach(() => clock.at('2026-11-19T16:05:00Z'));

const counted = (seed: number) => report(ana, { unit: icu, date: DATE }, { seed });
const beside = (at: string, occupied: number) =>
  snapshot(ward, place, { unit: icu, at, occupied, staffed: 100, by: ana.id });

describe('alerts', () => {
  it('CEN-9 a unit is high by two counts in a row, and is cleared three points below', async () => {
    await counted(92);
    await clock.at('2026-11-19T16:20:00Z');
    expect(await alertsOf(ward, place)).toEqual([]);
    await beside('2026-11-19T20:00:00Z', 95);
    await clock.at('2026-11-19T20:01:00Z');
    const high = 'ICU 95.00 % of 100 staffed beds; high is 92 %';
    expect(await alertsOf(ward, place)).toEqual([high]);
    await beside('2026-11-19T21:00:00Z', 90);
    await clock.at('2026-11-19T21:01:00Z');
    expect(await alertsOf(ward, place)).toEqual([high]);
    await beside('2026-11-19T22:00:00Z', 89);
    await clock.at('2026-11-19T22:01:00Z');
    expect(await alertsOf(ward, place)).toEqual([`${high} (cleared)`]);
  });

  it('CEN-9 a rule speaks of a unit once a shift', async () => {
    await counted(92);
    await beside('2026-11-19T17:00:00Z', 92);
    await clock.at('2026-11-19T17:01:00Z');
    await beside('2026-11-19T18:00:00Z', 80);
    await clock.at('2026-11-19T18:01:00Z');
    await beside('2026-11-19T19:00:00Z', 93);
    await beside('2026-11-19T20:00:00Z', 93);
    await clock.at('2026-11-19T20:01:00Z');
    const first = 'ICU 92.00 % of 100 staffed beds; high is 92 % (cleared)';
    expect(await alertsOf(ward, place)).toEqual([first]);
    await clock.at('2026-11-20T01:01:30Z');
    expect(await alertsOf(ward, place)).toEqual([first, 'ICU 93.00 % of 100 staffed beds; high is 92 %']);
  });

  it('CEN-9 a unit over its staffed beds is said by one count', async () => {
    await beside('2026-11-19T16:20:00Z', 101);
    await clock.at('2026-11-19T16:21:00Z');
    expect(await alertsOf(ward, place)).toEqual(['ICU 101 patients, 100 staffed beds']);
    await beside('2026-11-19T16:30:00Z', 50);
    await clock.at('2026-11-19T16:31:00Z');
    expect(await alertsOf(ward, place)).toEqual(['ICU 101 patients, 100 staffed beds (cleared)']);
  });

  it('CEN-9 a report that is missing for an hour, until it is handed in', async () => {
    await clock.at('2026-11-19T17:59:00Z');
    expect(await alertsOf(ward, place)).toEqual([]);
    await clock.at('2026-11-19T18:00:00Z');
    expect(await alertsOf(ward, place)).toEqual(['ICU report of Thu 19 Nov missing']);
    setNow('2026-11-19T18:30:00Z');
    await counted(50);
    await clock.at('2026-11-19T18:31:00Z');
    expect(await alertsOf(ward, place)).toEqual(['ICU report of Thu 19 Nov missing (cleared)']);
  });

  it('CEN-9 A16 an alert is said to who signs here: not to who signs elsewhere, reports only, was disabled or has left', async () => {
    await ward.person(['censusOfficer'], [], await ward.elsewhere());
    const left = await ward.person(['censusOfficer'], [], place);
    const disabled = await ward.person(['censusOfficer'], [], place);
    const { db } = ward.server;
    await db.updateTable('memberships').set({ ended_at: sql`now()` }).where('user_id', '=', left.id).execute();
    await db.updateTable('users').set({ disabled_at: sql`now()` }).where('id', '=', disabled.id).execute();
    await clock.at('2026-11-19T18:00:00Z');
    const { rows } = await sql<{ user_id: string }>`
      select p.user_id from chat_participants p join chats c on c.id = p.chat_id
      where c.facility_id = ${place.facility.id} and c.title = 'Census'`.execute(db);
    expect(rows).toEqual([{ user_id: ruth.id }]);
  });

  it('CEN-9 A48 nothing is raised or cleared in a facility that somebody changes, until the next tick', async () => {
    const duringAChange = (tick: string) =>
      ward.server.db.transaction().execute(async (tx) => {
        await lockHead(tx, place.facilityNo);
        await clock.at(tick);
      });
    const missing = 'ICU report of Thu 19 Nov missing';
    await duringAChange('2026-11-19T18:00:00Z');
    expect(await alertsOf(ward, place)).toEqual([]);
    await clock.at('2026-11-19T18:00:30Z');
    expect(await alertsOf(ward, place)).toEqual([missing]);
    setNow('2026-11-19T18:30:00Z');
    await counted(50);
    await duringAChange('2026-11-19T18:31:00Z');
    expect(await alertsOf(ward, place)).toEqual([missing]);
    await clock.at('2026-11-19T18:32:00Z');
    expect(await alertsOf(ward, place)).toEqual([`${missing} (cleared)`]);
  });

  it('CEN-9 CEN-R7 a transfer of which both sides are in and do not say the same, until somebody signs the day and says why', async () => {
    const med = await ward.unit('MED 3A', { staffed: 100 }, place);
    const mira = await ward.person(['chargeNurse'], [med], place);
    const move = (unit: FixtureUnit, direction: 'in' | 'out', count: number) => [
      { unit_id: unit.id, direction, count },
    ];
    const out = entry({ transfers_out: 3, counted: 21 }, { seed: 24, transfers: move(icu, 'out', 3), submit: true });
    await put(mira, { unit: med, date: DATE }, out);
    await clock.at('2026-11-19T16:11:00Z');
    expect(await alertsOf(ward, place)).toEqual([]);
    const into = entry({ transfers_in: 2, counted: 10 }, { seed: 8, transfers: move(med, 'in', 2), submit: true });
    await put(ana, { unit: icu, date: DATE }, into);
    await clock.at('2026-11-19T16:12:00Z');
    const gap = 'Transfer gap on Thu 19 Nov: MED 3A says 3 to ICU, ICU says 2';
    expect(await alertsOf(ward, place)).toEqual([gap]);
    for (const unit of [med, icu]) await act(ruth, { unit, date: DATE }, ['approve', { version: 1 }]);
    await clock.at('2026-11-19T16:13:00Z');
    expect(await alertsOf(ward, place)).toEqual([gap]);
    const override_reason = 'One was moved at 23:58';
    const signed = await actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: 1, override_reason });
    expect(signed.day).toMatchObject({ status: 'approved', transfer_gap: 1 });
    await clock.at('2026-11-19T16:14:00Z');
    expect(await alertsOf(ward, place)).toEqual([`${gap} (cleared)`]);
  });

  it('CEN-9 heads that were counted otherwise, until somebody approved the words for it', async () => {
    const body = entry({ counted: 21 }, { seed: 22, variance_reason: 'One is in theatre', submit: true });
    const { day } = await put(ana, { unit: icu, date: DATE }, body);
    await clock.at('2026-11-19T16:12:00Z');
    expect(await alertsOf(ward, place)).toEqual(['ICU counted 21 on Thu 19 Nov, 22 computed']);
    await act(ruth, { unit: icu, date: DATE }, ['approve', { version: day.version }]);
    await clock.at('2026-11-19T16:13:00Z');
    expect(await alertsOf(ward, place)).toEqual(['ICU counted 21 on Thu 19 Nov, 22 computed (cleared)']);
  });

  it('CEN-9 a unit whose signed numbers were changed three times in a week', async () => {
    await counted(50);
    const restate = () =>
      sql`insert into census_restatements (facility_no, unit_no, population, from_date, reason_code, reason, created_by, created_at)
        values (${place.facilityNo}, ${icu.no}, 'adult_and_child', ${DATE}, 'miscount', 'Entered twice', ${ruth.id},
          '2026-11-19T16:00:00Z')`.execute(ward.server.db);
    await restate();
    await restate();
    await clock.at('2026-11-19T16:12:00Z');
    expect(await alertsOf(ward, place)).toEqual([]);
    await restate();
    await clock.at('2026-11-19T16:13:00Z');
    expect(await alertsOf(ward, place)).toEqual(['ICU restated 3 times in a week']);
    await clock.at('2026-11-26T16:01:00Z');
    expect((await alertsOf(ward, place))[0]).toBe('ICU restated 3 times in a week (cleared)');
  });

  it('CEN-9 go into the facility’s own chat, to those who sign, by the server; of two processes one speaks', async () => {
    await clock.at('2026-11-19T17:30:00Z');
    await Promise.all([1, 2, 3].map(() => clock.at('2026-11-19T18:00:00Z')));
    const lines = (await linesIn(ward, place)).filter(({ title }) => title === 'Census');
    expect(lines).toEqual([{ title: 'Census', sender: 'Wardline', body: 'Alert: ICU report of Thu 19 Nov missing' }]);
    await beside('2026-11-19T18:10:00Z', 101);
    await clock.at('2026-11-19T18:11:00Z');
    const chats = await sql<{ people: string[] }>`
      select array(select user_id from chat_participants p where p.chat_id = c.id) as people
      from chats c where c.facility_id = ${place.facility.id} and c.title = 'Census'`.execute(ward.server.db);
    expect(chats.rows).toEqual([{ people: [ruth.id] }]);
    const elsewhere = await sql`
      select from census_facilities c join chats h on h.id = c.chat_id where h.facility_id <> c.facility_id`.execute(
      ward.server.db,
    );
    expect(elsewhere.rows).toEqual([]);
  });
});

const listUrl = async () => {
  const chat = ward.server.db.selectFrom('chats').select('id').where('facility_id', '=', place.facility.id);
  const { id } = await chat.where('title', '=', 'Census').executeTakeFirstOrThrow();
  return `/api/chats/${id}/messages`;
};
const messagesOf = async (person: Person): Promise<Message[]> =>
  (await person.client.send('GET', await listUrl())).json().data;

describe('acknowledging an alert', () => {
  const alertUrl = async () => {
    const alerts = ward.server.db.selectFrom('census_alerts').select('id').where('facility_no', '=', place.facilityNo);
    const { id } = await alerts.executeTakeFirstOrThrow();
    return `/api/census/facilities/${place.facility.id}/alerts/${id}`;
  };
  const acknowledge = async (person: Person) =>
    person.client.send('POST', `${await alertUrl()}/acknowledge`, { body: {} });
  beforeEach(async () => {
    await beside('2026-11-19T16:20:00Z', 101);
    await clock.at('2026-11-19T16:21:00Z');
  });

  it('CEN-9 says who takes care of it, once, in the log', async () => {
    const response = await acknowledge(ana);
    expect(response.json()).toMatchObject({
      rule: 'over_staffed',
      unit_id: icu.id,
      unit_code: 'ICU',
      message: 'ICU 101 patients, 100 staffed beds',
      acknowledged_by: { id: ana.id, name: ana.name },
    });
    const again = await acknowledge(ruth);
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual(response.json());
    const told = ward.server.db.selectFrom('census_log').select('unit_no').where('action', '=', 'alert.acknowledge');
    expect(await told.where('facility_no', '=', place.facilityNo).execute()).toEqual([{ unit_no: icu.no }]);
    const entry = { object_type: 'census_alert', object_id: response.json().id, facility_id: place.facility.id };
    expect(await auditOf(ward.server, 'census.alert.acknowledge', ana.id)).toMatchObject([
      { ...entry, detail: { rule: 'over_staffed' } },
    ]);
    expect(await auditOf(ward.server, 'census.alert.acknowledge', ruth.id)).toEqual([]);
    const line = (await logOf(ward, place)).find(({ action }) => action === 'alert.acknowledge');
    expect(line).toMatchObject({
      ...{ actor_id: ana.id, census_date: DATE, before: null },
      after: { rule: 'over_staffed', message: 'ICU 101 patients, 100 staffed beds' },
    });
  });

  it('CEN-9 the line of an alert carries it, on the socket as in the list, and no other line does', async () => {
    const id = (await alertUrl()).split('/').at(-1);
    await acknowledge(ruth);
    const [raised, taken] = await messagesOf(ruth);
    expect(raised).toMatchObject({ kind: 'system', act: { kind: 'census.alert', id } });
    expect(taken).not.toHaveProperty('act');
    await beside('2026-11-19T16:30:00Z', 10);
    await clock.at('2026-11-20T01:00:00Z');
    const last = (await messagesOf(ruth)).at(-1);
    expect(last?.act).toBeDefined();
    const heard = clock.published.filter(
      ({ channel, event }) => event.endsWith('MessageSent') && channel.endsWith(`chat.${last?.chat_id}`),
    );
    expect(heard.at(-1)?.data).toEqual({ message: last });
  });

  it('CEN-9 is said once in the chat of the alerts, by whoever was first, who is not taken in for it', async () => {
    const [first, second] = await Promise.all([acknowledge(ana), acknowledge(ana)]);
    expect(second?.json()).toEqual(first?.json());
    const lines = (await linesIn(ward, place)).filter(({ title }) => title === 'Census');
    expect(lines.slice(1)).toEqual([
      { title: 'Census', sender: ana.name, body: 'acknowledged the alert: ICU 101 patients, 100 staffed beds' },
    ]);
    expect((await ana.client.send('GET', await listUrl())).statusCode).toBe(404);
  });

  it('CEN-9 opens no discussion where nobody signs', async () => {
    await sql`update census_facilities set chat_id = null where facility_no = ${place.facilityNo}`.execute(
      ward.server.db,
    );
    expect((await acknowledge(ana)).statusCode).toBe(200);
    expect((await linesIn(ward, place)).filter(({ body }) => body.startsWith('acknowledged'))).toEqual([]);
  });

  it('CEN-9 one that is asked for says who took it on, and since when it does not hold any more', async () => {
    const open = (await ana.client.send('GET', await alertUrl())).json();
    expect(open).toMatchObject({ acknowledged_at: null, acknowledged_by: null, cleared_at: null });
    await acknowledge(ruth);
    await beside('2026-11-19T16:30:00Z', 10);
    await clock.at('2026-11-19T16:31:00Z');
    expect((await ana.client.send('GET', await alertUrl())).json()).toEqual({
      ...open,
      acknowledged_at: expect.any(String),
      acknowledged_by: { id: ruth.id, name: ruth.name },
      cleared_at: '2026-11-19T16:31:00.000Z',
    });
  });

  it.each([
    ['GET', ''],
    ['POST', '/acknowledge'],
  ] as const)('CEN-9 A16 %s is for who sees the board of that facility', async (method, act) => {
    const stranger = await ward.person(['censusOfficer']);
    const plain = await ward.person([], [], place);
    const url = `${await alertUrl()}${act}`;
    const ask = async (person: Person, path: string) =>
      (await person.client.send(method, path, method === 'POST' ? { body: {} } : {})).statusCode;
    expect(await ask(stranger, url)).toBe(404);
    expect(await ask(plain, url)).toBe(403);
    expect(await ask(stranger, url.replace(place.facility.id, ward.facility.id))).toBe(404);
    const unknown = `/api/census/facilities/${place.facility.id}/alerts/${randomUUID()}${act}`;
    expect(await ask(ana, unknown)).toBe(404);
  });
});
