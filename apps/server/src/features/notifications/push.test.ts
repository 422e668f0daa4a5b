import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hashSecret } from '#/platform/http/session-cookie.ts';
import { createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { auditOf, signedIn, withToken } from '#/testing/test-client.ts';
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
  fixture.service.answer(201);
  await sql`delete from jobs`.execute(fixture.server.db);
  await sql`delete from chat_notification_queue`.execute(fixture.server.db);
  [mira, ana] = [await fixture.person('Mira Okafor'), await fixture.person('Ana Reyes')];
  chatId = await fixture.chat(mira, ana);
});

const notifications = (who: TestPerson, choice: object) =>
  who.client.send('PUT', `/api/chats/${chatId}/notifications`, { body: { notify: 'all', ...choice } });
const read = (who: TestPerson, seq: number) =>
  who.client.send('PUT', `/api/chats/${chatId}/markers`, { body: { read_seq: seq, delivered_seq: seq } });
const choose = (who: TestPerson, choice: object) =>
  who.client.send('PUT', '/api/user/notifications', {
    body: {
      sounds: { routine: 'soft', urgent: 'loud' },
      ...{ mail_digest: 'off', quiet_hours: null, quiet_off_call: false },
      ...choice,
    },
  });
const leaveChats = ({ id }: TestPerson) =>
  fixture.server.db.updateTable('chat_participants').set({ left_at: new Date() }).where('user_id', '=', id).execute();
const subscriptionsOf = async ({ id }: TestPerson) =>
  (await fixture.server.db.selectFrom('push_subscriptions').select('endpoint').where('user_id', '=', id).execute()).map(
    ({ endpoint }) => endpoint,
  );

