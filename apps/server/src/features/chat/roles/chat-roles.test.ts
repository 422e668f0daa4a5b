import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { CHAT_ROLES_MAX, type ChatRole } from '@wardline/contract/chat/chat-roles.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeOnCallRole } from '#/testing/factories/on-call.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { createRoleClock } from './role-clock.ts';

interface Person {
  readonly id: string;
  readonly client: TestClient;
}

let server: TestServer;
let facility: MadeFacility;
let ana: Person;
let mira: Person;
let leila: Person;
let roleId: string;
let name: string;
let chatId: string;

beforeAll(async () => {
  // Whatever ends a subscription here is what was done, and no look by the clock.
  server = await startTestServer({ looksAfterSockets: false });
  facility = await makeFacility(server.db, { name: 'St. Hedwig' });
  ana = await person('Ana Reyes', 'houseSupervisor');
  mira = await person('Mira Okafor', 'clinician');
  leila = await person('Leila Haddad', 'clinician');
});
afterAll(() => server.close());
beforeEach(async () => {
  name = `Cardiologist ${newId().slice(-6)}`;
  roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name });
  const participants = [{ userId: ana.id, access: 'manage' as const }];
  const messages = [{ senderId: ana.id, body: 'said before' }];
  chatId = (await makeChat(server.db, { facilityId: facility.id, participants, messages })).id;
});

