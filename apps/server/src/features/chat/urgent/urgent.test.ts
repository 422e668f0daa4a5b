import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import {
  type MadeFacility,
  type MembershipOptions,
  makeFacility,
  makeMembership,
} from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import type { MadeUser } from '#/testing/factories/users.ts';
import { type SignedInMember as Person, signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket, type ReceivedFrame, type TestSocket } from '#/testing/test-socket.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { DEFAULT_STEPS } from './ladder.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let server: TestServer;
let facility: MadeFacility;
let owen: Person;
let mira: Person;
let ana: Person;
/** On call, and in no chat. */
let leila: Person;
let outsider: Person;
let roleId: string;
let chat: Chat;

beforeAll(async () => {
  server = await startTestServer();
  facility = await makeFacility(server.db, { name: 'St. Hedwig' });
  owen = await person('Owen Clarke');
  mira = await person('Mira Okafor');
  ana = await person('Ana Reyes');
  leila = await person('Leila Haddad', ['houseSupervisor']);
  outsider = await person('Otto Outsider');
});
afterAll(() => server.close());

beforeEach(async () => {
  // What the tests before left open is not what a step is counted of.
  await server.db.updateTable('escalations').set({ due_at: null }).execute();
  chat = await newChat(owen, [mira, ana]);
  roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Registrar ${newId().slice(-8)}` });
  await makeShift(server.db, {
    ...{ facilityId: facility.id, roleId, userId: leila.id },
    ...{ startsAt: new Date(Date.now() - HOUR_MS), endsAt: new Date(Date.now() + HOUR_MS) },
  });
});

const person = (name: string, roles?: MembershipOptions['roles']) =>
  signedInMember(server, { facility, name, ...(roles && { roles }) });

async function newChat(maker: Person, others: readonly Person[]): Promise<Chat> {
  const body = { client_id: newId(), kind: 'group', title: 'Night team', participant_ids: others.map(({ id }) => id) };
  return (await maker.client.send('POST', `/api/facilities/${facility.id}/chats`, { body })).json();
}

const people = (...asked: readonly MadeUser[]) => ({ people: asked.map(({ id }) => id), role_id: null });

function post(who: Person, urgent: object, { client_id = newId(), to = chat.id, body = 'K 6.9, please come' } = {}) {
  return who.client.send('POST', `/api/chats/${to}/messages`, { body: { client_id, body, urgent } });
}

async function sendUrgent(urgent: object, who = owen): Promise<Message> {
  const sent = await post(who, urgent);
  expect(sent.statusCode, sent.body).toBe(201);
  return sent.json();
}

const act = (who: Person, { id, chat_id }: Message, what: 'acceptance' | 'closure' | 'withdrawal', note?: string) =>
  who.client.send('PUT', `/api/chats/${chat_id}/messages/${id}/urgent/${what}`, {
    body: note === undefined ? {} : { note },
  });

async function read(who: Person, { chat_id, id }: Message): Promise<Message | undefined> {
  const answer = await who.client.send('GET', `/api/chats/${chat_id}/messages?limit=200`);
  return answer.json().data?.find((message: Message) => message.id === id);
}

const list = async (who: Person, query = '') => (await who.client.send('GET', `/api/urgent${query}`)).json();
/** What waits for a person of the messages of this test. */
const waitingFor = async (who: Person, query = '') =>
  (await list(who, `${query || '?'}&limit=100`)).data.filter(({ chat_id }: { chat_id: string }) => chat_id === chat.id);

/** Does what is due so many minutes after a message was sent. */
function pass({ created_at }: Message, minutes: number): Promise<number> {
  return server.runEscalations(new Date(Date.parse(created_at) + minutes * MINUTE_MS + 1_000));
}
const kindsOf = (message: Message | undefined) => message?.urgent?.entries.map(({ kind }) => kind);
const linesOf = async (who: Person) =>
  (await who.client.send('GET', `/api/chats/${chat.id}/messages?limit=200`))
    .json()
    .data.filter(({ kind }: Message) => kind === 'system')
    .map(({ body }: Message) => body);

async function hear(who: Person, channel = `private-App.Models.User.${who.id}`): Promise<TestSocket> {
  const socket = await openSocket(server);
  await socket.join(who.client, channel);
  return socket;
}

describe('sending', () => {
  it('URG-1 stores the message and its call together, tells all who read it, and calls those who were asked', async () => {
    const [called, reader] = [await hear(mira), await hear(ana, `presence-chat.${chat.id}`)];
    const message = await sendUrgent({ targets: people(mira), next: people(ana) });
    expect(message.urgent).toMatchObject({
      ...{ state: 'calling', step: 0, people: [{ name: 'Mira Okafor', times: 1 }] },
      next: { people: [{ user_id: ana.id, name: 'Ana Reyes' }], role: null },
    });
    expect(Date.parse(message.urgent?.due_at ?? '') - Date.parse(message.urgent?.entries[0]?.at ?? '')).toBe(
      5 * MINUTE_MS,
    );
    const call = await called.next(({ event }) => event === 'App\\Events\\UrgentCalled');
    expect(call.data).toEqual({ facility_id: facility.id, chat_id: chat.id, message_id: message.id, step: 0 });
    const listed = await called.next(({ event }) => event === 'App\\Events\\ChatChanged');
    expect(listed.data).toMatchObject({ chat_id: chat.id, urgent_count: 1 });
    const sent = await reader.next(({ event }) => event === 'App\\Events\\MessageSent');
    expect(sent.data).toMatchObject({ message: { id: message.id, urgent: { state: 'calling' } } });
    expect(await read(ana, message)).toEqual(message);
    expect((await ana.client.send('GET', `/api/chats/${chat.id}`)).json().urgent_count).toBe(1);
    const audit = (await auditOf(server, 'chat.message.send', owen.id)).find(
      ({ object_id }) => object_id === message.id,
    );
    expect(audit?.detail).toMatchObject({ chat: chat.id, urgent: { targets: { people: [mira.id] } } });
    for (const socket of [called, reader]) socket.close();
  });

  it('URG-1 CHAT-1 a repeat is the stored message, with another call it is refused', async () => {
    const client_id = newId();
    const first = await post(owen, { targets: people(mira) }, { client_id });
    expect((await post(owen, { targets: people(mira) }, { client_id })).json()).toEqual(first.json());
    expect((await post(owen, { targets: people(ana) }, { client_id })).statusCode).toBe(409);
    expect(
      (
        await owen.client.send('POST', `/api/chats/${chat.id}/messages`, {
          body: { client_id, body: 'K 6.9, please come' },
        })
      ).statusCode,
    ).toBe(409);
    const twice = newId();
    const twins = await Promise.all([1, 2].map(() => post(owen, { targets: people(mira) }, { client_id: twice })));
    expect(twins.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(twins[0]?.json().id).toBe(twins[1]?.json().id);
    expect((await owen.client.send('GET', `/api/chats/${chat.id}`)).json().urgent_count).toBe(2);
  });

  it('URG-1 asks for somebody, who is in the chat and is not the sender, or a role of the facility', async () => {
    const elsewhere = await makeOnCallRole(server.db, { facilityId: (await makeFacility(server.db)).id, name: 'Far' });
    for (const targets of [people(), people(owen), people(outsider), { people: [], role_id: elsewhere }]) {
      const refused = await post(owen, { targets });
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['urgent.targets']]);
    }
    expect((await owen.client.send('GET', `/api/chats/${chat.id}`)).json()).toMatchObject({
      urgent_count: 0,
      head_seq: 1,
    });
  });

  it('URG-1 a role that was retired calls nobody, nor does one that who sends holds; a name twice is one', async () => {
    const retired = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Retired ${newId()}` });
    await server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', retired).execute();
    const role = { people: [], role_id: retired };
    for (const urgent of [
      { targets: role },
      { targets: people(mira), next: role },
      { targets: people(mira), next: people(outsider) },
    ]) {
      const refused = await post(owen, urgent);
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['urgent.targets']]);
    }
    await server.db.updateTable('on_call_shifts').set({ user_id: owen.id }).where('role_id', '=', roleId).execute();
    const own = await sendUrgent({ targets: { people: [mira.id, mira.id], role_id: roleId }, next: people() });
    expect(own.urgent).toMatchObject({
      people: [{ name: 'Mira Okafor', times: 1 }],
      targets: { people: [{ user_id: mira.id }] },
      next: null,
    });
    expect(own.urgent?.targets.people).toHaveLength(1);
  });

  it('URG-1 CHAT-18 in an announcement the holder of a role who is called reads, and writes nothing', async () => {
    const participants = [{ userId: owen.id, access: 'manage' as const }];
    const messages = [{ senderId: owen.id, body: 'Before' }];
    const { id: to } = await makeChat(server.db, {
      facilityId: facility.id,
      kind: 'announcement',
      participants,
      messages,
    });
    expect((await post(owen, { targets: { people: [], role_id: roleId } }, { to })).statusCode).toBe(201);
    expect((await leila.client.send('GET', `/api/chats/${to}`)).json().my.access).toBe('read');
    const said = await leila.client.send('POST', `/api/chats/${to}/messages`, {
      body: { client_id: newId(), body: 'On my way' },
    });
    expect(said.statusCode).toBe(403);
  });

  it('URG-1 the holder of a role who is not in the chat comes into it, and reads from the message on', async () => {
    await owen.client.send('POST', `/api/chats/${chat.id}/messages`, {
      body: { client_id: newId(), body: 'Said before' },
    });
    const called = await hear(leila);
    const message = await sendUrgent({ targets: { people: [], role_id: roleId } });
    expect(message.urgent?.people).toMatchObject([{ name: 'Leila Haddad', role: expect.stringMatching(/^Registrar/) }]);
    expect((await called.next(({ event }) => event === 'App\\Events\\MembershipChanged')).data).toMatchObject({
      change: 'added',
    });
    const seen = (await leila.client.send('GET', `/api/chats/${chat.id}/messages?limit=50`)).json().data;
    expect(seen.map(({ body }: Message) => body)).toEqual([
      'K 6.9, please come',
      expect.stringMatching(/^called Leila Haddad as Registrar .*, who sees messages from the urgent one on$/),
    ]);
    expect((await leila.client.send('GET', `/api/chats/${chat.id}`)).json().my).toMatchObject({
      access: 'write',
      unread: 2,
    });
    called.close();
  });

  it.each(['left it', 'stays while its hours pass'])(
    'URG-1 PERM-4 who had emergency access to the chat, %s and is called as the role’s holder, is not put out by its end',
    async (how) => {
      const patient = { name: 'Edith Maron', identifier: `ME-${newId()}` };
      const made = { client_id: newId(), kind: 'case', patient, participant_ids: [mira.id] };
      chat = (await owen.client.send('POST', `/api/facilities/${facility.id}/chats`, { body: made })).json();
      const reason = 'Cardiac arrest, I am the anaesthetist.';
      const body = { client_id: newId(), chat_id: chat.id, identifier: patient.identifier, reason };
      const opened = await leila.client.send('POST', `/api/facilities/${facility.id}/emergency-accesses`, { body });
      expect(opened.statusCode, opened.body).toBe(201);
      const ended = { opened_at: new Date(Date.now() - 9 * HOUR_MS), ends_at: new Date(Date.now() - 1_000) };
      if (how === 'left it') await leila.client.send('DELETE', `/api/chats/${chat.id}/participants/${leila.id}`);
      else await server.db.updateTable('emergency_accesses').set(ended).where('chat_id', '=', chat.id).execute();
      const message = await sendUrgent({ targets: { people: [], role_id: roleId } });
      await server.db
        .updateTable('jobs')
        .set({ run_at: new Date() })
        .where('kind', '=', 'chat.emergency.end')
        .execute();
      await server.runJobs();
      expect((await act(leila, message, 'acceptance')).statusCode).toBe(200);
      const { data } = (await leila.client.send('GET', `/api/chats/${chat.id}/messages`)).json();
      expect(data.map(({ body: text }: Message) => text)[0]).toBe('K 6.9, please come');
    },
  );

  it('URG-1 CHAT-17 in a direct chat only the other is called, at each step', async () => {
    const sent = await owen.client.send('POST', `/api/facilities/${facility.id}/members/${mira.id}/messages`, {
      body: { client_id: newId(), body: 'Hello' },
    });
    const direct = sent.json().chat.id;
    const ladder = { facility_id: facility.id, steps: JSON.stringify(DEFAULT_STEPS), fallback_role_id: roleId };
    await server.db.insertInto('escalation_ladders').values(ladder).execute();
    const refused = await post(owen, { targets: { people: [mira.id], role_id: roleId } }, { to: direct });
    expect(refused.json().errors['urgent.targets']).toEqual(['In a direct chat nobody else can be called.']);
    const message = (await post(owen, { targets: people(mira) }, { to: direct })).json();
    for (const minutes of [5, 10, 15, 20]) await pass(message, minutes);
    const urgent = (await read(mira, message))?.urgent;
    expect(urgent).toMatchObject({ state: 'exhausted', people: [{ name: 'Mira Okafor', times: 4 }] });
    expect(await read(leila, message)).toBeUndefined();
    await server.db.deleteFrom('escalation_ladders').execute();
  });
});

