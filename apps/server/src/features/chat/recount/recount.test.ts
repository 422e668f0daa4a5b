import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { raiseMarkers } from '#/features/chat/messages/raise-markers.ts';
import { openChat, openChatFixture, type Person, say, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { beginRecount, countWrongBadges, RECOUNT_JOB, recountChats } from './recount.ts';
import { findDrift } from './recount-queries.ts';

let ward: Ward;
let mira: Person;
let leila: Person;
const errors: unknown[] = [];
const log = Object.assign(createLog('silent'), { error: (what: unknown) => void errors.push(what) });
beforeAll(async () => {
  ward = await openChatFixture();
  [mira, leila] = [await ward.person('Mira'), await ward.person('Leila')];
});
afterAll(() => ward.close());
beforeEach(async () => {
  errors.length = 0;
  await sql`delete from chat_recounts`.execute(ward.db);
});

async function lastRecount() {
  const row = await ward.db
    .selectFrom('chat_recounts')
    .select(['started_at as startedAt', 'finished_at as finishedAt', 'chats', 'unread', 'mentions', 'urgent'])
    .orderBy('day', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

const NIGHT = new Date('2026-11-24T02:15:00Z');
const begin = (now = NIGHT) => beginRecount({ db: ward.db, log }, now);

async function recount(batch = 100) {
  const publish = (publications: readonly Ward['published'][number][]) => void ward.published.push(...publications);
  const jobs = createJobs({
    ...{ db: ward.db, log },
    handlers: { [RECOUNT_JOB]: recountChats({ publish, batch }) },
  });
  await begin();
  while ((await jobs.runDue()) > 0);
  return lastRecount();
}

/** The counters of a chat as they stand. */
async function counters(chat: { id: string }) {
  const { rows } = await sql`select c.urgent_count, p.own_after_read, p.mention_seq from chats c
    join chat_participants p on p.chat_id = c.id where c.id = ${chat.id} order by p.user_id`.execute(ward.db);
  return rows;
}

async function busyChat() {
  const chat = await openChat(ward, mira, [leila]);
  await say(leila, chat);
  await say(mira, chat, { urgent: { targets: { people: [leila.id], role_id: null } } });
  await say(leila, chat, { body: 'Coming' });
  await say(mira, chat);
  await sql`select note_mentions(id, ${JSON.stringify([{ kind: 'user', id: leila.id }])}::jsonb) from messages
    where chat_id = ${chat.id} and seq = 5`.execute(ward.db);
  await raiseMarkers(await leila.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: 2 } });
  return chat;
}

const audited = async () =>
  (await ward.db.selectFrom('audit_entries').selectAll().where('action', '=', 'chat.recount').execute()).map(
    ({ facility_id, object_id, detail }) => ({ facility_id, object_id, detail }),
  );

describe('CHAT-5 the recount of badges', () => {
  it('finds no drift in what people do, once a night, whoever begins it', async () => {
    await busyChat();
    await begin(new Date('2026-11-24T01:59:00Z'));
    expect(await lastRecount()).toBeNull();
    await Promise.all([begin(), begin(), begin()]);
    const done = await recount();
    expect(done).toMatchObject({ unread: 0, mentions: 0, urgent: 0, finishedAt: expect.any(Date) });
    expect(done?.chats).toBeGreaterThan(0);
    expect((await recount())?.chats).toBe(done?.chats);
    expect([errors, await audited()]).toEqual([[], []]);
  });

  it('says what was planted, puts it right, tells the devices, and a second time finds nothing', async () => {
    const chat = await busyChat();
    const other = await busyChat();
    const before = [await counters(chat), await counters(other)];
    await sql`update chat_participants set own_after_read = own_after_read + 3
      where chat_id = ${chat.id} and user_id = ${leila.id}`.execute(ward.db);
    const third = await busyChat();
    await sql`update chat_participants set mention_seq = 1 where chat_id = ${third.id} and user_id = ${leila.id}`.execute(
      ward.db,
    );
    await sql`update chats set urgent_count = 7 where id = ${chat.id}`.execute(ward.db);
    // Each batch looks at its own chats.
    expect(await findDrift(ward.db, [third.id, other.id])).toEqual([third.id]);
    expect(await findDrift(ward.db, [other.id])).toEqual([]);
    ward.published.length = 0;
    expect(await recount()).toMatchObject({ unread: 1, mentions: 1, urgent: 1 });
    expect(await countWrongBadges(ward.db)).toBe(3);
    expect([await counters(chat), await counters(other)]).toEqual(before);
    expect(await counters(third)).toContainEqual(expect.objectContaining({ mention_seq: 5 }));
    const [first, second] = [
      { unread: 1, mentions: 0, urgent: 1 },
      { unread: 0, mentions: 1, urgent: 0 },
    ];
    expect(errors).toEqual([
      { facility: ward.facility.id, chat: chat.id, ...first },
      { facility: ward.facility.id, chat: third.id, ...second },
    ]);
    expect(await audited()).toEqual([
      { facility_id: ward.facility.id, object_id: chat.id, detail: first },
      { facility_id: ward.facility.id, object_id: third.id, detail: second },
    ]);
    expect(ward.published.map(({ channel, event }) => `${channel} ${event}`).toSorted()).toEqual(
      [
        `private-App.Models.User.${leila.id} App\\Events\\MembershipChanged`,
        `private-App.Models.User.${leila.id} App\\Events\\MembershipChanged`,
        `private-App.Models.User.${leila.id} App\\Events\\ChatChanged`,
        `private-App.Models.User.${mira.id} App\\Events\\ChatChanged`,
      ].toSorted(),
    );
    await sql`delete from chat_recounts`.execute(ward.db);
    expect(await recount()).toMatchObject({ unread: 0, mentions: 0, urgent: 0 });
  });

  it('done twice for the same chats counts and goes on once', async () => {
    await busyChat();
    await begin();
    const handler = recountChats({ publish: () => undefined });
    const context = { db: ward.db, log, jobId: 'twice' };
    await sql`delete from jobs`.execute(ward.db);
    await handler({ day: '2026-11-24', after: null }, context);
    const once = await lastRecount();
    await handler({ day: '2026-11-24', after: null }, context);
    expect(await lastRecount()).toEqual(once);
  });

  it('goes through all chats, some at a time', async () => {
    const [{ count } = { count: 0 }] = (await sql<{ count: number }>`select count(*)::int from chats`.execute(ward.db))
      .rows;
    expect(count).toBeGreaterThan(4);
    expect(await recount(2)).toMatchObject({ chats: count, finishedAt: expect.any(Date) });
  });

  it('waits for nobody who sends, and nobody waits for it', async () => {
    const chat = await busyChat();
    await sql`update chats set urgent_count = 7 where id = ${chat.id}`.execute(ward.db);
    let done = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      done = resolve;
    });
    const sending = ward.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      await held;
    });
    expect(await recount()).toMatchObject({ urgent: 0, finishedAt: expect.any(Date) });
    done();
    await sending;
    await sql`delete from chat_recounts`.execute(ward.db);
    expect(await recount()).toMatchObject({ urgent: 1 });
  });
});