/** An app of this person, which is signed in by a token. */
async function tokenOf({ id }: TestPerson): Promise<string> {
  const token = `wardline_${randomBytes(32).toString('base64url')}`;
  await fixture.server.db
    .insertInto('access_tokens')
    .values({
      ...{ id: randomUUID(), user_id: id, name: 'Ward phone', abilities: ['*'], token_hash: hashSecret(token) },
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  return token;
}

it('CHAT-16 A36 tells a device by type and opaque id alone, and only its owner opens it', async () => {
  const endpoint = await fixture.subscribe(ana.client);
  const seq = await fixture.say(mira, chatId);
  const [push, ...others] = await fixture.letTimePass();
  expect(others).toEqual([]);
  expect(push).toMatchObject({ endpoint, urgency: 'normal', payload: { type: 'message', id: expect.any(String) } });
  expect(Object.keys(push?.payload ?? {})).toEqual(['type', 'id']);
  expect(push?.ttl).toBeGreaterThan(11 * 3600);
  expect(push?.topic).toMatch(/^[\w-]{22}$/);
  expect(push?.claims.sub).toBe('mailto:operator@ward.test');
  const { id } = (push?.payload ?? {}) as { id: string };
  expect([chatId, ana.id, mira.id]).not.toContain(id);
  const open = ({ client }: TestPerson) => client.send('GET', `/api/user/notifications/${id}`);
  expect((await open(ana)).json()).toEqual({ facility_id: fixture.facility.id, chat_id: chatId, seq });
  expect((await open(mira)).statusCode).toBe(404);
  await leaveChats(ana);
  expect((await open(ana)).statusCode).toBe(404);
});

it('CHAT-23 makes one notification of twenty messages, and the next takes its place', async () => {
  await fixture.subscribe(ana.client);
  for (let number = 0; number < 20; number++) await fixture.say(mira, chatId);
  const first = await fixture.letTimePass();
  expect(first).toHaveLength(1);
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toEqual([]);
  await sql`update chat_notifications set sent_at = now() - interval '2 minutes'`.execute(fixture.server.db);
  const second = await fixture.letTimePass();
  expect(second.map(({ topic, payload }) => ({ topic, payload }))).toEqual(
    first.map(({ topic, payload }) => ({ topic, payload })),
  );
  expect(await fixture.letTimePass()).toEqual([]);
});

it('CHAT-23 counts a call once for all devices of its person, by what it did, and again with the next', async () => {
  await sql`delete from call_counts`.execute(fixture.server.db);
  const counted = async () =>
    (
      await sql`select kind, sum(calls)::int as calls from call_counts group by kind order by kind`.execute(
        fixture.server.db,
      )
    ).rows;
  await fixture.subscribe(ana.client);
  await fixture.subscribe(await signedIn(fixture.server, ana.id));
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toHaveLength(2);
  expect(await counted()).toEqual([{ kind: 'silent', calls: 1 }]);
  await notifications(ana, { sound: true });
  await sql`update chat_notifications set sent_at = now() - interval '2 minutes'`.execute(fixture.server.db);
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toHaveLength(2);
  expect(await counted()).toEqual([
    { kind: 'aloud', calls: 1 },
    { kind: 'silent', calls: 1 },
  ]);
});

it('CHAT-16 tells nobody of what they said or have read meanwhile on another device', async () => {
  for (const { client } of [ana, mira]) await fixture.subscribe(client);
  const seq = await fixture.say(mira, chatId);
  await read(ana, seq);
  expect(await fixture.letTimePass()).toEqual([]);
  // Also where it was in the queue already.
  const next = await fixture.say(mira, chatId);
  await sql`update jobs set run_at = now() where kind = 'notifications.chat'`.execute(fixture.server.db);
  fixture.service.answer({ status: 429, headers: { 'retry-after': '30' } });
  await fixture.server.runJobs();
  fixture.service.answer(201);
  await read(ana, next);
  expect(await fixture.letTimePass()).toEqual([]);
});

it('CHAT-18 CHAT-23 goes by what was chosen for the chat and for oneself, as it is when it is sent', async () => {
  await fixture.subscribe(ana.client);
  const told = async () => {
    await sql`delete from chat_notifications`.execute(fixture.server.db);
    const seq = await fixture.say(mira, chatId);
    const types = (await fixture.letTimePass()).map(({ payload }) => (payload as { type: string }).type);
    await read(ana, seq);
    return types;
  };
  expect(await told()).toEqual(['message']);
  await notifications(ana, { sound: true });
  expect(await told()).toEqual(['message_aloud']);
  await choose(ana, { sounds: { routine: 'off', urgent: 'loud' } });
  expect(await told()).toEqual(['message']);
  await notifications(ana, { notify: 'mentions' });
  expect(await told()).toEqual([]);
  await notifications(ana, { muted_until: new Date(Date.now() + 3_600_000).toISOString() });
  expect(await told()).toEqual([]);
  await notifications(ana, {});
  expect(await told()).toEqual(['message']);
  await choose(ana, { quiet_hours: { from: '00:00', until: '00:00' } });
  expect(await told()).toEqual([]);
  expect((await ana.client.send('GET', '/api/user/notifications')).json()).toMatchObject({
    quiet_facility_ids: [fixture.facility.id],
    has_push: true,
  });
});

it('URG-1 CHAT-16 what is urgent is told at once, muted and in quiet hours, again by the ladder, and no more once another has accepted it', async () => {
  const { server, service } = fixture;
  const jo = await fixture.person('Jo Lindqvist');
  chatId = await fixture.chat(mira, ana, jo);
  await fixture.subscribe(ana.client);
  await choose(ana, { quiet_hours: { from: '00:00', until: '00:00' } });
  await notifications(ana, { muted_until: new Date(Date.now() + 3_600_000).toISOString() });
  const urgent = { targets: { people: [ana.id, jo.id], role_id: null } };
  const sent = await mira.client.send('POST', `/api/chats/${chatId}/messages`, {
    body: { client_id: randomUUID(), body: 'Bed 4: K 6.9', urgent },
  });
  expect(sent.statusCode, sent.payload).toBe(201);
  const told = async () => {
    const before = service.received.length;
    await server.runJobs();
    return service.received.slice(before).map(({ payload, urgency }) => [(payload as { type: string }).type, urgency]);
  };
  expect(await told()).toEqual([['urgent', 'high']]);
  // Reading it answers nothing.
  await read(ana, sent.json().seq);
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  expect(await server.runEscalations(minutes(5.1))).toBe(1);
  expect(await told()).toEqual([['urgent', 'high']]);
  expect(await server.runEscalations(minutes(10.2))).toBe(1);
  const accepted = await jo.client.send('PUT', `/api/chats/${chatId}/messages/${sent.json().id}/urgent/acceptance`);
  expect(accepted.statusCode).toBe(200);
  expect(await told()).toEqual([]);
});

it('URG-1 a device that shows the call says so while its app is closed, for its own person and no later message', async () => {
  const urgent = { targets: { people: [ana.id], role_id: null } };
  const call = async (body: string) => {
    const sent = await mira.client.send('POST', `/api/chats/${chatId}/messages`, {
      body: { client_id: randomUUID(), body, urgent },
    });
    expect(sent.statusCode, sent.payload).toBe(201);
    return sent.json().id as string;
  };
  const isOnDevice = async (messageId: string) => {
    const { data } = (await mira.client.send('GET', `/api/chats/${chatId}/messages`)).json();
    const [person] = data.find(({ id }: { id: string }) => id === messageId).urgent.people;
    return { isOnDevice: person.delivered_at !== null, isSeen: person.seen_at !== null };
  };
  await fixture.subscribe(ana.client);
  const first = await call('Bed 4: K 6.9');
  const [push] = await fixture.letTimePass();
  const { id } = (push?.payload ?? {}) as { id: string };
  const note = ({ client }: TestPerson) => client.send('PUT', `/api/user/notifications/${id}/delivery`);
  expect((await note(mira)).statusCode).toBe(404);
  expect(await isOnDevice(first)).toEqual({ isOnDevice: false, isSeen: false });
  expect((await note(ana)).statusCode).toBe(204);
  expect(await isOnDevice(first)).toEqual({ isOnDevice: true, isSeen: false });
  const second = await call('Bed 4: VF');
  expect(await isOnDevice(second)).toEqual({ isOnDevice: false, isSeen: false });
  await leaveChats(ana);
  expect((await note(ana)).statusCode).toBe(404);
});

it('CHAT-16 quiet hours are those in which one holds no on-call role, where that was chosen', async () => {
  const { db } = fixture.server;
  await fixture.subscribe(ana.client);
  await choose(ana, { quiet_off_call: true });
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toEqual([]);
  const roleId = randomUUID();
  await sql`insert into on_call_roles (id, facility_id, name) values (${roleId}, ${fixture.facility.id}, 'Registrar')`.execute(
    db,
  );
  await sql`
    insert into on_call_shifts (id, facility_id, role_id, user_id, starts_at, ends_at, created_by)
    values (gen_random_uuid(), ${fixture.facility.id}, ${roleId}, ${ana.id}, now() - interval '1 hour', now() + interval '1 hour', ${ana.id})`.execute(
    db,
  );
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toHaveLength(1);
});

it('A37 ends with the session, the token, the account, the membership and the chat', async () => {
  const { db } = fixture.server;
  const ends: Record<string, (who: TestPerson) => Promise<unknown>> = {
    'sign-out': ({ client }) => client.send('POST', '/logout'),
    'a session ended elsewhere': async ({ id }) =>
      (await signedIn(fixture.server, id)).send('DELETE', '/api/user/sessions'),
    'a session that expired': ({ id }) => sql`update sessions set expires_at = now() where user_id = ${id}`.execute(db),
    'a disabled account': ({ id }) => sql`update users set disabled_at = now() where id = ${id}`.execute(db),
    'an ended membership': ({ id }) => sql`update memberships set ended_at = now() where user_id = ${id}`.execute(db),
    'leaving the chat': ({ client, id }) => client.send('DELETE', `/api/chats/${chatId}/participants/${id}`),
    'turning it off': ({ client }) => client.send('DELETE', '/api/user/push-subscription'),
  };
  for (const [how, end] of Object.entries(ends)) {
    const who = await fixture.person();
    chatId = await fixture.chat(mira, who);
    await fixture.subscribe(who.client);
    await fixture.say(mira, chatId);
    // In the queue already, and then not sent.
    await sql`update jobs set run_at = now() where kind = 'notifications.chat'`.execute(db);
    fixture.service.answer({ status: 429, headers: { 'retry-after': '30' } });
    await fixture.server.runJobs();
    fixture.service.answer(201);
    await end(who);
    expect(await fixture.letTimePass(), how).toEqual([]);
    if (how !== 'an ended membership' && how !== 'leaving the chat') {
      await fixture.say(mira, chatId);
      expect(await fixture.letTimePass(), how).toEqual([]);
    }
  }
});

it('CHAT-16 a token is told too, until it ends', async () => {
  const client = withToken(fixture.server, await tokenOf(ana));
  await fixture.subscribe(client);
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toHaveLength(1);
  await client.send('POST', '/logout');
  expect(await subscriptionsOf(ana)).toEqual([]);
});

it('A37 a browser goes to another person only with its keys, and to one person at a time', async () => {
  const subscription = fixture.service.subscribe();
  const put = (who: TestPerson, body: object) => who.client.send('PUT', '/api/user/push-subscription', { body });
  expect((await put(ana, subscription)).statusCode).toBe(204);
  expect((await put(ana, subscription)).statusCode).toBe(204);
  const overheard = { ...subscription, keys: fixture.service.subscribe().keys };
  expect((await put(mira, overheard)).statusCode).toBe(409);
  expect(await subscriptionsOf(ana)).toEqual([subscription.endpoint]);
  expect((await put(mira, subscription)).statusCode).toBe(204);
  expect([await subscriptionsOf(ana), await subscriptionsOf(mira)]).toEqual([[], [subscription.endpoint]]);
  expect(await auditOf(fixture.server, 'notifications.push.subscribe', mira.id)).toHaveLength(1);
});

it('A37 refuses an endpoint that is no push service, and keys that are none', async () => {
  const { keys, endpoint } = fixture.service.subscribe();
  const refused = [
    'http://updates.push.services.mozilla.com/x',
    'https://updates.push.services.mozilla.com:8443/x',
    'https://user@updates.push.services.mozilla.com/x',
    'https://updates.push.services.mozilla.com.evil.example/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://metadata.internal/x',
    'https://evil.example/updates.push.services.mozilla.com',
    'file:///etc/passwd',
    'no address',
  ];
  for (const wrong of refused) {
    const answer = await ana.client.send('PUT', '/api/user/push-subscription', { body: { endpoint: wrong, keys } });
    expect([answer.statusCode, Object.keys(answer.json().errors)], wrong).toEqual([422, ['endpoint']]);
  }
  const p256dh = `B${'A'.repeat(86)}`;
  const answer = await ana.client.send('PUT', '/api/user/push-subscription', {
    body: { endpoint, keys: { ...keys, p256dh } },
  });
  expect(answer.statusCode).toBe(422);
});

it('CHAT-16 a person has at most ten devices, the newest', async () => {
  const endpoints = [];
  for (let number = 0; number < 12; number++) {
    endpoints.push(await fixture.subscribe(withToken(fixture.server, await tokenOf(ana))));
  }
  expect((await subscriptionsOf(ana)).sort()).toEqual(endpoints.slice(2).sort());
});

it.each([404, 410])('CHAT-16 a push service that answers %i has seen the last of this subscription', async (status) => {
  await fixture.subscribe(ana.client);
  fixture.service.answer(status);
  await fixture.say(mira, chatId);
  await fixture.letTimePass();
  expect(await subscriptionsOf(ana)).toEqual([]);
});

it('CHAT-16 ADM-3 what ends with one device leaves the others, and what was chosen and turned on or off stands in the audit', async () => {
  const [phone, desk] = [await signedIn(fixture.server, ana.id), ana.client];
  const [ofPhone, ofDesk, ofMira] = [
    await fixture.subscribe(phone),
    await fixture.subscribe(desk),
    await fixture.subscribe(mira.client),
  ];
  expect((await subscriptionsOf(ana)).sort()).toEqual([ofPhone, ofDesk].sort());
  expect((await phone.send('DELETE', '/api/user/push-subscription')).statusCode).toBe(204);
  expect((await phone.send('DELETE', '/api/user/push-subscription')).statusCode).toBe(204);
  expect([await subscriptionsOf(ana), await subscriptionsOf(mira)]).toEqual([[ofDesk], [ofMira]]);
  const hasPush = async (who: typeof phone) => (await who.send('GET', '/api/user/notifications')).json().has_push;
  expect([await hasPush(phone), await hasPush(desk)]).toEqual([false, true]);
  const later = await fixture.subscribe(phone);
  fixture.service.answer(410);
  expect((await phone.send('POST', '/api/user/push-subscription/test')).json()).toEqual({ is_sent: true });
  await fixture.letTimePass();
  expect([later, await subscriptionsOf(ana)]).toEqual([expect.any(String), [ofDesk]]);
  await choose(ana, { sounds: { routine: 'off', urgent: 'soft' }, quiet_hours: { from: '22:00', until: '06:00' } });
  const of = async (action: string, actor: string | null) =>
    (await auditOf(fixture.server, action, actor)).filter(({ object_id }) => object_id === ana.id);
  expect(await of('notifications.push.unsubscribe', ana.id)).toHaveLength(1);
  expect(await of('notifications.push.subscribe', ana.id)).toHaveLength(3);
  expect(await of('notifications.push.test', ana.id)).toHaveLength(1);
  expect(await of('notifications.push.end', null)).toMatchObject([{ object_type: 'user', detail: { why: 'gone' } }]);
  expect(await of('notifications.settings.update', ana.id)).toMatchObject([
    {
      detail: {
        ...{ routine_sound: 'off', urgent_sound: 'soft', mail_digest: 'off' },
        ...{ quiet_from: '22:00', quiet_until: '06:00', quiet_off_call: false },
      },
    },
  ]);
});

it('CHAT-16 waits as long as a push service says, and then tells', async () => {
  await fixture.subscribe(ana.client);
  fixture.service.answer({ status: 429, headers: { 'retry-after': '120' } });
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toEqual([]);
  const { rows } = await sql<{ due_in_s: number; attempts: number }>`
    select round(extract(epoch from run_at - now()))::int as due_in_s, attempts from jobs where kind = 'notifications.push'`.execute(
    fixture.server.db,
  );
  expect(rows).toEqual([{ due_in_s: 120, attempts: 0 }]);
  fixture.service.answer(201);
  expect(await fixture.letTimePass()).toHaveLength(1);
});

it('CHAT-16 R23 one that fails is tried again, and holds up nobody else', async () => {
  const other = await fixture.person();
  chatId = await fixture.chat(mira, ana, other);
  for (const { client } of [ana, other]) await fixture.subscribe(client);
  await fixture.say(mira, chatId);
  fixture.service.answer(500);
  await fixture.letTimePass();
  const { rows } = await sql<{ last_error: string }>`select last_error from jobs`.execute(fixture.server.db);
  expect(rows).toEqual(Array(2).fill({ last_error: 'the push service answered 500' }));
  fixture.service.answer(201);
  expect(await fixture.letTimePass()).toHaveLength(2);
  fixture.service.answer(413);
  await fixture.server.db
    .updateTable('chat_notifications')
    .set({ sent_at: new Date(0) })
    .execute();
  await fixture.say(mira, chatId);
  await fixture.letTimePass();
  expect((await sql`select from jobs`.execute(fixture.server.db)).rows).toHaveLength(0);
});

it('CHAT-16 two servers tell once', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => fixture.person()));
  chatId = await fixture.chat(mira, ...people);
  for (const { client } of people) await fixture.subscribe(client);
  await fixture.say(mira, chatId);
  const { db } = fixture.server;
  const before = fixture.service.received.length;
  await sql`update jobs set run_at = now()`.execute(db);
  const second = createJobs({ db, log: createLog('silent'), handlers: {} });
  // The second knows none of these kinds: what it takes it must leave to the first.
  await Promise.all([fixture.server.runJobs(), second.runDue()]);
  await fixture.letTimePass();
  await fixture.letTimePass();
  const told = fixture.service.received.slice(before).map(({ endpoint }) => endpoint);
  expect([told.length, new Set(told).size]).toEqual([6, 6]);
});