describe('the ladder by the clock', () => {
  it('URG-1 calls again, then whom the sender named next, then everybody, and tells the sender that nobody is left', async () => {
    const sender = await hear(owen);
    const message = await sendUrgent({ targets: people(mira), next: people(ana) });
    expect(await pass(message, 4)).toBe(0);
    for (const minutes of [5, 10, 15, 20]) expect(await pass(message, minutes)).toBe(1);
    const over = await read(owen, message);
    expect(kindsOf(over)).toEqual(['sent', 'repeated', 'climbed', 'climbed', 'exhausted']);
    expect(over?.urgent?.entries.map(({ called }) => [...called].sort())).toEqual([
      ['Mira Okafor'],
      ['Mira Okafor'],
      ['Ana Reyes'],
      ['Ana Reyes', 'Mira Okafor'],
      [],
    ]);
    expect(await linesOf(owen)).toContain(
      'Nobody has acknowledged the urgent message, and there is nobody left to call. Call by telephone.',
    );
    expect(sender.frames.filter(({ event }) => event === 'App\\Events\\UrgentCalled')).toEqual([]);
    expect(await waitingFor(owen, '?of=others')).toMatchObject([
      { state: 'exhausted', missing: [{ name: 'Mira Okafor' }, { name: 'Ana Reyes' }] },
    ]);
    const steps = await server.db
      .selectFrom('audit_entries')
      .select('detail')
      .where('action', '=', 'escalation.step')
      .where('object_id', '=', message.id)
      .execute();
    expect(steps).toHaveLength(4);
    sender.close();
  });

  it('URG-1 asks for the role’s holder anew at each step, and goes on at once where nobody holds it', async () => {
    const message = await sendUrgent({ targets: { people: [], role_id: roleId }, next: people(mira) });
    await server.db.updateTable('on_call_shifts').set({ ends_at: new Date() }).where('role_id', '=', roleId).execute();
    // Nobody to repeat to: the next step comes in the same look.
    expect(await pass(message, 5)).toBe(2);
    expect((await read(owen, message))?.urgent?.entries.map(({ kind, called }) => [kind, called])).toEqual([
      ['sent', ['Leila Haddad']],
      ['repeated', []],
      ['climbed', ['Mira Okafor']],
    ]);
  });

  it('URG-1 ADM-3 a step that lets in who holds a role says so in the chat, to them and in the audit', async () => {
    await owen.client.send('POST', `/api/chats/${chat.id}/messages`, { body: { client_id: newId(), body: 'Before' } });
    const message = await sendUrgent({ targets: people(mira), next: { people: [], role_id: roleId } });
    // Whoever came in since is let see what calls them, and no more than they could do before.
    const body = { history: 'now', access: 'read' };
    expect((await owen.client.send('PUT', `/api/chats/${chat.id}/participants/${leila.id}`, { body })).statusCode).toBe(
      200,
    );
    expect(await read(leila, message)).toBeUndefined();
    await pass(message, 5);
    const socket = await hear(leila);
    await pass(message, 10);
    const added = await socket.next(({ event }) => event === 'App\\Events\\MembershipChanged');
    expect(added.data).toEqual({ facility_id: facility.id, chat_id: chat.id, change: 'added' });
    socket.close();
    expect((await linesOf(owen)).at(-1)).toMatch(
      /^called Leila Haddad as Registrar .*, who sees messages from the urgent one on$/,
    );
    const seen = (await leila.client.send('GET', `/api/chats/${chat.id}/messages?limit=50`)).json().data;
    expect(seen[0]).toMatchObject({ id: message.id });
    expect((await leila.client.send('GET', `/api/chats/${chat.id}`)).json().my.access).toBe('read');
    const steps = await server.db
      .selectFrom('audit_entries')
      .select(['facility_id', 'detail'])
      .where('action', '=', 'escalation.step')
      .where('object_id', '=', message.id)
      .orderBy('id')
      .execute();
    const due_at = expect.any(String);
    expect(steps.map(({ detail }) => detail)).toEqual([
      { chat: chat.id, step: 1, kind: 'repeated', called: [mira.id], due_at },
      { chat: chat.id, step: 2, kind: 'climbed', called: [leila.id], due_at, admitted: leila.id },
    ]);
    expect(steps.every(({ facility_id }) => facility_id === facility.id)).toBe(true);
  });

  it('URG-1 reminds who has accepted by calling them again, and nobody else', async () => {
    const message = await sendUrgent({ targets: people(mira, ana) });
    await act(mira, message, 'acceptance');
    const sockets = [await hear(mira), await hear(ana)];
    expect(await pass(message, 16)).toBe(1);
    expect((await read(owen, message))?.urgent?.entries.at(-1)).toMatchObject({
      kind: 'reminded',
      called: ['Mira Okafor'],
    });
    const called = ({ event }: ReceivedFrame) => event === 'App\\Events\\UrgentCalled';
    await sockets[0]?.next(called);
    await sockets[1]?.settle();
    expect(sockets[1]?.frames.filter(called)).toEqual([]);
    for (const socket of sockets) socket.close();
  });

  it('URG-1 climbs past who left, who was disabled and who sees only what came later', async () => {
    const [left, gone, late] = [await person('Lea Left'), await person('Gus Gone'), await person('Lou Late')];
    chat = await newChat(owen, [mira, left, gone, late]);
    const message = await sendUrgent({ targets: people(left, gone, late), next: people(mira) });
    await left.client.send('DELETE', `/api/chats/${chat.id}/participants/${left.id}`);
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', gone.id).execute();
    await owen.client.send('DELETE', `/api/chats/${chat.id}/participants/${late.id}`);
    const back = await owen.client.send('PUT', `/api/chats/${chat.id}/participants/${late.id}`, {
      body: { history: 'now' },
    });
    expect(back.statusCode).toBe(200);
    expect(await pass(message, 5)).toBe(2);
    expect((await read(owen, message))?.urgent?.entries.at(-1)?.called).toEqual(['Mira Okafor']);
    expect(await list(left)).toMatchObject({ data: [], counts: { accept: 0 } });
    expect(await list(late)).toMatchObject({ data: [], counts: { accept: 0 } });
  });

  it('URG-1 goes on in a chat that was closed, where it can be answered too', async () => {
    const message = await sendUrgent({ targets: people(mira) });
    const { version } = (await owen.client.send('GET', `/api/chats/${chat.id}`)).json();
    await owen.client.send('PATCH', `/api/chats/${chat.id}`, { body: { expected_version: version, state: 'closed' } });
    expect(await pass(message, 5)).toBe(1);
    expect((await act(mira, message, 'acceptance')).statusCode).toBe(200);
    expect((await act(mira, message, 'closure', 'Seen')).json().urgent.state).toBe('closed');
  });

  it('URG-1 a step whose transaction is broken off is due as before, and holds up no other', async () => {
    const [broken, fine] = [await sendUrgent({ targets: people(mira) }), await sendUrgent({ targets: people(ana) })];
    await sql`update escalations set plan = '{"steps": 7}' where subject_id = ${broken.id}`.execute(server.db);
    await pass(fine, 5.5);
    expect(kindsOf(await read(owen, fine))).toEqual(['sent', 'repeated']);
    expect(kindsOf(await read(owen, broken))).toEqual(['sent']);
    const { due_at } = await server.db
      .selectFrom('escalations')
      .select('due_at')
      .where('subject_id', '=', broken.id)
      .executeTakeFirstOrThrow();
    expect(due_at?.getTime()).toBeGreaterThan(Date.parse(broken.created_at) + 5.5 * MINUTE_MS);
  });
});

