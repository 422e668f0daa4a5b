import type { Chat } from '@wardline/contract/chat/chat.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPushFixture, type PushFixture, type TestPerson } from '#/features/notifications/testing/push-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { openSocket } from '#/testing/test-socket.ts';

let fixture: PushFixture;
let ana: TestPerson;
let mira: TestPerson;
let leila: TestPerson;
let roleId: string;
let name: string;
let chat: string;

beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  const { server, facility } = fixture;
  [ana, mira, leila] = [await fixture.person(), await fixture.person(), await fixture.person()];
  name = `Registrar ${newId().slice(-6)}`;
  roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name });
  const participants = [{ userId: ana.id, access: 'manage' as const }, { userId: leila.id }];
  chat = (await makeChat(server.db, { facilityId: facility.id, participants })).id;
});

async function shift(who: TestPerson): Promise<void> {
  const { server, facility } = fixture;
  await server.db.deleteFrom('on_call_shifts').where('role_id', '=', roleId).execute();
  const times = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 3_600_000) };
  await makeShift(server.db, { facilityId: facility.id, roleId, userId: who.id, ...times });
}
const addRole = () => ana.client.send('PUT', `/api/chats/${chat}/roles/${roleId}`, { body: {} });
const call = (
  who: TestPerson,
  body = `@${name}, K 6.8`,
  mentions: readonly object[] = [{ kind: 'role', id: roleId }],
) => who.client.send('POST', `/api/chats/${chat}/messages`, { body: { client_id: newId(), body, mentions } });
const mentionOf = async ({ client }: TestPerson) =>
  ((await client.send('GET', `/api/chats/${chat}`)).json() as Chat).my?.mention_seq;

it('CHAT-10 CHAT-18 an on-call role is mentioned by its name of then, and who holds it is marked and told, nobody else', async () => {
  const { server } = fixture;
  await addRole();
  await shift(mira);
  await server.runRoles();
  const socket = await openSocket(server);
  await socket.join(mira.client, `private-App.Models.User.${mira.id}`);
  const said = (await call(leila)).json();
  expect(said.mentions).toEqual([{ kind: 'role', id: roleId, name, holder_id: mira.id }]);
  expect([await mentionOf(mira), await mentionOf(ana), await mentionOf(leila)]).toEqual([said.seq, 0, 0]);
  const told = await socket.next(({ event }) => event === 'App\\Events\\ChatChanged');
  expect(told.data).toMatchObject({ head_seq: said.seq, mentioned: [mira.id] });
  socket.close();
  // Whoever comes next was not called, and the role may be called otherwise then.
  await server.db
    .updateTable('on_call_roles')
    .set({ name: `${name} 2` })
    .where('id', '=', roleId)
    .execute();
  await shift(ana);
  await server.runRoles();
  expect(await mentionOf(ana)).toBe(0);
  const { data } = (await ana.client.send('GET', `/api/chats/${chat}/messages`)).json();
  expect(data.find(({ id }: { id: string }) => id === said.id).mentions).toEqual(said.mentions);
});

it('CHAT-16 CHAT-18 a push for mentions alone comes to who holds the role', async () => {
  const { server } = fixture;
  await addRole();
  await shift(mira);
  await server.runRoles();
  const browsers = { mira: await fixture.subscribe(mira.client), leila: await fixture.subscribe(leila.client) };
  for (const { client } of [mira, leila]) {
    const set = await client.send('PUT', `/api/chats/${chat}/notifications`, {
      body: { notify: 'mentions', muted_until: null },
    });
    expect(set.statusCode, set.payload).toBe(200);
  }
  await call(ana, 'nobody by name', []);
  expect(await fixture.letTimePass()).toEqual([]);
  await call(ana);
  expect((await fixture.letTimePass()).map(({ endpoint }) => endpoint)).toEqual([browsers.mira]);
});

it('CHAT-10 CHAT-18 who has just taken over is called, though the clock lets them in a moment later', async () => {
  const { server } = fixture;
  await addRole();
  await shift(mira);
  const said = (await call(leila)).json();
  expect(said.mentions[0].holder_id).toBe(mira.id);
  await server.runRoles();
  expect(await mentionOf(mira)).toBe(said.seq);
});

/** Ends the shift of now, if there is one, and begins another. */
async function takeOver(who: TestPerson): Promise<void> {
  const { server, facility } = fixture;
  const now = new Date();
  await server.db
    .updateTable('on_call_shifts')
    .set({ ends_at: now })
    .where('role_id', '=', roleId)
    .where('ends_at', '>', now)
    .execute();
  const times = { startsAt: now, endsAt: new Date(now.getTime() + 3_600_000) };
  await makeShift(server.db, { facilityId: facility.id, roleId, userId: who.id, ...times });
  await server.runRoles();
}