it('CHAT-16 CHAT-21 the test comes to the device that asks, and to no other', async () => {
  const test = () => ana.client.send('POST', '/api/user/push-subscription/test');
  expect((await test()).json()).toEqual({ is_sent: false });
  await fixture.subscribe(await signedIn(fixture.server, ana.id));
  const endpoint = await fixture.subscribe(ana.client);
  expect((await test()).json()).toEqual({ is_sent: true });
  expect(await fixture.letTimePass()).toMatchObject([{ endpoint, payload: { type: 'test', id: '' }, topic: null }]);
});

it('CHAT-16 a message that comes while the chat is looked at is not forgotten', async () => {
  await fixture.subscribe(ana.client);
  await fixture.say(mira, chatId);
  const first = await fixture.letTimePass();
  expect(first).toHaveLength(1);
  // As a server leaves it that looked before the second message was stored.
  await sql`update chat_notifications set sent_at = now() - interval '5 minutes'`.execute(fixture.server.db);
  await fixture.say(mira, chatId);
  await sql`update chat_notification_queue set last_seq = 99`.execute(fixture.server.db);
  await fixture.letTimePass();
  const { rows } = await sql`select from chat_notification_queue`.execute(fixture.server.db);
  expect(rows).toHaveLength(1);
  const queued = await sql`select from jobs where kind = 'notifications.chat'`.execute(fixture.server.db);
  expect(queued.rows).toHaveLength(1);
});

it('CHAT-16 being told is no use of a session', async () => {
  await fixture.subscribe(ana.client);
  const { db } = fixture.server;
  await sql`update sessions set last_active_at = now() - interval '1 hour' where user_id = ${ana.id}`.execute(db);
  await fixture.say(mira, chatId);
  expect(await fixture.letTimePass()).toHaveLength(1);
  const { rows } = await sql<{ is_old: boolean }>`
    select last_active_at < now() - interval '50 minutes' as is_old from sessions where user_id = ${ana.id}`.execute(
    db,
  );
  expect(rows).toEqual([{ is_old: true }]);
});