describe('answering', () => {
  it('URG-1 one accepts, the ladder stops; it closes by what was done, and both sides see the timeline', async () => {
    const sender = await hear(owen, `presence-chat.${chat.id}`);
    const message = await sendUrgent({ targets: people(mira, ana) });
    expect(await waitingFor(ana)).toMatchObject([
      { message_id: message.id, waits_for: 'accept', excerpt: 'K 6.9, please come' },
    ]);
    const accepted = await act(ana, message, 'acceptance');
    expect(accepted.json().urgent).toMatchObject({ state: 'accepted', version: 2 });
    const told = await sender.next(({ event }) => event === 'App\\Events\\UrgentMessageChanged');
    expect(told.data).toMatchObject({ message: { urgent: { state: 'accepted' } } });
    expect(await pass(message, 14)).toBe(0);
    expect(await waitingFor(mira)).toEqual([]);
    expect(await waitingFor(ana)).toMatchObject([{ waits_for: 'act' }]);
    const closed = await act(ana, message, 'closure', 'Calcium given, dialysis called');
    expect(closed.json().urgent).toMatchObject({ state: 'closed', due_at: null });
    expect(kindsOf(await read(owen, message))).toEqual(['sent', 'accepted', 'acted']);
    expect(await linesOf(owen)).toEqual([
      'created the chat',
      'acknowledged the urgent message',
      'closed the urgent message: Calcium given, dialysis called',
    ]);
    expect((await owen.client.send('GET', `/api/chats/${chat.id}`)).json().urgent_count).toBe(0);
    expect(await waitingFor(owen, '?of=others')).toEqual([]);
    const [entry] = await auditOf(server, 'urgent.close', ana.id);
    expect(entry).toMatchObject({ object_id: message.id, detail: { from: 'accepted', to: 'closed' } });
    sender.close();
  });

  it('URG-2 whom it called and who sent it hear of an answer, so that it leaves their screens; that it was seen its sender only', async () => {
    const message = await sendUrgent({ targets: people(mira, ana) });
    const sockets = [await hear(owen), await hear(mira), await hear(ana)];
    await ana.client.send('PUT', `/api/chats/${chat.id}/markers`, { body: { read_seq: message.seq } });
    await act(ana, message, 'acceptance');
    for (const socket of sockets) await socket.settle();
    const heard = sockets.map(({ frames }) =>
      frames.filter(({ event }) => event === 'App\\Events\\UrgentChanged').map(({ data }) => data),
    );
    const change = { chat_id: chat.id, message_id: message.id };
    expect(heard).toEqual([[change, change], [change], [change]]);
    for (const socket of sockets) socket.close();
  });

  it('URG-1 two who accept at once both do; of two who close at once the second hears that it is closed', async () => {
    const message = await sendUrgent({ targets: people(mira, ana) });
    const accepting = await Promise.all([act(mira, message, 'acceptance'), act(ana, message, 'acceptance')]);
    expect(accepting.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const closing = await Promise.all([act(mira, message, 'closure', 'Mine'), act(ana, message, 'closure', 'Hers')]);
    expect(closing.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const lost = closing.find(({ statusCode }) => statusCode === 409);
    expect(lost?.json().message).toBe('Somebody else has closed this message meanwhile.');
    const winner = closing[0]?.statusCode === 200 ? { who: mira, note: 'Mine' } : { who: ana, note: 'Hers' };
    expect((await act(winner.who, message, 'closure', winner.note)).statusCode).toBe(200);
    // The same words of another are no repeat.
    expect((await act(winner.who === mira ? ana : mira, message, 'closure', winner.note)).statusCode).toBe(409);
    expect(kindsOf(await read(owen, message))).toEqual(['sent', 'accepted', 'accepted', 'acted']);
  });

  it('URG-1 who was not called, and who sent it, answers nothing; a stranger learns nothing', async () => {
    const message = await sendUrgent({ targets: people(mira) });
    for (const what of ['acceptance', 'closure'] as const) {
      expect((await act(ana, message, what, what === 'closure' ? 'x' : undefined)).statusCode).toBe(403);
      expect((await act(owen, message, what, what === 'closure' ? 'x' : undefined)).statusCode).toBe(403);
      expect((await act(outsider, message, what, what === 'closure' ? 'x' : undefined)).statusCode).toBe(404);
    }
    expect((await act(mira, message, 'withdrawal', 'x')).statusCode).toBe(403);
    const said = (
      await owen.client.send('POST', `/api/chats/${chat.id}/messages`, { body: { client_id: newId(), body: 'Plain' } })
    ).json();
    expect((await act(mira, said, 'acceptance')).statusCode).toBe(404);
  });

  it('URG-1 its sender withdraws it with a reason, and nobody is called any more', async () => {
    const message = await sendUrgent({ targets: people(mira) });
    expect((await act(owen, message, 'withdrawal', '')).statusCode).toBe(422);
    expect((await act(owen, message, 'withdrawal', 'Wrong patient')).json().urgent.state).toBe('withdrawn');
    expect(await pass(message, 20)).toBe(0);
    expect(await waitingFor(mira)).toEqual([]);
    const late = await act(mira, message, 'acceptance');
    expect([late.statusCode, late.json().message]).toEqual([409, 'This message was withdrawn meanwhile.']);
  });

  it('URG-1 ADM-3 each answer stands in the audit once with what it changed; another one after it is told what happened', async () => {
    const said = { acceptance: undefined, closure: 'Calcium given', withdrawal: 'Told in person' } as const;
    const over = {
      closure: 'Somebody else has closed this message meanwhile.',
      withdrawal: 'This message was withdrawn meanwhile.',
    };
    for (const [what, by, action, from, to] of [
      ['acceptance', mira, 'urgent.accept', 'calling', 'accepted'],
      ['closure', ana, 'urgent.close', 'calling', 'closed'],
      ['withdrawal', owen, 'urgent.withdraw', 'calling', 'withdrawn'],
    ] as const) {
      const message = await sendUrgent({ targets: people(mira, ana) });
      for (let press = 0; press < 2; press++) expect((await act(by, message, what, said[what])).statusCode).toBe(200);
      const entries = (await auditOf(server, action, by.id)).filter(({ object_id }) => object_id === message.id);
      expect(entries).toMatchObject([{ facility_id: facility.id, object_type: 'message' }]);
      expect(entries[0]?.detail).toEqual({ chat: chat.id, seq: message.seq, from, to });
      if (what === 'acceptance') continue;
      const other = await act(by, message, what, 'Something else');
      expect([other.statusCode, other.json().message]).toEqual([409, over[what]]);
    }
    expect((await owen.client.send('GET', `/api/chats/${chat.id}`)).json().urgent_count).toBe(1);
  });

  it.each(['acceptance', 'closure', 'withdrawal'] as const)(
    'URG-1 A16 no %s of who is taken out of the chat while it waits',
    async (what) => {
      const message = await sendUrgent({ targets: people(mira) });
      const who = what === 'withdrawal' ? owen : mira;
      let asking: ReturnType<typeof act> | undefined;
      await server.db.transaction().execute(async (tx) => {
        await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
        asking = act(who, message, what, what === 'acceptance' ? undefined : 'Done');
        await untilBlocked(server.db, asking);
        const place = sql`chat_id = ${chat.id} and user_id = ${who.id}`;
        await sql`update chat_participants set left_at = now() where ${place}`.execute(tx);
      });
      expect((await asking)?.statusCode).toBe(404);
      expect(kindsOf(await read(ana, message))).toEqual(['sent']);
    },
  );

  it('URG-1 CHAT-11 deleting what calls still tells whom it called; of what is over it counts nothing', async () => {
    const remove = ({ id }: Message) =>
      owen.client.send('PUT', `/api/chats/${chat.id}/messages/${id}/deletion`, { body: { reason: 'Wrong chat' } });
    const count = async () => (await owen.client.send('GET', `/api/chats/${chat.id}`)).json().urgent_count;
    const [over, calling] = [await sendUrgent({ targets: people(mira) }), await sendUrgent({ targets: people(mira) })];
    await act(mira, over, 'closure', 'Seen');
    const sockets = [await hear(mira), await hear(owen)];
    const isOf = ({ event, data }: ReceivedFrame) =>
      event === 'App\\Events\\UrgentChanged' && (data as { message_id: string }).message_id === calling.id;
    expect((await remove(over)).statusCode).toBe(200);
    expect(await count()).toBe(1);
    expect((await remove(calling)).statusCode).toBe(200);
    expect(await count()).toBe(0);
    for (const socket of sockets) {
      expect((await socket.next(isOf)).data).toEqual({ chat_id: chat.id, message_id: calling.id });
      socket.close();
    }
    const { note } = await server.db
      .selectFrom('escalation_entries as t')
      .innerJoin('escalations as e', 'e.id', 't.escalation_id')
      .select('t.note')
      .where('e.subject_id', '=', calling.id)
      .where('t.kind', '=', 'withdrawn')
      .executeTakeFirstOrThrow();
    expect(note).toBe('Wrong chat');
  });

  it('URG-1 CHAT-11 an urgent message is not edited; deleting it withdraws it', async () => {
    const message = await sendUrgent({ targets: people(mira) });
    const at = `/api/chats/${chat.id}/messages/${message.id}`;
    expect((await owen.client.send('PATCH', at, { body: { expected_version: 1, body: 'K 5.9' } })).statusCode).toBe(
      422,
    );
    const deleted = await owen.client.send('PUT', `${at}/deletion`, { body: { reason: 'Wrong chat' } });
    expect(deleted.json()).not.toHaveProperty('urgent');
    expect(await pass(message, 20)).toBe(0);
    expect(await waitingFor(mira)).toEqual([]);
    expect((await owen.client.send('GET', `/api/chats/${chat.id}`)).json().urgent_count).toBe(0);
  });

  it('URG-1 that a device shows the call is noted once, and tells nothing of the rest of the chat', async () => {
    const before = { client_id: newId(), body: 'before' };
    await owen.client.send('POST', `/api/chats/${chat.id}/messages`, { body: before });
    const message = await sendUrgent({ targets: people(mira) });
    const isOnDevice = async () => (await waitingFor(mira)).map((one: WaitingUrgent) => one.is_delivered);
    expect(await isOnDevice()).toEqual([false]);
    const note = (who: Person) =>
      who.client.send('PUT', `/api/chats/${chat.id}/messages/${message.id}/urgent/delivery`);
    expect((await note(ana)).statusCode).toBe(403);
    expect((await note(mira)).statusCode).toBe(204);
    const noted = await read(owen, message);
    expect(noted?.urgent?.people).toMatchObject([{ name: 'Mira Okafor', seen_at: null }]);
    expect(noted?.urgent?.people[0]?.delivered_at).not.toBeNull();
    expect(await isOnDevice()).toEqual([true]);
    const markers = server.db.selectFrom('chat_participants').select('delivered_seq');
    expect(await markers.where('chat_id', '=', chat.id).where('user_id', '=', mira.id).executeTakeFirst()).toEqual({
      delivered_seq: 0,
    });
    expect((await note(mira)).statusCode).toBe(204);
    expect((await read(owen, message))?.change_seq).toBe(noted?.change_seq);
  });

  it('URG-1 that it is on a device and seen is noted once, closes nothing, and the sender sees who has not', async () => {
    const message = await sendUrgent({ targets: people(mira, ana) });
    const mark = (who: Person, body: object) => who.client.send('PUT', `/api/chats/${chat.id}/markers`, { body });
    const shown = `/api/chats/${chat.id}/messages/${message.id}/urgent/delivery`;
    expect((await ana.client.send('PUT', shown)).statusCode).toBe(204);
    await mark(mira, { delivered_seq: message.seq });
    await mark(ana, { read_seq: message.seq });
    const changed = await read(owen, message);
    expect(changed?.urgent).toMatchObject({ state: 'calling', version: 1 });
    expect(
      changed?.urgent?.people.map((one) => [one.name, one.delivered_at !== null, one.seen_at !== null]).sort(),
    ).toEqual([
      ['Ana Reyes', true, true],
      ['Mira Okafor', true, false],
    ]);
    const [mine] = await waitingFor(owen, '?of=others');
    expect(
      mine.missing.map(({ name, has_seen }: { name: string; has_seen: boolean }) => [name, has_seen]).sort(),
    ).toEqual([
      ['Ana Reyes', true],
      ['Mira Okafor', false],
    ]);
    await mark(mira, { delivered_seq: message.seq });
    expect((await read(owen, message))?.change_seq).toBe(changed?.change_seq);
  });

  it('URG-1 the device that shows the call or reads it hears from all of its chat how far it has got', async () => {
    const [shown, seen] = [await sendUrgent({ targets: people(mira) }), await sendUrgent({ targets: people(mira) })];
    const socket = await hear(mira, `presence-chat.${chat.id}`);
    const mine = { headers: { 'x-socket-id': socket.id } };
    const isOf =
      ({ id }: Message) =>
      ({ event, data }: ReceivedFrame) =>
        event === 'App\\Events\\UrgentMessageChanged' && (data as { message: Message }).message.id === id;
    const heard = async (message: Message) => {
      const { data } = await socket.next(isOf(message));
      return (data as { message: Message }).message.urgent?.people[0];
    };
    const address = `/api/chats/${chat.id}/messages/${shown.id}/urgent/delivery`;
    expect((await mira.client.send('PUT', address, mine)).statusCode).toBe(204);
    expect(await heard(shown)).toMatchObject({ delivered_at: expect.any(String), seen_at: null });
    const mark = (body: object) => mira.client.send('PUT', `/api/chats/${chat.id}/markers`, { body, ...mine });
    await mark({ delivered_seq: seen.seq });
    expect(await heard(seen)).toMatchObject({ delivered_at: expect.any(String), seen_at: null });
    await mark({ read_seq: seen.seq });
    for (const message of [shown, seen]) expect(await heard(message)).toMatchObject({ seen_at: expect.any(String) });
    socket.close();
  });
});

describe('what waits for me', () => {
  it('URG-2 is listed by page, who waits longest first, with its counts', async () => {
    const tired = await person('Tim Tired');
    chat = await newChat(owen, [tired]);
    const sent = [];
    for (let n = 0; n < 5; n++) sent.push((await sendUrgent({ targets: people(tired) })).id);
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await list(tired, `?limit=2${cursor}`);
      expect(page.counts).toEqual({ accept: 5, act: 0, others: 0 });
      found.push(...page.data.map(({ message_id }: { message_id: string }) => message_id));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(found).toEqual(sent);
    expect((await list(tired, '?cursor=bm9wZQ')).message).toBeDefined();
  });
});

describe('the ladder of a facility', () => {
  const at = () => `/api/facilities/${facility.id}/urgent-ladder`;

  it('URG-1 can be seen before one sends, and is changed by who plans who is on call, for what is sent then', async () => {
    const before = await sendUrgent({ targets: people(mira) });
    expect((await ana.client.send('GET', at())).json()).toMatchObject({
      version: 0,
      fallback: null,
      steps: { length: 3 },
    });
    const body = { expected_version: 0, steps: [{ after_min: 2, call: 'fallback' }], fallback_role_id: roleId };
    expect((await ana.client.send('PUT', at(), { body })).statusCode).toBe(403);
    expect((await outsiderElsewhere()).statusCode).toBe(404);
    expect((await leila.client.send('PUT', at(), { body })).json()).toMatchObject({
      version: 1,
      fallback: { role_id: roleId, holder: { name: 'Leila Haddad' } },
    });
    expect((await leila.client.send('PUT', at(), { body })).statusCode).toBe(409);
    const wrong = {
      ...body,
      expected_version: 1,
      steps: [
        { after_min: 5, call: 'again' },
        { after_min: 5, call: 'next' },
      ],
    };
    expect((await leila.client.send('PUT', at(), { body: wrong })).statusCode).toBe(422);
    const message = await sendUrgent({ targets: people(mira) });
    await pass(message, 2.5);
    expect(kindsOf(await read(owen, before))).toEqual(['sent']);
    const climbed = (await read(owen, message))?.urgent;
    expect(climbed?.entries.at(-1)).toMatchObject({ kind: 'climbed', called: ['Leila Haddad'] });
    expect((await read(leila, message))?.id).toBe(message.id);
    expect(await read(leila, before)).toBeUndefined();
    await server.db.deleteFrom('escalation_ladders').execute();
  });

  it('URG-1 A16 ADM-3 falls back on a role of its own facility that is in use, and is of that facility alone', async () => {
    const there = await makeFacility(server.db);
    const both = await person('Bo Both', ['houseSupervisor']);
    await makeMembership(server.db, { userId: both.id, facility: there, roles: ['houseSupervisor'] });
    const theirs = await makeOnCallRole(server.db, { facilityId: there.id, name: 'Theirs' });
    const retired = await makeOnCallRole(server.db, { facilityId: facility.id, name: `Retired ${newId()}` });
    const retire = (id: string) =>
      server.db.updateTable('on_call_roles').set({ retired_at: new Date() }).where('id', '=', id).execute();
    await retire(retired);
    const steps = [{ after_min: 3, call: 'fallback' }];
    const set = (fallback_role_id: string | null, expected_version = 0, of = facility) =>
      both.client.send('PUT', `/api/facilities/${of.id}/urgent-ladder`, {
        body: { expected_version, steps, fallback_role_id },
      });
    for (const role of [theirs, retired]) {
      const refused = await set(role);
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['fallback_role_id']]);
    }
    expect((await set(roleId, 1)).statusCode, 'of none').toBe(409);
    expect((await set(roleId)).json()).toMatchObject({ version: 1, steps, fallback: { role_id: roleId } });
    expect((await set(theirs, 0, there)).json()).toMatchObject({ version: 1, fallback: { role_id: theirs } });
    expect((await set(null, 1)).json()).toMatchObject({ version: 2, fallback: null });
    expect((await set(roleId, 1)).statusCode).toBe(409);
    expect((await set(roleId, 2)).json()).toMatchObject({ version: 3 });
    const seen = async (of: MadeFacility) =>
      (await both.client.send('GET', `/api/facilities/${of.id}/urgent-ladder`)).json();
    expect(await seen(there)).toMatchObject({ version: 1, fallback: { name: 'Theirs', holder: null } });
    await retire(roleId);
    expect(await seen(facility)).toMatchObject({ version: 3, fallback: null });
    const details = (await auditOf(server, 'urgent.ladder.set', both.id)).map(({ object_id, detail }) => [
      object_id,
      detail,
    ]);
    expect(details.reverse()).toEqual([
      [facility.id, { steps, fallback: roleId }],
      [there.id, { steps, fallback: theirs }],
      [facility.id, { steps, fallback: null }],
      [facility.id, { steps, fallback: roleId }],
    ]);
    await server.db.deleteFrom('escalation_ladders').execute();
  });

  async function outsiderElsewhere() {
    const far = await makeFacility(server.db);
    return ana.client.send('GET', `/api/facilities/${far.id}/urgent-ladder`);
  }
});
