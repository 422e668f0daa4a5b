import { ABILITIES, type Ability } from '@wardline/contract/account/personal-tokens.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINT_ABILITIES, requireAbility } from '#/platform/http/authorization/token-abilities.ts';
import { makePersonalToken } from '#/testing/factories/users.ts';
import { payloadOf, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { auditOf, newAddress, withToken } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.server.close());

async function bearerOf(...abilities: string[]) {
  const { token } = await makePersonalToken(world.server.db, { userId: world.ours.entitled.id, abilities });
  return withToken(world.server, token);
}

const byName = (name: string): AnyEndpoint | undefined => endpoints.find((endpoint) => endpoint.name === name);

/** Every endpoint of the contract, whether the list names it for this ability or not. */
const takenBy = (ability: Ability) => endpoints.filter(({ name }) => ENDPOINT_ABILITIES[name]?.includes(ability));
const refusedTo = (ability: Ability) => endpoints.filter((endpoint) => !takenBy(ability).includes(endpoint));

describe.each(ABILITIES)('a token with %s, whose person has every right', (ability) => {
  it.each(takenBy(ability).map((endpoint) => [endpoint.name, endpoint] as const))(
    'ACC-5 PERM-3 is let in to %s',
    async (name, endpoint) => {
      const sample = await sampleOf(world, endpoint);
      const client = await bearerOf(ability);
      const response = await client.send(endpoint.method, urlOf(endpoint, sample), payloadOf(endpoint, sample));
      // What channel is asked for decides as well; see below.
      const answered = name === 'authorizeChannel' && ability === 'census:read' ? 403 : endpoint.status;
      expect(response.statusCode, response.payload).toBe(answered);
    },
  );

  it('ACC-5 A16 PERM-3 gets nothing of all others, whatever it asks for', async () => {
    const client = await bearerOf(ability);
    const answers: Record<string, unknown> = {};
    for (const { name, method, path } of refusedTo(ability)) {
      const url = path.replaceAll(/\{\w+\}/g, world.ours.facility.id);
      const { statusCode, payload, headers } = await client.send(method, url, { ip: newAddress() });
      answers[name] = [statusCode, payload, headers['set-cookie']];
    }
    const refusal = JSON.stringify({ message: 'This token may not be used for this.', code: 'forbidden' });
    expect(answers).toEqual(
      Object.fromEntries(refusedTo(ability).map(({ name }) => [name, [403, refusal, undefined]])),
    );
  });
});

describe('the list', () => {
  it('ACC-5 names endpoints of the contract, and only abilities that there are', () => {
    expect(Object.keys(ENDPOINT_ABILITIES).filter((name) => byName(name) === undefined)).toEqual([]);
    expect(
      Object.values(ENDPOINT_ABILITIES)
        .flat()
        .filter((ability) => !ABILITIES.includes(ability as never)),
    ).toEqual([]);
  });

  it('ACC-5 has nothing that asks for the password, and no other write than these', () => {
    const named = Object.keys(ENDPOINT_ABILITIES).flatMap((name) => byName(name) ?? []);
    expect(named.filter(({ asksPassword }) => asksPassword)).toEqual([]);
    expect(named.filter(({ access }) => access === 'public')).toEqual([]);
    const writes = named.filter(({ method }) => method !== 'GET').map(({ name }) => name);
    expect(writes.sort()).toEqual([
      ...['appendUpload', 'authorizeChannel', 'cancelUpload', 'createDirectUpload', 'createUpload'],
      ...['putNursingHours', 'putUnitDay'],
      ...['receiveHl7', 'sendDirectMessage', 'sendMessage', 'signAttachments', 'signImages', 'submitUnitDay'],
      ...['takeSnapshot', 'withdrawUnitDay'],
    ]);
  });

  it('ACC-5 PERM-3 gives an endpoint that it does not name to every ability at once, and to no single one', () => {
    const added = { ...(byName('listChats') as AnyEndpoint), name: 'addedLater' };
    const asWith = (abilities: readonly string[]) => () =>
      requireAbility(added, { credential: { kind: 'token', key: '', abilities } });
    expect(asWith(ABILITIES)).toThrow('This token may not be used for this.');
    expect(asWith(['*'])).not.toThrow();
  });
});

it('ACC-5 what was refused to a token stands in the audit', async () => {
  const client = await bearerOf('census:read');
  const { ours, server } = world;
  await client.send('DELETE', `/api/facilities/${ours.facility.id}/members/${ours.member.id}`);
  await expect
    .poll(async () => (await auditOf(server, 'authorisation.refused', ours.entitled.id)).map(({ detail }) => detail))
    .toContainEqual({ endpoint: 'removeMember' });
});

describe('sockets', () => {
  const join = async (ability: string) => {
    const { ours, server } = world;
    const [client, socket] = [await bearerOf(ability), await openSocket(server)];
    const joined: Record<string, unknown> = {};
    for (const channel of [
      `presence-chat.${ours.chatId}`,
      `private-App.Models.User.${ours.entitled.id}`,
      `private-census.${ours.facility.id}`,
      `private-facility.${ours.facility.id}`,
    ]) {
      joined[channel.replace(/\.[^.]*$/, '')] = await socket.join(client, channel);
    }
    return { joined, socket };
  };

  it.each([
    ['chats:read', ['joined', 'joined', 403, 403]],
    ['census:read', [403, 403, 'joined', 403]],
    ['messages:send', [403, 403, 403, 403]],
    ['account:read', [403, 403, 403, 403]],
  ])('ACC-5 A18 %s lets into these channels and no others', async (ability, verdicts) => {
    const { joined, socket } = await join(ability);
    expect(Object.values(joined)).toEqual(verdicts);
    socket.close();
  });

  it('ACC-5 A18 without reading chats nothing of a message is heard', async () => {
    const { ours } = world;
    const [reading, counting] = [await join('chats:read'), await join('census:read')];
    const body = { client_id: crypto.randomUUID(), body: `News ${ours.marker}` };
    const writer = await bearerOf('messages:send');
    expect((await writer.send('POST', `/api/chats/${ours.chatId}/messages`, { body })).statusCode).toBe(201);
    await reading.socket.next(({ event }) => event.endsWith('MessageSent'));
    await counting.socket.settle();
    expect(JSON.stringify(counting.socket.frames)).not.toContain(ours.chatId);
    for (const { socket } of [reading, counting]) socket.close();
  });
});

describe('files and pictures', () => {
  it('ACC-5 A19 are given by their addresses to a token that reads chats, signed ones too', async () => {
    const { ours, server } = world;
    const { id } = await server.db
      .selectFrom('attachments')
      .select('id')
      .where('chat_id', '=', ours.chatId)
      .where('state', '=', 'ready')
      .executeTakeFirstOrThrow();
    const path = `/storage/attachments/${id}/file`;
    const status = async (ability: string) => (await (await bearerOf(ability)).send('GET', path)).statusCode;
    // The row has no file behind it: whoever may ask is told so.
    expect(await status('chats:read')).toBe(404);
    for (const ability of ['account:read', 'census:read', 'messages:send']) expect(await status(ability)).toBe(403);
    const avatar = await (await bearerOf('census:read')).send('GET', '/storage/avatars/none');
    expect(avatar.statusCode).toBe(403);
  });
});
