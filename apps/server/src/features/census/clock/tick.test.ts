import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { act, logOf, report, setNow } from '#/features/census/reports/testing/census-fixture.ts';
import { sayInDiscussion } from '#/features/chat/messages/say-in-discussion.ts';
import { auditOf } from '#/testing/test-client.ts';
import { actionsOf, actOnDay, approveAll, dayUrl, getDay } from '../day/testing/days.ts';
import { ana, clock, DATE, unit as med, place, ruth, useClockRoom, ward } from './testing/clock-room.ts';
import { daysOf, linesIn } from './testing/ticking.ts';

useClockRoom({ code: 'MED 3A', opensAt: '2026-11-19T12:00:00Z' });
const reminders = async () => (await linesIn(ward, place)).filter(({ title }) => title !== 'Census');
const bodies = async () => (await reminders()).map(({ body }) => body);

describe('census dates', () => {
  it('CEN-3 are made an hour before their count, with what is expected and the clock as it is then', async () => {
    await clock.at('2026-11-19T14:59:00Z');
    expect((await daysOf(ward, place)).map(({ census_date }) => census_date)).toEqual(['2026-11-18']);
    await clock.at('2026-11-19T15:00:00Z');
    expect((await daysOf(ward, place)).at(-1)).toMatchObject({
      census_date: DATE,
      census_at: new Date('2026-11-19T16:00:00Z'),
      due_at: new Date('2026-11-19T17:00:00Z'),
      utc_offset_minutes: 480,
      units_expected: 1,
      status: 'open',
    });
  });

  it('CEN-3 that came while the server was off are made when it is back', async () => {
    await clock.at('2026-11-15T18:00:00Z');
    await clock.at('2026-11-18T18:00:00Z');
    expect((await daysOf(ward, place)).map(({ census_date }) => census_date)).toEqual([
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
    ]);
  });

  it('ADM-2 CEN-3 are not made, nor is anybody reminded, while the facility is closed, and all that were left out once it is open again', async () => {
    const close = (deactivated_at: Date | null) =>
      ward.server.db.updateTable('facilities').set({ deactivated_at }).where('id', '=', place.facility.id).execute();
    const dates = async () => (await daysOf(ward, place)).map(({ census_date }) => census_date);
    await clock.at('2026-11-19T18:00:00Z');
    await close(new Date());
    // Another one that stays open.
    await ward.unit('OPEN', {}, await ward.elsewhere('Asia/Manila'));
    const log = await logOf(ward, place);
    await clock.at('2026-11-19T20:00:00Z');
    await clock.at('2026-11-21T18:00:00Z');
    expect([await dates(), await logOf(ward, place)]).toEqual([['2026-11-19'], log]);
    await close(null);
    await clock.at('2026-11-21T18:01:00Z');
    expect(await dates()).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
  });

  it.each([
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z'],
    ['Africa/Cairo', '2026-04-23', '2026-04-22T22:00:00Z', '2026-04-23T22:00:00Z'],
  ])(
    'CEN-3 A48 in the night of the clock change in %s, %s is counted at the first instant of the next day',
    async (zone, date, before, at) => {
      const night = await ward.elsewhere(zone);
      await ward.unit('NIGHT', {}, night);
      await clock.at(new Date(Date.parse(at) + 5 * 60_000).toISOString());
      expect((await daysOf(ward, night)).at(-1)).toMatchObject({
        census_date: date,
        census_at: new Date(at),
        due_at: new Date(Date.parse(at) + 60 * 60_000),
      });
      await clock.at(new Date(Date.parse(at) + 6 * 60_000).toISOString());
      expect(await daysOf(ward, night)).toHaveLength(1);
      const earlier = await ward.elsewhere(zone);
      await ward.unit('EARLY', {}, earlier);
      await clock.at(before);
      expect((await daysOf(ward, earlier)).at(-1)?.census_at).toEqual(new Date(before));
    },
  );

  it('CEN-3 a day that a zone left out is no census date', async () => {
    const apia = await ward.elsewhere('Pacific/Apia');
    await ward.unit('APIA', {}, apia);
    await clock.at('2011-12-29T12:00:00Z');
    await clock.at('2011-12-31T12:00:00Z');
    expect((await daysOf(ward, apia)).map(({ census_date }) => census_date)).toEqual([
      '2011-12-28',
      '2011-12-29',
      '2011-12-31',
    ]);
  });

  it('CEN-3 A48 two processes at the same instant make one of each, and say it once in the audit', async () => {
    const made = async () => {
      const found = await sql<{ made: number }>`
        select coalesce(sum((detail ->> 'made')::integer), 0) as made from audit_entries
        where action = 'census.clock.days'`.execute(ward.server.db);
      return Number(found.rows[0]?.made);
    };
    const before = await made();
    await Promise.all(['2026-11-19T15:30:00Z', '2026-11-19T15:30:00Z'].map((instant) => clock.at(instant)));
    expect(await made()).toBe(before + 2);
    expect((await daysOf(ward, place)).map(({ census_date }) => census_date)).toEqual(['2026-11-18', DATE]);
  });
});