async function person(name: string, role: 'houseSupervisor' | 'clinician'): Promise<Person> {
  const { id } = await makeUser(server.db, { name });
  await makeMembership(server.db, { userId: id, facility, roles: [role] });
  return { id, client: await signedIn(server, id) };
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const rolePath = (id = roleId) => `/api/facilities/${facility.id}/on-call-roles/${id}`;
async function takeOver(who: Person, of = roleId): Promise<void> {
  const { data } = (await ana.client.send('GET', `/api/facilities/${facility.id}/on-call-roles?limit=200`)).json();
  const replaces = data.find(({ id }: { id: string }) => id === of)?.now?.id ?? null;
  const done = await who.client.send('POST', `${rolePath(of)}/take-over`, { body: { until: inHours(8), replaces } });
  expect(done.statusCode).toBe(200);
}
const addRole = (body: object = {}) => ana.client.send('PUT', `/api/chats/${chatId}/roles/${roleId}`, { body });
const read = (who: Person, chat = chatId) => who.client.send('GET', `/api/chats/${chat}/messages`);
const bodiesOf = async (who: Person, chat = chatId) =>
  (await read(who, chat)).json().data.map((message: Message) => message.body);
const write = (who: Person, body: string, chat = chatId) =>
  who.client.send('POST', `/api/chats/${chat}/messages`, { body: { client_id: newId(), body } });
const writeToRole = (who: Person, body: string, more: object = {}) =>
  who.client.send('POST', `${rolePath()}/messages`, { body: { client_id: newId(), body, ...more } });

it('CHAT-18 lets in whoever holds a role, says so in the chat, and from which message on, and as what somebody wrote', async () => {
  await takeOver(mira);
  const added: ChatRole = (await addRole({ history: 'now' })).json();
  expect(added).toMatchObject({ name, access: 'write', joined_seq: 1, holder: { user_id: mira.id } });
  await server.runRoles();
  expect(await bodiesOf(mira)).toEqual([
    `added ${name}, whose holder sees messages from now on`,
    `is on call as ${name} and reads this chat`,
  ]);
  expect((await write(mira, 'here')).json()).toMatchObject({ sender_role: name });
  expect((await write(ana, 'thanks')).json().sender_role).toBeUndefined();
  const entry = (await auditOf(server, 'chat.role.pass', null)).find(({ object_id }) => object_id === chatId);
  expect(entry?.detail).toEqual({ roles: [{ role: roleId, from: null, to: mira.id }] });
  expect((await mira.client.send('DELETE', `/api/chats/${chatId}/roles/${roleId}`)).statusCode).toBe(403);
});

it('CHAT-18 says once that somebody is on call, where the role is called so itself', async () => {
  const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Surgeon ${name} on call` });
  const role = `Surgeon ${name}`;
  await takeOver(mira, roleId);
  await ana.client.send('PUT', `/api/chats/${chatId}/roles/${roleId}`, { body: {} });
  await server.runRoles();
  await server.db.updateTable('on_call_shifts').set({ ends_at: new Date() }).where('role_id', '=', roleId).execute();
  await server.runRoles();
  expect((await bodiesOf(ana)).slice(2)).toEqual([
    `is on call as ${role} and reads this chat`,
    `is no longer on call as ${role}; nobody is now`,
  ]);
});

it('CHAT-18 ends reading with the shift itself, and subscriptions, with a purge of the device, once the clock has looked', async () => {
  await takeOver(mira);
  await addRole();
  await server.runRoles();
  const socket = await openSocket(server);
  await socket.join(mira.client, `private-App.Models.User.${mira.id}`);
  expect(await socket.join(mira.client, `presence-chat.${chatId}`)).toBe('joined');
  await takeOver(leila);
  // The clock has not looked yet.
  expect((await read(mira)).statusCode).toBe(404);
  expect((await write(mira, 'not any more')).statusCode).toBe(404);
  expect(await socket.join(mira.client, `private-chat.${chatId}`)).not.toBe('joined');
  await server.runRoles();
  const lost = await socket.next(({ event }) => event === 'App\\Events\\MembershipChanged');
  expect(lost.data).toMatchObject({ chat_id: chatId, change: 'removed' });
  await write(leila, 'for the others alone');
  await server.runRoles();
  expect(await bodiesOf(leila)).toContain(`is on call as ${name} and reads this chat, after Mira Okafor`);
  const heard: string[] = [];
  const late = socket.next((frame) => {
    heard.push(frame.event);
    return frame.event === 'App\\Events\\MessageSent';
  });
  await write(leila, 'nor this');
  await Promise.race([late, new Promise((resolve) => setTimeout(resolve, 300))]);
  expect(heard).not.toContain('App\\Events\\MessageSent');
  socket.close();
});

it('CHAT-18 a role that is added again as it is changes nothing and says nothing', async () => {
  const added: ChatRole = (await addRole()).json();
  const said = await bodiesOf(ana);
  expect((await addRole({ access: 'write', history: 'now' })).json()).toEqual(added);
  expect(await bodiesOf(ana)).toEqual(said);
  const entries = (await auditOf(server, 'chat.role.add', ana.id)).filter(({ object_id }) => object_id === chatId);
  expect(entries.map(({ detail }) => detail)).toEqual([{ role: roleId, access: 'write', history: 'all' }]);
});

it('CHAT-18 a role that is given another access keeps its place, and the chat says which access', async () => {
  const added: ChatRole = (await addRole()).json();
  expect((await addRole({ access: 'read' })).json()).toEqual({ ...added, access: 'read' });
  expect((await bodiesOf(ana)).at(-1)).toBe(`gave ${name} read access`);
});

it('CHAT-18 neither takes out nor lets go who is there by a role alone; removing the role does', async () => {
  await takeOver(mira);
  await addRole();
  await server.runRoles();
  const path = `/api/chats/${chatId}/participants/${mira.id}`;
  expect((await mira.client.send('DELETE', path)).json().message).toContain('Hand over the role');
  expect((await ana.client.send('DELETE', path)).json().message).toContain('Remove the role');
  expect((await ana.client.send('DELETE', `/api/chats/${chatId}/roles/${roleId}`)).statusCode).toBe(204);
  expect((await read(mira)).statusCode).toBe(404);
  expect(await bodiesOf(ana)).toContain(`removed ${name}`);
});

/** Puts somebody into the chat by themselves, as who is on call by its role, too. */
async function seatTwice(who: Person, access: 'read' | 'write'): Promise<void> {
  const placed = await ana.client.send('PUT', `/api/chats/${chatId}/participants/${who.id}`, { body: { access } });
  expect(placed.statusCode).toBe(200);
  await takeOver(who);
  await addRole();
  await server.runRoles();
}
async function endShift(): Promise<void> {
  await server.db.updateTable('on_call_shifts').set({ ends_at: new Date() }).where('role_id', '=', roleId).execute();
  await server.runRoles();
}
const accessOf = async (who: Person) => (await who.client.send('GET', `/api/chats/${chatId}`)).json().my?.access;
const leave = (who: Person) => who.client.send('DELETE', `/api/chats/${chatId}/participants/${who.id}`);

it('CHAT-18 who inherits a chat while they are on call by a role of it goes on managing it after their shift', async () => {
  await seatTwice(mira, 'write');
  expect((await leave(ana)).statusCode).toBe(204);
  expect(await accessOf(mira)).toBe('manage');
  await endShift();
  expect(await accessOf(mira)).toBe('manage');
});

it('CHAT-18 nobody inherits a chat who only reads it by themselves, whatever their shift lets them do', async () => {
  await seatTwice(mira, 'read');
  await mira.client.send('PUT', `/api/chats/${chatId}/markers`, { body: { read_seq: 2 } });
  await ana.client.send('PUT', `/api/chats/${chatId}/participants/${leila.id}`, { body: {} });
  await leave(ana);
  expect([await accessOf(mira), await accessOf(leila)]).toEqual(['write', 'manage']);
});

it('CHAT-18 who only reads and is given write access during their shift writes after it, too', async () => {
  await seatTwice(mira, 'read');
  const give = (access: string) =>
    ana.client.send('PUT', `/api/chats/${chatId}/participants/${mira.id}`, { body: { access } });
  const said = await bodiesOf(ana);
  expect((await give('read')).json()).toMatchObject({ access: 'write' });
  expect(await bodiesOf(ana)).toEqual(said);
  expect((await give('write')).json()).toMatchObject({ access: 'write' });
  expect((await bodiesOf(ana)).at(-1)).toBe('gave Mira Okafor write access');
  await endShift();
  expect(await accessOf(mira)).toBe('write');
});

it.each(['leaves', 'is taken out', 'loses the role'])(
  'CHAT-18 who has a place in the chat twice and %s reads on by the other, and is told that it changed',
  async (how) => {
    await seatTwice(mira, 'read');
    const socket = await openSocket(server);
    await socket.join(mira.client, `private-App.Models.User.${mira.id}`);
    const path = how === 'loses the role' ? `roles/${roleId}` : `participants/${mira.id}`;
    const by = how === 'leaves' ? mira : ana;
    expect((await by.client.send('DELETE', `/api/chats/${chatId}/${path}`)).statusCode).toBe(204);
    const { data } = await socket.next(({ event }) => event === 'App\\Events\\MembershipChanged');
    expect(data).toEqual({ facility_id: facility.id, chat_id: chatId, change: 'changed' });
    socket.close();
    expect(await accessOf(mira)).toBe(how === 'loses the role' ? 'read' : 'write');
    const action = how === 'loses the role' ? 'chat.role.remove' : 'chat.participant.remove';
    const [entry] = await auditOf(server, action, by.id);
    expect(entry).toMatchObject({
      object_id: chatId,
      detail: how === 'loses the role' ? { role: roleId, user: mira.id } : { user: mira.id },
    });
    await endShift();
    expect(await accessOf(mira)).toBe(how === 'loses the role' ? 'read' : undefined);
  },
);

it('CHAT-18 A16 a role is of the facility of its chat, also for who plans those of two; one that is not in it is not taken out', async () => {
  const there = await makeFacility(server.db);
  await makeMembership(server.db, { userId: ana.id, facility: there, roles: ['houseSupervisor'] });
  roleId = await makeOnCallRole(server.db, { facilityId: there.id, name: 'Theirs' });
  expect((await addRole()).statusCode).toBe(404);
  expect((await ana.client.send('DELETE', `/api/chats/${chatId}/roles/${roleId}`)).statusCode).toBe(404);
  expect((await ana.client.send('GET', `/api/chats/${chatId}/roles`)).json().data).toEqual([]);
});

it('CHAT-18 so many roles are in one chat, and in an announcement they read', async () => {
  const names = Array.from({ length: CHAT_ROLES_MAX }, (_, n) => `Registrar ${n} ${newId()}`);
  const ids = await Promise.all(names.map((one) => makeOnCallRole(server.db, { facilityId: facility.id, name: one })));
  const add = (id: string, body: object = {}) => ana.client.send('PUT', `/api/chats/${chatId}/roles/${id}`, { body });
  for (const id of ids) expect((await add(id)).statusCode).toBe(200);
  expect((await addRole()).json().message).toBe(`At most ${CHAT_ROLES_MAX} on-call roles are in one chat.`);
  // One that is there takes another access all the same.
  expect((await add(ids[0] ?? '', { access: 'read' })).statusCode).toBe(200);
  const participants = [{ userId: ana.id, access: 'manage' as const }];
  chatId = (await makeChat(server.db, { facilityId: facility.id, kind: 'announcement', participants })).id;
  const refused = await addRole({ access: 'write' });
  expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['access']]);
  expect((await addRole()).json()).toMatchObject({ access: 'read' });
});

it.each<[string, 'PUT' | 'DELETE', () => string]>([
  ['lets no role in', 'PUT', () => `roles/${roleId}`],
  ['takes no role out', 'DELETE', () => `roles/${roleId}`],
  ['lets nobody in', 'PUT', () => `participants/${leila.id}`],
  ['takes nobody out', 'DELETE', () => `participants/${mira.id}`],
])('CHAT-18 A16 who manages a chat no more once it is their turn %s', async (_what, method, path) => {
  await ana.client.send('PUT', `/api/chats/${chatId}/participants/${mira.id}`, { body: {} });
  const kofi = await person('Kofi Mensah', 'clinician');
  await ana.client.send('PUT', `/api/chats/${chatId}/participants/${kofi.id}`, { body: { access: 'manage' } });
  if (method === 'DELETE') await addRole();
  const said = await bodiesOf(ana);
  let asking: ReturnType<TestClient['send']> | undefined;
  await server.db.transaction().execute(async (tx) => {
    await sql`select from chats where id = ${chatId} for no key update`.execute(tx);
    asking = kofi.client.send(method, `/api/chats/${chatId}/${path()}`, method === 'PUT' ? { body: {} } : {});
    await untilBlocked(server.db, asking);
    await sql`update chat_participants set access = 'write' where chat_id = ${chatId} and user_id = ${kofi.id}`.execute(
      tx,
    );
  });
  expect((await asking)?.statusCode).toBe(403);
  expect(await bodiesOf(ana)).toEqual(said);
});

it('CHAT-18 a retired role is taken out also where nobody has ever held it', async () => {
  await addRole();
  await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', roleId).execute();
  await server.runRoles();
  expect(await bodiesOf(ana)).toContain(`${name} is no longer an on-call role and was taken out of this chat`);
  expect((await ana.client.send('GET', `/api/chats/${chatId}/roles`)).json().data).toEqual([]);
});

it('CHAT-18 a role that is removed while its holder is let in lets nobody in, and nothing is said of them', async () => {
  await takeOver(mira);
  await addRole();
  let passing: Promise<unknown> = Promise.resolve();
  await server.db.transaction().execute(async (tx) => {
    await sql`select from chats where id = ${chatId} for no key update`.execute(tx);
    await tx.deleteFrom('chat_roles').where('chat_id', '=', chatId).execute();
    passing = server.runRoles();
    await untilBlocked(server.db, passing);
  });
  await passing;
  expect((await read(mira)).statusCode).toBe(404);
  expect((await bodiesOf(ana)).at(-1)).toBe(`added ${name}, whose holder sees all messages`);
});

it('CHAT-18 a membership that ends takes the place by a role along, and nobody inherits a chat by one', async () => {
  const gone = await person('Kofi Mensah', 'clinician');
  await takeOver(gone);
  await addRole();
  await server.runRoles();
  await ana.client.send('DELETE', `/api/chats/${chatId}/participants/${ana.id}`);
  expect((await gone.client.send('GET', `/api/chats/${chatId}`)).json().my.access).toBe('write');
  const socket = await openSocket(server);
  await socket.join(gone.client, `private-App.Models.User.${gone.id}`);
  await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', gone.id).execute();
  expect((await read(gone)).statusCode).toBe(404);
  await server.runRoles();
  const left = await server.db
    .selectFrom('active_participants')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .execute();
  expect(left).toEqual([]);
  // Who was out already is told nothing of the chat any more.
  await socket.settle();
  expect(JSON.stringify(socket.frames)).not.toContain(chatId);
  socket.close();
});

it('CHAT-17 CHAT-18 a role is written to: its holder answers as it, the next goes on, and where nobody is on call it waits', async () => {
  const sent = await writeToRole(mira, 'who is there?');
  expect(sent.statusCode).toBe(201);
  const { chat }: { chat: Chat } = sent.json();
  expect(chat).toMatchObject({ kind: 'direct', title: name, participant_count: 1 });
  expect(chat.direct_role).toEqual({ role_id: roleId, name, person: null });
  await takeOver(leila);
  await server.runRoles();
  const seen = (await leila.client.send('GET', `/api/chats/${chat.id}`)).json();
  expect(seen).toMatchObject({
    title: 'Mira Okafor',
    direct_role: { person: { user_id: mira.id } },
    my: { unread: 1 },
  });
  expect((await write(leila, 'I am', chat.id)).json()).toMatchObject({ sender_role: name });
  await takeOver(ana);
  await server.runRoles();
  expect((await read(leila, chat.id)).statusCode).toBe(404);
  expect(await bodiesOf(ana, chat.id)).toContain('who is there?');
  // The second message goes to the same chat, and one's own role is not written to.
  expect((await writeToRole(mira, 'again')).json().chat.id).toBe(chat.id);
  expect((await writeToRole(ana, 'myself?')).statusCode).toBe(422);
});

it('CHAT-17 CHAT-18 is closed when who writes leaves the facility, and opened again by what they write once they are back', async () => {
  const kofi = await person('Kofi Mensah', 'clinician');
  await takeOver(leila);
  const { chat } = (await writeToRole(kofi, 'before I go')).json();
  await server.runRoles();
  await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', kofi.id).execute();
  const state = async () => (await leila.client.send('GET', `/api/chats/${chat.id}`)).json().state;
  expect(await state()).toBe('closed');
  expect((await write(leila, 'too late', chat.id)).statusCode).toBe(403);
  await makeMembership(server.db, { userId: kofi.id, facility, roles: ['clinician'] });
  // Until then it is not theirs: their list does not have it, and the role leads to an empty page.
  expect((await read(kofi, chat.id)).statusCode).toBe(404);
  const again = await writeToRole(kofi, 'I am back');
  expect(again.statusCode).toBe(201);
  expect(again.json().chat).toMatchObject({ id: chat.id, state: 'open' });
  expect(await state()).toBe('open');
  expect(await bodiesOf(leila, chat.id)).toEqual(expect.arrayContaining(['reopened the chat', 'I am back']));
});

it('URG-1 an urgent message to a role calls who holds it, in the chat with it', async () => {
  await takeOver(leila);
  const urgent = { targets: { people: [], role_id: roleId } };
  const sent = await writeToRole(mira, 'come', { urgent });
  expect(sent.statusCode).toBe(201);
  expect(sent.json().message.urgent.people).toEqual([expect.objectContaining({ user_id: leila.id, role: name })]);
  await server.runRoles();
  expect(await bodiesOf(leila, sent.json().chat.id)).toContain('come');
});

it('CHAT-18 a role that is retired is taken out of its chats, and the chat with it is closed', async () => {
  await takeOver(leila);
  await addRole();
  const { chat } = (await writeToRole(mira, 'hello')).json();
  const kofi = await person('Kofi Mensah', 'clinician');
  const closedBefore = (await writeToRole(kofi, 'before I go')).json().chat;
  await server.runRoles();
  await server.db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', kofi.id).execute();
  const closed = () =>
    server.db.selectFrom('chats').select(['state', 'version']).where('id', '=', closedBefore.id).executeTakeFirst();
  const stood = await closed();
  expect(stood?.state).toBe('closed');
  expect((await ana.client.send('DELETE', rolePath())).statusCode).toBe(204);
  expect((await read(leila)).statusCode).toBe(404);
  await server.runRoles();
  expect((await ana.client.send('GET', `/api/chats/${chatId}/roles`)).json().data).toEqual([]);
  expect((await mira.client.send('GET', `/api/chats/${chat.id}`)).json()).toMatchObject({
    state: 'closed',
    direct_role: { role_id: roleId },
  });
  expect(await closed()).toEqual(stood);
  expect((await writeToRole(mira, 'anybody?')).statusCode).toBe(404);
});

it('CHAT-18 a shift that ends by itself passes the role when it is over', async () => {
  await addRole();
  const until = new Date(Date.now() + 700);
  const at = { facility_id: facility.id, role_id: roleId, created_by: ana.id };
  await server.db
    .insertInto('on_call_shifts')
    .values([
      { ...at, id: newId(), user_id: mira.id, starts_at: new Date(Date.now() - 1000), ends_at: until },
      { ...at, id: newId(), user_id: leila.id, starts_at: until, ends_at: new Date(Date.now() + 60_000) },
    ])
    .execute();
  await server.runRoles();
  expect((await read(mira)).statusCode).toBe(200);
  expect((await read(leila)).statusCode).toBe(404);
  await expect.poll(async () => server.runRoles(), { timeout: 10_000 }).toBe(1);
  expect((await read(mira)).statusCode).toBe(404);
  expect((await read(leila)).statusCode).toBe(200);
});

it('CHAT-18 the clock of roles looks at once when it is asked, and not before it was started', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  try {
    const deps = { db: server.db, log: createLog('silent'), publish: () => undefined, rightsChanged: () => undefined };
    const idle = createRoleClock(deps);
    idle.look();
    await idle.stop();
    expect(idle.lookedAt()).toBeNull();
    const started = createRoleClock(deps);
    started.start();
    await started.runDue();
    vi.setSystemTime(Date.now() + 1);
    started.look();
    await started.stop();
    expect(started.lookedAt()).toBe(Date.now());
  } finally {
    vi.useRealTimers();
  }
});

it('CHAT-18 a clock that is stopped within a role leaves the chats that it did not reach to another', async () => {
  const { db } = server;
  // One more than are looked for at once.
  for (let chats = 1; chats <= 100; chats++)
    await makeChat(db, { facilityId: facility.id, title: name, participants: [{ userId: ana.id }] });
  await sql`
    insert into chat_roles (chat_id, role_id, facility_id, access, joined_seq, added_by)
    select id, ${roleId}, facility_id, 'write', 0, ${ana.id} from chats where title = ${name} or id = ${chatId}`.execute(
    db,
  );
  await takeOver(mira);
  const reached = async () => {
    const seats = db.selectFrom('chat_roles').select('chat_id').where('role_id', '=', roleId);
    return (await seats.where('holder_id', '=', mira.id).execute()).length;
  };
  const stopped = createRoleClock({
    ...{ db, log: createLog('silent'), publish: () => undefined },
    rightsChanged: () => void stopped.stop(),
  });
  await stopped.runDue();
  expect(await reached()).toBe(100);
  // What it had leased is over.
  await sql`update on_call_turns set due_at = due_at - interval '1 minute' where role_id = ${roleId}`.execute(db);
  await server.runRoles();
  expect(await reached()).toBe(101);
});
