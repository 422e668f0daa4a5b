import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSmtpMailer } from '#/platform/mail/smtp-mailer.ts';
import { startMailServer } from '#/platform/mail/testing/mail-server.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { mailDigest } from './mail-digest.ts';
import { openPushFixture, type PushFixture, type TestPerson } from './testing/push-fixture.ts';

let fixture: PushFixture;
let mira: TestPerson;
let ana: TestPerson;
let chatId: string;

beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  await sql`delete from jobs`.execute(fixture.server.db);
  [mira, ana] = [await fixture.person('Mira Okafor'), await fixture.person('Ana Reyes')];
  chatId = await fixture.chat(mira, ana);
});

const choose = (who: TestPerson, digest: 'off' | 'hourly' | 'daily') =>
  who.client.send('PUT', '/api/user/notifications', {
    body: {
      ...{ sounds: { routine: 'soft', urgent: 'loud' }, quiet_hours: null, quiet_off_call: false },
      mail_digest: digest,
    },
  });

/** The hour is over; returns what was mailed to Ana then. */
async function hourLater() {
  const before = fixture.server.mails.length;
  await sql`
    update notification_settings set digest_due_at = now() where digest_due_at is not null`.execute(fixture.server.db);
  await fixture.letTimePass();
  return fixture.server.mails.slice(before).filter(({ to }) => to === ana.email);
}

it('CHAT-16 mails how much is unread and where, without a name or a text', async () => {
  await choose(ana, 'hourly');
  for (let number = 0; number < 3; number++) await fixture.say(mira, chatId);
  await fixture.say(mira, await fixture.chat(mira, ana), 'Second chat');
  const [mail, ...others] = await hourLater();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('4 unread messages in Wardline');
  expect(mail?.text).toContain('St. Hedwig: 4 unread messages in 2 chats\n');
  expect(mail?.text.match(/https?:\S+/g)).toEqual([`${fixture.server.baseUrl}/chats`]);
  expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/Kovac|potassium|Mira|Ana|Second/);
});

it('CHAT-16 mails nothing where nothing came since, where all is read, and after it was turned off', async () => {
  await choose(ana, 'hourly');
  expect(await hourLater()).toEqual([]);
  const seq = await fixture.say(mira, chatId);
  expect(await hourLater()).toHaveLength(1);
  expect(await hourLater()).toEqual([]);
  await fixture.say(mira, chatId);
  await ana.client.send('PUT', `/api/chats/${chatId}/markers`, { body: { read_seq: seq + 1 } });
  expect(await hourLater()).toEqual([]);
  await fixture.say(mira, chatId);
  await choose(ana, 'off');
  expect(await hourLater()).toEqual([]);
});

it('ADM-2 CHAT-16 says nothing of a facility that is closed, and counts it again once it is open', async () => {
  await choose(ana, 'hourly');
  await fixture.say(mira, chatId);
  const { db } = fixture.server;
  const closed = (at: Date | null) =>
    db.updateTable('facilities').set({ deactivated_at: at }).where('id', '=', fixture.facility.id).execute();
  await closed(new Date());
  try {
    expect(await hourLater()).toEqual([]);
  } finally {
    await closed(null);
  }
  await fixture.say(mira, chatId);
  const [mail] = await hourLater();
  expect(mail?.text).toContain('St. Hedwig: 2 unread messages');
});

it('CHAT-16 CHAT-18 counts only what one wants to hear of, in chats that one still reads', async () => {
  await choose(ana, 'hourly');
  const muted = await fixture.chat(mira, ana);
  const left = await fixture.chat(mira, ana);
  await ana.client.send('PUT', `/api/chats/${muted}/notifications`, { body: { notify: 'none' } });
  await ana.client.send('PUT', `/api/chats/${chatId}/notifications`, { body: { notify: 'mentions' } });
  for (const chat of [chatId, muted, left]) await fixture.say(mira, chat);
  await ana.client.send('DELETE', `/api/chats/${left}/participants/${ana.id}`);
  expect(await hourLater()).toEqual([]);
  const mention = { client_id: crypto.randomUUID(), body: 'Ana?', mentions: [{ kind: 'user', id: ana.id }] };
  const body = { ...mention, device_time: new Date().toISOString() };
  expect((await mira.client.send('POST', `/api/chats/${chatId}/messages`, { body })).statusCode).toBe(201);
  expect((await hourLater())[0]?.text).toContain('St. Hedwig: 2 unread messages in 1 chat; 1 chat mentions you');
});

it('CHAT-16 is due at the next full hour, or at seven where the person works, and goes on by itself', async () => {
  const { db } = fixture.server;
  const due = async () => {
    const { rows } = await sql<{ clock: string; hours: number }>`
      select to_char(s.digest_due_at at time zone f.time_zone, 'HH24:MI') as clock,
        ceil(extract(epoch from s.digest_due_at - now()) / 3600)::int as hours
      from notification_settings s, facilities f where s.user_id = ${ana.id} and f.id = ${fixture.facility.id}`.execute(
      db,
    );
    return rows[0];
  };
  await choose(ana, 'hourly');
  expect(await due()).toMatchObject({ clock: expect.stringMatching(/:00$/), hours: 1 });
  // Neither where others work counts, nor where she did.
  const far = await makeFacility(db, { timeZone: 'America/Guatemala' });
  await makeMembership(db, { userId: ana.id, facility: far });
  await db.updateTable('memberships').set({ ended_at: new Date() }).where('facility_id', '=', far.id).execute();
  await makeMembership(db, { userId: mira.id, facility: far });
  await choose(ana, 'daily');
  const daily = await due();
  expect(daily?.clock).toBe('07:00');
  expect(daily?.hours).toBeLessThanOrEqual(24);
  await choose(ana, 'daily');
  const turns = await sql`select from jobs where kind = 'notifications.digest' and run_at > now()`.execute(db);
  // One for each choice that was made; that of the first finds nothing due.
  expect(turns.rows).toHaveLength(2);
  await fixture.say(mira, chatId);
  expect(await hourLater()).toHaveLength(1);
  expect(await due()).toEqual(daily);
});

it('CHAT-16 reaches a mail server as one mail of plain text', async () => {
  const server = await startMailServer();
  const url = `smtp://127.0.0.1:${server.port}`;
  const mailer = createSmtpMailer({ url, from: { name: 'Wardline', address: 'wardline@ward.test' } });
  await choose(ana, 'hourly');
  await fixture.say(mira, chatId);
  const job = mailDigest({ mailer, productName: 'Wardline', publicUrl: () => 'https://ward.test' });
  const { db } = fixture.server;
  await job({ user_id: ana.id, since: '2026-01-01T00:00:00Z' }, { db, log: {} as never, jobId: crypto.randomUUID() });
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.to).toEqual([ana.email]);
  expect(server.received[0]?.parsed.text).toContain('Read them: https://ward.test/chats');
  expect(server.received[0]?.parsed.html).toBeUndefined();
  await server.close();
});
