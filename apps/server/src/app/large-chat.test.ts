import { channelName } from '@wardline/contract/channel.ts';
import { chatChannel, privateChatChannel } from '@wardline/contract/chat/chat.ts';
import { v7 as newId } from 'uuid';
import { expect, test } from 'vitest';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { isNightly } from '#/testing/nightly.ts';
import { signedIn } from '#/testing/test-client.ts';
import { startTestServer } from '#/testing/test-server.ts';
import { openSocket, type TestSocket } from '#/testing/test-socket.ts';

const MEMBERS = isNightly ? 1_000 : 120;
const MESSAGES = isNightly ? 200 : 30;
const IN_PRESENCE = 100;

test('F-U1 each person of a large chat gets every message, past the presence limit too', {
  timeout: 300_000,
}, async () => {
  const server = await startTestServer({ looksAfterSockets: false });
  const sockets: TestSocket[] = [];
  try {
    const facility = await makeFacility(server.db);
    const users = [];
    for (let count = 0; count < MEMBERS; count += 1) {
      const user = await makeUser(server.db, { name: `Person ${count}` });
      await makeMembership(server.db, { userId: user.id, facility });
      users.push(user);
    }
    const chat = await makeChat(server.db, {
      facilityId: facility.id,
      participants: users.map(({ id }) => ({ userId: id })),
    });
    const answers = [];
    for (const { id } of users) {
      const client = await signedIn(server, id);
      const socket = await openSocket(server);
      sockets.push(socket);
      const answer = await socket.join(client, channelName(chatChannel, chat.id));
      answers.push(answer);
      if (answer !== 'joined')
        expect(await socket.join(client, channelName(privateChatChannel, chat.id))).toBe('joined');
    }
    expect(answers.filter((answer) => answer === 'joined')).toHaveLength(IN_PRESENCE);
    expect(new Set(answers.slice(IN_PRESENCE))).toEqual(new Set([4004]));

    const writer = await signedIn(server, users[0]?.id ?? '');
    const bodies = Array.from({ length: MESSAGES }, (_, index) => `Message ${index}`);
    for (const body of bodies) {
      const { statusCode } = await writer.send('POST', `/api/chats/${chat.id}/messages`, {
        body: { client_id: newId(), body },
      });
      expect(statusCode).toBe(201);
    }
    for (const socket of sockets) {
      await socket.settle();
      expect(bodiesOf(socket)).toEqual(bodies);
    }
  } finally {
    for (const socket of sockets) socket.close();
    await server.close();
  }
});

function bodiesOf({ frames }: TestSocket): string[] {
  return frames
    .filter(({ event }) => event === 'App\\Events\\MessageSent')
    .map(({ data }) => (data as { message: { body: string } }).message.body);
}