describe('reminders', () => {
  it('CEN-10 say in the report’s discussion that it will be due, is due, is missing, and for two hours; each once', async () => {
    for (const instant of ['16:30', '16:45', '17:00', '17:30', '18:00', '18:30', '19:00', '20:00', '23:00']) {
      await clock.at(`2026-11-19T${instant}:00Z`);
    }
    expect(await reminders()).toEqual(
      [
        'MED 3A census due at 01:00 on Fri 20 Nov',
        'MED 3A census due now',
        'MED 3A census missing: was due at 01:00 on Fri 20 Nov',
        'MED 3A census over 2 h late: was due at 01:00 on Fri 20 Nov',
      ].map((body) => ({ title: 'MED 3A · Thu 19 Nov', sender: 'Wardline', body })),
    );
    expect((await actionsOf(ward, place)).filter((action) => action === 'reminder.send')).toHaveLength(4);
  });

  it('CEN-10 go to those who report, and after two hours to those who sign as well', async () => {
    const inDiscussion = async () => {
      const found = await sql<{ user_id: string }>`
        select p.user_id from chat_participants p join chats c on c.id = p.chat_id
        where c.facility_id = ${place.facility.id} and c.title like 'MED%' order by p.user_id`.execute(ward.server.db);
      return found.rows.map(({ user_id }) => user_id);
    };
    await clock.at('2026-11-19T18:00:00Z');
    expect(await inDiscussion()).toEqual([ana.id]);
    await clock.at('2026-11-19T19:00:00Z');
    expect(await inDiscussion()).toEqual([ana.id, ruth.id].sort());
  });

  it('CEN-10 are not sent for what is handed in', async () => {
    await clock.at('2026-11-19T16:05:00Z');
    setNow('2026-11-19T16:10:00Z');
    await report(ana, { unit: med, date: DATE }, { seed: 20 });
    for (const instant of ['16:30', '17:00', '18:00', '19:00']) await clock.at(`2026-11-19T${instant}:00Z`);
    expect(await bodies()).toEqual([]);
  });

  it('CEN-10 3.4 ask for what was returned, and do not say that it is missed: it had been there', async () => {
    await clock.at('2026-11-19T16:05:00Z');
    setNow('2026-11-19T16:10:00Z');
    const { version } = await report(ana, { unit: med, date: DATE }, { seed: 20 });
    await act(ruth, { unit: med, date: DATE }, ['return', { version, reason: 'Count again' }]);
    for (const instant of ['17:00', '18:00', '19:00', '20:00']) await clock.at(`2026-11-19T${instant}:00Z`);
    expect(await bodies()).toEqual(['returned the report: Count again', 'MED 3A census due now']);
  });

  it('CEN-10 3.4 that a report is missing goes to those who sign where nobody may report for the unit any more', async () => {
    const icu = await ward.unit('ICU', {}, place);
    await ward.person(['clinician'], [icu], place);
    for (const instant of ['17:00', '18:00']) await clock.at(`2026-11-19T${instant}:00Z`);
    const found = await sql<{ user_id: string }>`
      select p.user_id from chat_participants p join chats c on c.id = p.chat_id
      where c.facility_id = ${place.facility.id} and c.title like 'ICU%'`.execute(ward.server.db);
    expect(found.rows).toEqual([{ user_id: ruth.id }]);
  });

  it('CEN-10 that were due while the server was off are one, the last', async () => {
    await clock.at('2026-11-19T16:00:00Z');
    await clock.at('2026-11-19T18:10:00Z');
    expect(await bodies()).toEqual(['MED 3A census missing: was due at 01:00 on Fri 20 Nov']);
  });

  it('CEN-10 F-N16 write times and dates as their own facility does', async () => {
    await ward.server.db
      .updateTable('facilities')
      .set({ hour_cycle: 'h12', date_order: 'mdy' })
      .where('id', '=', place.facility.id)
      .execute();
    await clock.at('2026-11-19T16:30:00Z');
    expect(await bodies()).toEqual(['MED 3A census due at 1:00 AM on Fri Nov 20']);
  });

  it('CEN-10 A48 of two processes at the same instant one speaks', async () => {
    await clock.at('2026-11-19T16:00:00Z');
    await Promise.all([1, 2, 3, 4].map(() => clock.at('2026-11-19T17:00:00Z')));
    expect(await bodies()).toEqual(['MED 3A census due now']);
  });

  it('CEN-10 A46 one that fails halfway leaves nothing, keeps no other facility waiting, and is said by the next tick', async () => {
    const other = await ward.elsewhere();
    const icu = await ward.unit('ICU', {}, other);
    await ward.person(['chargeNurse'], [icu], other);
    await clock.at('2026-11-19T16:00:00Z');
    const failing: typeof sayInDiscussion = async (tx, line) => {
      const said = await sayInDiscussion(tx, line);
      if (line.facilityId === place.facility.id) throw new Error('the process ended');
      return said;
    };
    await clock.at('2026-11-19T17:00:00Z', { ...clock.deps, discussions: { say: failing } });
    expect(await bodies()).toEqual([]);
    expect(await actionsOf(ward, place)).toEqual([]);
    expect((await linesIn(ward, other)).map(({ body }) => body)).toEqual(['ICU census due now']);
    await clock.at('2026-11-19T17:01:00Z');
    expect(await bodies()).toEqual(['MED 3A census due now']);
    expect(await linesIn(ward, other)).toHaveLength(1);
  });
});

