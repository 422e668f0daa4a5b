import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { makeOnCallRole, makeShift } from '#/testing/factories/on-call.ts';
import { makePasskey } from '#/testing/factories/users.ts';
import { type SignedInMember, signedInMember } from '#/testing/signed-in-member.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

let server: TestServer;
let facility: MadeFacility;
let chat: string;
let owen: SignedInMember;
let mira: SignedInMember;
let ana: SignedInMember;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  facility = await makeFacility(server.db);
  [owen, mira, ana] = [await member('Owen'), await member('Mira'), await member('Ana')];
  const participants = [{ userId: owen.id, access: 'manage' as const }, { userId: mira.id }, { userId: ana.id }];
  chat = (await makeChat(server.db, { facilityId: facility.id, participants })).id;
});

const member = (name: string) => signedInMember(server, { facility, name });

/** What this person’s own channel, or another one, is sent of the chat from here on. */
async function listen(who: SignedInMember, channel = `private-App.Models.User.${who.id}`) {
  const socket = await openSocket(server);
  expect(await socket.join(who.client, channel)).toBe('joined');
  return {
    async heard(): Promise<string[]> {
      await socket.settle();
      socket.close();
      const told = socket.frames.filter(({ event }) => event.startsWith('App'));
      return told.map((frame) => JSON.stringify(frame)).filter((frame) => frame.includes(chat));
    },
  };
}

async function act(who: SignedInMember, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const answer = await who.client.send(method, `/api/chats/${chat}/${path}`, body && { body });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.body === '' ? undefined : answer.json();
}
const say = (body: string, more: object = {}): Promise<{ id: string }> =>
  act(owen, 'POST', 'messages', { client_id: newId(), body, ...more });
const mention = (who: SignedInMember) => say(`@${who.name} please`, { mentions: [{ kind: 'user', id: who.id }] });
const call = (...people: SignedInMember[]) =>
  say('K 6.9', { urgent: { targets: { people: people.map(({ id }) => id), role_id: null } } });
const edit = (id: string, body: string) => act(owen, 'PATCH', `messages/${id}`, { expected_version: 1, body });
const accept = (who: SignedInMember, id: string) => act(who, 'PUT', `messages/${id}/urgent/acceptance`, {});

it.each<[string, () => Promise<unknown>]>([
  ['was taken out of the chat', () => act(owen, 'DELETE', `participants/${ana.id}`)],
  [
    'left the facility',
    () => sql`update memberships set ended_at = now() where user_id = ${ana.id}`.execute(server.db),
  ],
])(
  'A14 who %s hears nothing of an urgent message that had called them, nor of a mention that goes',
  async (_how, leave) => {
    const said = await mention(ana);
    const urgent = await call(mira, ana);
    await leave();
    const [gone, here] = [await listen(ana), await listen(mira)];
    await accept(mira, urgent.id);
    await edit(said.id, 'nobody');
    expect(await gone.heard()).toEqual([]);
    expect((await here.heard()).join()).toContain('UrgentChanged');
  },
);

it('ACC-3 a session to which the facility is closed hears neither', async () => {
  const said = await mention(mira);
  const urgent = await call(mira, ana);
  await makePasskey(server.db, owen.id);
  await sql`update sessions set second_factor_at = now() where user_id = ${owen.id}`.execute(server.db);
  await sql`update facilities set second_factor_from = current_date - 2 where id = ${facility.id}`.execute(server.db);
  const closed = await listen(mira);
  await act(owen, 'PUT', `messages/${urgent.id}/urgent/withdrawal`, { note: 'Lab error' });
  await edit(said.id, 'nobody');
  expect(await closed.heard()).toEqual([]);
});

it('A14 CHAT-18 whose shift is over is told nothing, whether or not the clock of the roles has run', async () => {
  const leila = await member('Leila');
  const roleId = await makeOnCallRole(server.db, { facilityId: facility.id, name: 'Registrar' });
  const shift = { facilityId: facility.id, roleId, userId: leila.id };
  await makeShift(server.db, {
    ...shift,
    startsAt: new Date(Date.now() - 60_000),
    endsAt: new Date(Date.now() + 60_000),
  });
  await act(owen, 'PUT', `roles/${roleId}`, {});
  await server.runRoles();
  await say('said while on call');
  const over = await listen(leila);
  await say('the last of the shift');
  await sql`update on_call_shifts set ends_at = clock_timestamp() where role_id = ${roleId}`.execute(server.db);
  await say('LEAK-AFTER');
  const heard = (await over.heard()).join();
  expect(heard).toContain('the last of the shift');
  expect(heard).not.toContain('LEAK-AFTER');
});

it('A15 who sees a chat from now on is told nothing of what was said before, whatever becomes of it', async () => {
  const old = await say('LEAK-OLD');
  const cited = await call(mira);
  const bob = await member('Bob');
  await act(owen, 'PUT', `participants/${bob.id}`, { access: 'write', history: 'now' });
  const young = await say('said to all');
  const [late, early] = [await listen(bob, `presence-chat.${chat}`), await listen(mira, `presence-chat.${chat}`)];
  await act(owen, 'PUT', `messages/${old.id}/pin`, { is_pinned: true });
  await act(owen, 'PUT', `messages/${old.id}/reactions/seen`, { is_set: true });
  await edit(old.id, 'LEAK-EDITED');
  await act(owen, 'PUT', `messages/${old.id}/deletion`, { reason: 'LEAK-REASON' });
  await accept(mira, cited.id);
  await edit(young.id, 'said to all, again');
  const heard = await late.heard();
  expect(heard.join()).not.toMatch(/LEAK|K 6\.9/);
  expect(heard.filter((frame) => frame.includes('ChatChanged')).length).toBeGreaterThan(4);
  expect(heard.join()).toContain('said to all, again');
  expect((await early.heard()).join()).toContain('said to all, again');
});