it('CHAT-10 CHAT-18 a role that nobody holds is named and calls nobody; who takes it over next is called, and no other', async () => {
  await addRole();
  const said = (await call(leila)).json();
  expect(said.mentions).toEqual([{ kind: 'role', id: roleId, name, holder_id: null }]);
  expect([await mentionOf(ana), await mentionOf(leila)]).toEqual([0, 0]);
  await takeOver(mira);
  expect(await mentionOf(mira)).toBe(said.seq);
  // Ana is in the chat by herself.
  await takeOver(ana);
  expect(await mentionOf(ana)).toBe(0);
});

it('CHAT-11 CHAT-18 an edit leaves called who took the role over after nobody held it, until it takes the role out too', async () => {
  await addRole();
  const mentions = [
    { kind: 'role', id: roleId },
    { kind: 'user', id: ana.id },
  ];
  const said = (await call(leila, `@${name} and @${ana.name}`, mentions)).json();
  await takeOver(mira);
  const marked = async () => {
    const rows = fixture.server.db.selectFrom('message_mentions').select('user_id').where('chat_id', '=', chat);
    return new Set((await rows.execute()).map(({ user_id }) => user_id));
  };
  expect(await marked()).toEqual(new Set([mira.id, ana.id]));
  const edit = (body: string, expected_version: number) =>
    leila.client.send('PATCH', `/api/chats/${chat}/messages/${said.id}`, { body: { expected_version, body } });
  expect((await edit(`@${name}, K 6.9`, 1)).statusCode).toBe(200);
  expect(await marked()).toEqual(new Set([mira.id]));
  expect((await edit('K 6.9', 2)).statusCode).toBe(200);
  expect(await marked()).toEqual(new Set());
});

it('CHAT-10 CHAT-18 who is in the chat already is called by taking over; not who called the role, nor after half a day', async () => {
  await addRole();
  const { id } = (await call(leila)).json();
  const said = (await call(leila)).json();
  await fixture.server.db
    .updateTable('messages')
    .set({ created_at: new Date(Date.now() - 13 * 3_600_000) })
    .where('id', '=', id)
    .execute();
  await takeOver(leila);
  expect(await mentionOf(leila)).toBe(0);
  await takeOver(ana);
  expect(await mentionOf(ana)).toBe(said.seq);
  const marked = fixture.server.db
    .selectFrom('message_mentions')
    .select(['user_id', 'seq'])
    .where('chat_id', '=', chat);
  expect(await marked.execute()).toEqual([{ user_id: ana.id, seq: said.seq }]);
});

it('CHAT-10 CHAT-18 who mentions their own role calls nobody', async () => {
  const { server } = fixture;
  await addRole();
  await shift(mira);
  await server.runRoles();
  expect((await call(mira)).json().mentions[0].holder_id).toBe(mira.id);
  expect(await mentionOf(mira)).toBe(0);
});

it('CHAT-10 CHAT-18 only a role of the chat is called, and none that is retired', async () => {
  const { server } = fixture;
  const refused = await call(leila);
  expect([refused.statusCode, refused.json().errors?.mentions]).toEqual([
    422,
    ['Somebody you mention is no longer in this chat.'],
  ]);
  await addRole();
  expect((await call(leila, 'x', [{ kind: 'role', id: null }])).statusCode).toBe(422);
  expect((await call(leila, 'x', [{ kind: 'user', id: roleId }])).statusCode).toBe(422);
  expect((await call(leila)).statusCode).toBe(201);
  await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', roleId).execute();
  expect((await call(leila)).statusCode).toBe(422);
});

it('CHAT-11 CHAT-18 an edit that takes the role out of the text calls its holder no longer', async () => {
  const { server } = fixture;
  await addRole();
  await shift(mira);
  await server.runRoles();
  const first = (await call(ana, `@${name}, bed 9`)).json();
  const said = (await call(ana, `@${name}, bed 10`)).json();
  const edit = (body: string, expected_version: number) =>
    ana.client.send('PATCH', `/api/chats/${chat}/messages/${said.id}`, { body: { expected_version, body } });
  expect((await edit(`@${name}, bed 11`, 1)).json().mentions).toEqual(said.mentions);
  expect(await mentionOf(mira)).toBe(said.seq);
  expect((await edit('bed 11', 2)).json().mentions).toBeUndefined();
  expect(await mentionOf(mira)).toBe(first.seq);
});

it('CHAT-10 CHAT-18 a draft keeps the role for clients that know of roles, and its name alone for those of before', async () => {
  const mentions = [
    { kind: 'role', id: roleId, name },
    { kind: 'user', id: leila.id, name: 'Leila' },
  ];
  const draft = { body: `@${name} and @Leila`, reply_to: null, mentions };
  const saved = await ana.client.send('PUT', `/api/chats/${chat}/draft`, {
    body: { draft, seen_version: 0, writer: newId() },
  });
  expect(saved.statusCode, saved.payload).toBe(200);
  const drafts = async (query: string) => (await ana.client.send('GET', `/api/drafts?${query}`)).json().data;
  expect((await drafts(`chat=${chat}&roles=true`))[0].draft).toEqual(draft);
  expect((await drafts(`chat=${chat}`))[0].draft).toEqual({ ...draft, mentions: mentions.slice(1) });
});