describe('locking by the clock', () => {
  const signed = async () => {
    setNow('2026-11-20T00:00:00Z');
    await approveAll({ nurse: ana, approver: ruth }, { units: [{ unit: med, seed: 20 }], date: DATE });
    await actOnDay(ruth, `${dayUrl(place, DATE)}/sign`, { version: 1 });
  };

  it('CEN-3 locks a signed day when its days for corrections are over, once', async () => {
    await signed();
    await clock.at('2026-12-03T15:59:00Z');
    expect((await getDay(ruth, place, DATE)).day.status).toBe('approved');
    await Promise.all([1, 2].map(() => clock.at('2026-12-03T16:00:00Z')));
    const { day } = await getDay(ruth, place, DATE);
    expect(day).toMatchObject({ status: 'locked', version: 3, locked_at: '2026-12-03T16:00:00.000Z' });
    expect(day.units.map(({ status }) => status)).toEqual(['locked']);
    const locks = (await logOf(ward, place)).filter(({ action }) => action === 'facility_day.lock');
    expect(locks).toMatchObject([{ actor_id: null, reason: '14 days have passed' }]);
    const entries = (await auditOf(ward.server, 'census.facility_day.lock', null)).filter(
      ({ facility_id }) => facility_id === place.facility.id,
    );
    expect(entries).toMatchObject([{ object_type: 'facility_day', outcome: 'done', detail: { date: DATE } }]);
  });

  it('CEN-3 leaves a day alone that nobody signed', async () => {
    setNow('2026-11-20T00:00:00Z');
    await approveAll({ nurse: ana, approver: ruth }, { units: [{ unit: med, seed: 20 }], date: DATE });
    await clock.at('2026-12-20T16:00:00Z');
    expect((await getDay(ruth, place, DATE)).day.status).toBe('open');
  });
});

describe('old requests', () => {
  it('CEN-2 are remembered for 60 days, longer than a device is away', async () => {
    const { db } = ward.server;
    for (const days of [59, 61]) {
      await sql`
        insert into census_requests (user_id, client_id, request_hash, at)
        values (${ana.id}, gen_random_uuid(), sha256('x'), ${'2026-11-19T12:00:00Z'}::timestamptz - make_interval(days => ${days}))`.execute(
        db,
      );
    }
    await clock.at('2026-11-19T12:00:00Z');
    const left = await db.selectFrom('census_requests').select('at').where('user_id', '=', ana.id).execute();
    expect(left.map(({ at }) => at.toISOString())).toEqual(['2026-09-21T12:00:00.000Z']);
  });
});
