import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

let server: TestServer;
let facility: MadeFacility;
let person: MadeUser;
let stranger: MadeUser;
let chatId: string;
let asPerson: TestClient;
let asStranger: TestClient;

beforeAll(async () => {
  server = await startTestServer({ looksAfterSockets: false });
  const { db } = server;
  facility = await makeFacility(db);
  [person, stranger] = [await makeUser(db, { name: 'Nia Okafor' }), await makeUser(db)];
  await makeMembership(db, { userId: person.id, facility, title: 'Charge nurse' });
  await makeMembership(db, { userId: stranger.id, facility: await makeFacility(db) });
  chatId = (await makeChat(db, { facilityId: facility.id, participants: [{ userId: person.id }] })).id;
  [asPerson, asStranger] = [await signedIn(server, person.id), await signedIn(server, stranger.id)];
});
afterAll(() => server.close());

const ask = (client: TestClient, body: unknown, headers = {}) =>
  client.send('POST', '/broadcasting/auth', { body, headers });

describe('authorising a channel', () => {
  it('RTA-1 signs the socket in to the own channel, the facility and a chat, in JSON and as a form', async () => {
    const socket = await openSocket(server);
    const channels = [
      `private-App.Models.User.${person.id}`,
      `private-facility.${facility.id}`,
      `presence-chat.${chatId}`,
    ];
    for (const channel of channels) expect(await socket.join(asPerson, channel)).toBe('joined');
    const form = new URLSearchParams({ socket_id: socket.id, channel_name: channels[0] ?? '' }).toString();
    const asForm = await ask(asPerson, form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(asForm.statusCode).toBe(200);
    expect(asForm.json()).toEqual({ auth: expect.stringMatching(/^wardline:[0-9a-f]{64}$/) });
    socket.close();
  });

  it('RTA-1 a presence channel tells the name and title of the member and nothing else', async () => {
    const socket = await openSocket(server);
    const answer = await ask(asPerson, { socket_id: socket.id, channel_name: `presence-chat.${chatId}` });
    expect(JSON.parse(answer.json().channel_data)).toEqual({
      user_id: person.id,
      user_info: { name: 'Nia Okafor', title: 'Charge nurse' },
    });
    socket.close();
  });

  it('A13 refuses the channels of others, of other facilities, of nothing, and every odd name', async () => {
    const socket = await openSocket(server);
    const names = [
      `private-App.Models.User.${person.id}`,
      `private-facility.${facility.id}`,
      `presence-chat.${chatId}`,
      `private-chat.${chatId}`,
      `presence-App.Models.User.${stranger.id}`,
      `private-App.Models.User.${stranger.id.toUpperCase()}`,
      `private-App.Models.User.${stranger.id}.x`,
      `private-encrypted-App.Models.User.${stranger.id}`,
      `private-cache-App.Models.User.${stranger.id}`,
      `App.Models.User.${stranger.id}`,
      `#server-to-user-${stranger.id}`,
      `private-facility.${newId()}`,
      'private-facility.*',
      'private-facility.',
      'private-',
      'presence-chat.%',
      "private-facility.' or 1=1",
      'private-facility.\u0000',
    ];
    for (const channel_name of names) {
      const answer = await ask(asStranger, { socket_id: socket.id, channel_name });
      expect(answer.statusCode, channel_name).toBe(403);
      expect(answer.json()).toEqual({ message: 'This action is unauthorized.', code: 'forbidden' });
    }
    socket.close();
  });

  it('A13 refuses a socket that another session has; one that is gone is no refusal of the person', async () => {
    const own = `private-App.Models.User.${person.id}`;
    expect((await ask(asPerson, { socket_id: '1.1', channel_name: own })).statusCode).toBe(409);
    const socket = await openSocket(server);
    expect(await socket.join(asPerson, own)).toBe('joined');
    const theirs = `private-App.Models.User.${stranger.id}`;
    expect((await ask(asStranger, { socket_id: socket.id, channel_name: theirs })).statusCode).toBe(403);
    const sameInAnotherSession = await signedIn(server, person.id);
    expect((await ask(sameInAnotherSession, { socket_id: socket.id, channel_name: own })).statusCode).toBe(403);
    socket.close();
  });

  it('RTA-1 signs the person in on a socket, with a string id', async () => {
    const socket = await openSocket(server);
    const answer = await asPerson.send('POST', '/broadcasting/user-auth', { body: { socket_id: socket.id } });
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(answer.json().user_data)).toEqual({ id: person.id, user_info: { name: 'Nia Okafor' } });
    expect(answer.json().auth).toMatch(/^wardline:[0-9a-f]{64}$/);
    const other = await asStranger.send('POST', '/broadcasting/user-auth', { body: { socket_id: socket.id } });
    expect(other.statusCode).toBe(403);
    socket.close();
  });

  it('A10 closes the sockets of a session with 4009 when it signs out, and leaves those of the other', async () => {
    const [first, second] = [await signedIn(server, person.id), await signedIn(server, person.id)];
    const [socket, other] = [await openSocket(server), await openSocket(server)];
    const own = `private-App.Models.User.${person.id}`;
    expect(await socket.join(first, own)).toBe('joined');
    expect(await other.join(second, own)).toBe('joined');
    await first.send('POST', '/logout');
    expect(await socket.closed).toBe(4009);
    await other.settle();
    other.close();
  });
});
