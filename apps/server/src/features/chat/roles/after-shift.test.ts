import { endpoints } from '@wardline/contract/endpoints.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdf, upload } from '#/features/chat/attachments/testing/send-files.ts';
import { openPushFixture, type PushFixture, type TestPerson } from '#/features/notifications/testing/push-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { passHorizon } from '#/platform/postgres/testing/pass-horizon.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { urlOf } from '#/testing/samples/contract-samples.ts';

let fixture: PushFixture;
let ana: TestPerson;
/** On call, and one who may manage chats and take them as FHIR. */
let mira: TestPerson;
let roleId: string;

beforeAll(async () => {
  fixture = await openPushFixture();
  const { server, facility } = fixture;
  ana = await fixture.person('Ana Reyes');
  await sql`update roles set permissions = array_append(permissions, 'chats.manage') where id = ${facility.roles.clinician}`.execute(
    server.db,
  );
  mira = await fixture.person('Mira Okafor');
  roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: 'Medical registrar' });
});
afterAll(() => fixture.close());

/** A case with something of every kind in it, all of it marked, and the role with whoever holds it. */
async function openCase() {
  const { server, facility } = fixture;
  const { id: chat } = await makeChat(server.db, {
    ...{ facilityId: facility.id, kind: 'case', title: 'LEAK-TITLE' },
    patient: { name: 'LEAK-PATIENT', identifier: 'LEAK-MRN' },
    participants: [{ userId: ana.id, access: 'manage' }],
    messages: [{ senderId: ana.id, body: 'LEAK-BEFORE' }],
  });
  const hour = 3_600_000;
  const times = { startsAt: new Date(Date.now() - hour), endsAt: new Date(Date.now() + hour) };
  await makeShift(server.db, { facilityId: facility.id, roleId, userId: mira.id, ...times });
  await ana.client.send('PUT', `/api/chats/${chat}/roles/${roleId}`, { body: {} });
  await server.runRoles();
  const file = await upload(ana.client, chat, { bytes: pdf('LEAK-FILE'), name: 'LEAK-NAME.pdf' });
  const say = async (who: TestPerson, body: string, more: object = {}) => {
    const sent = await who.client.send('POST', `/api/chats/${chat}/messages`, {
      body: { client_id: newId(), body, ...more },
    });
    expect(sent.statusCode, sent.body).toBe(201);
    return sent.json().id as string;
  };
  const message = await say(ana, 'LEAK-MESSAGE', { attachments: [file] });
  await ana.client.send('PATCH', `/api/chats/${chat}/messages/${message}`, {
    body: { expected_version: 1, body: 'LEAK-EDITED' },
  });
  await ana.client.send('PUT', `/api/chats/${chat}/messages/${message}/pin`, { body: { is_pinned: true } });
  await say(ana, 'LEAK-URGENT', { urgent: { targets: { people: [], role_id: roleId } } });
  const values = { potassium: '6.80' };
  const signed = { chatId: chat, facilityId: facility.id, userId: ana.id, state: 'reported' as const, values };
  const examination = await makeExamination(server.db, { ...signed, impression: 'LEAK-IMPRESSION' });
  return { chat, message, examination, file, say };
}

/** What reading everything there is about these gives somebody: the names of endpoints that give anything marked. */
async function leaksTo({ client }: TestPerson, params: Readonly<Record<string, string>>): Promise<string[]> {
  const leaks: string[] = [];
  for (const endpoint of endpoints) {
    const asked = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    if (endpoint.method !== 'GET' || asked.some((name) => params[name] === undefined)) continue;
    const query: Record<string, string> = endpoint.name === 'search' ? { q: 'leak' } : {};
    const answer = await client.send('GET', urlOf(endpoint, { params, query }));
    expect(answer.statusCode, `${endpoint.name} ${answer.body}`).not.toBe(500);
    if (/leak/i.test(answer.body)) leaks.push(endpoint.name);
  }
  return leaks;
}

it('CHAT-18 A14 gives nothing of a chat once the shift is over, whatever is asked for and whether or not the clock has run', async () => {
  const { server, facility } = fixture;
  await mira.client.send('PUT', '/api/user/notifications', {
    body: {
      ...{ sounds: { routine: 'soft', urgent: 'loud' }, quiet_hours: null, quiet_off_call: false },
      mail_digest: 'hourly',
    },
  });
  await fixture.subscribe(mira.client);
  const { chat, message, examination, file, say } = await openCase();
  const pushed = (await fixture.letTimePass()).map(({ payload }) => payload as { id: string });
  expect(pushed.length).toBeGreaterThan(0);
  const { id: own } = await makeChat(server.db, { facilityId: facility.id, participants: [{ userId: mira.id }] });
  const params = { chat, message, examination, facility: facility.id, role: roleId, notification: pushed[0]?.id ?? '' };
  const address = `/storage/attachments/${file}/file`;
  const sign = async () =>
    (await mira.client.send('POST', '/api/attachment-addresses', { body: { addresses: [address] } })).json()
      .addresses[0] as string | null;
  const forward = () =>
    mira.client.send('POST', `/api/chats/${own}/forwards`, {
      body: { client_id: newId(), source: { chat, message }, device_time: new Date().toISOString() },
    });
  const openPush = () => mira.client.send('GET', `/api/user/notifications/${params.notification}`);

  expect(await leaksTo(mira, params)).toEqual(
    expect.arrayContaining([
      ...['listChats', 'getChat', 'listMessages', 'sync', 'search', 'listPins', 'listMessageVersions', 'exportChat'],
      ...['listUrgent', 'getExamination', 'exportExamination', 'listReportVersions', 'listUnitHandovers'],
    ]),
  );
  const signed = (await sign()) ?? '';
  expect((await mira.client.send('GET', signed)).body).toContain('LEAK-FILE');
  expect((await mira.client.send('GET', address)).body).toContain('LEAK-FILE');
  expect((await openPush()).statusCode).toBe(200);
  await passHorizon(server.db);
  const { cursor } = (await mira.client.send('GET', '/api/sync')).json();

  // Said while the shift lasts, and told of only afterwards.
  await sql`update chat_notifications set sent_at = now() - interval '1 hour'`.execute(server.db);
  await say(ana, 'LEAK-LAST');
  await sql`update on_call_shifts set ends_at = clock_timestamp() where role_id = ${roleId}`.execute(server.db);
  await say(ana, 'LEAK-AFTER');

  for (const hasClockRun of [false, true]) {
    if (hasClockRun) expect(await server.runRoles()).toBe(1);
    expect(await leaksTo(mira, params), `the clock has run: ${hasClockRun}`).toEqual([]);
    for (const path of [address, signed]) expect((await mira.client.send('GET', path)).statusCode).toBe(404);
    expect(await sign()).toBeNull();
    expect((await forward()).json().errors?.source).toEqual(['You can’t read the message to forward any more.']);
    expect((await openPush()).statusCode).toBe(404);
    const since = await mira.client.send('GET', `/api/sync?cursor=${cursor}`);
    expect(since.body).not.toContain('LEAK');
    if (hasClockRun) expect(since.json().removed_chat_ids).toEqual([chat]);
    await sql`update notification_settings set digest_due_at = now()`.execute(server.db);
    expect(await fixture.letTimePass()).toEqual([]);
    expect(server.mails.filter(({ to }) => to === mira.email)).toEqual([]);
  }
});
