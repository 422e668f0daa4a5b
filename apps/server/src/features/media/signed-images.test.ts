import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { plainPng } from '#/platform/images/testing/pictures.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser, TEST_PASSWORD, testPasswordHash } from '#/testing/factories/users.ts';
import { multipart } from '#/testing/multipart.ts';
import { ACTORS, clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { guest, guestWithCookies, signedIn, type TestClient, withToken } from '#/testing/test-client.ts';
import { TEST_APP_KEY } from '#/testing/test-server.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.server.close());
afterEach(() => void vi.useRealTimers());

async function uploadAs(client: TestClient): Promise<string> {
  const form = multipart([{ name: 'avatar', value: plainPng(64, 64), filename: 'me.png' }]);
  return `/_img/f_webp&q_80&fit_cover&s_48x48${(await client.send('PUT', '/api/user/avatar', form)).json().avatar_url}`;
}

async function sign(client: TestClient, ...addresses: string[]): Promise<(string | null)[]> {
  const answer = await client.send('POST', '/api/image-addresses', { body: { addresses } });
  expect(answer.statusCode).toBe(200);
  return answer.json().addresses;
}

/** What a picture of a page is asked with: no cookie, no token. */
const look = async (address: string | null | undefined) => guest(world.server).send('GET', address ?? 'none');

/** Somebody with a bearer token, who shares a facility with somebody who has a picture. */
async function makeTwo() {
  const { server } = world;
  const facility = await makeFacility(server.db);
  const passwordHash = await testPasswordHash(TEST_APP_KEY);
  const [owner, other] = [await makeUser(server.db), await makeUser(server.db, { passwordHash })];
  for (const { id: userId } of [owner, other]) await makeMembership(server.db, { userId, facility });
  const body = { email: other.email, password: TEST_PASSWORD, device_name: 'Ward tablet' };
  const { token } = (await (await guestWithCookies(server)).send('POST', '/api/tokens', { body })).json();
  const address = await uploadAs(await signedIn(server, owner.id));
  return { owner, other, token: String(token), client: withToken(server, token), address };
}

describe('a signed address of a picture', () => {
  it('F-C3 A19 shows it without a cookie or token, and says nothing of either', async () => {
    const { token, other, client, address } = await makeTwo();
    expect((await look(address)).statusCode).toBe(401);
    const [signed] = await sign(client, address);
    const response = await look(signed);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(response.headers).toMatchObject({
      'cache-control': 'private, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers['set-cookie']).toBeUndefined();
    for (const secret of [token, token.split('|').at(-1) ?? token, other.email, other.id])
      expect(signed).not.toContain(secret);
    // What names the holder opens nothing else.
    const holder = /holder=(\w+)/.exec(signed ?? '')?.[1] ?? '';
    expect((await withToken(world.server, holder).send('GET', '/api/user')).statusCode).toBe(401);
  });

  it('F-C3 A19 is of one source, one size, one holder and one minute', async () => {
    const { client, address } = await makeTwo();
    const another = await uploadAs(client);
    const [signed = '', signedOther] = await sign(client, address, another);
    const [path = '', query = ''] = (signed ?? '').split('?');
    const [, otherQuery] = (signedOther ?? '').split('?');
    const later = query.replace(/expires=(\d+)/, (_all, seconds) => `expires=${Number(seconds) + 60}`);
    const altered = [
      `${path.replace('s_48x48', 's_96x96')}?${query}`,
      `${path.replace('&q_80', '')}?${query}`,
      `${another}?${query}`,
      `${path}?${otherQuery}`,
      `${path}?${later}`,
      `${path}?${query.replace(/holder=./, (start) => (start.endsWith('a') ? 'holder=b' : 'holder=a'))}`,
      `${path}?${query.slice(0, -1)}${query.endsWith('A') ? 'B' : 'A'}`,
    ];
    for (const wrong of altered) {
      const response = await look(wrong);
      expect([response.statusCode, response.json()], wrong).toEqual([
        403,
        { message: 'Invalid signature.', code: 'forbidden' },
      ]);
    }
    for (const odd of [
      `${query}&x=1`,
      query.replace('&expires', '&Expires'),
      `x=1&${query}`,
      query.slice(0, -2),
      '?',
    ]) {
      expect((await look(`${path}?${odd}`)).statusCode, odd).toBe(400);
    }
    expect((await look(signed)).statusCode).toBe(200);
    const endsAtMs = Number(/expires=(\d+)/.exec(query)?.[1]) * 1000;
    expect(endsAtMs - Date.now()).toBeLessThanOrEqual(60_000);
    vi.useFakeTimers({ toFake: ['Date'], now: endsAtMs - 1 });
    expect((await look(signed)).statusCode).toBe(200);
    vi.setSystemTime(endsAtMs);
    expect((await look(signed)).statusCode).toBe(403);
  });

  it('F-C3 A9 I2 ends with the token for which it was signed', async () => {
    const { client, address } = await makeTwo();
    const [signed] = await sign(client, address);
    expect((await look(signed)).statusCode).toBe(200);
    await client.send('POST', '/logout');
    const response = await look(signed);
    expect([response.statusCode, response.payload]).toEqual([401, expect.stringContaining('Unauthenticated.')]);
  });

  it('F-C3 I1 A19 ends with the right to see the picture', async () => {
    const { owner, client, address } = await makeTwo();
    const [signed] = await sign(client, address);
    expect((await look(signed)).statusCode).toBe(200);
    const ended = { ended_at: new Date() };
    await world.server.db.updateTable('memberships').set(ended).where('user_id', '=', owner.id).execute();
    expect((await look(signed)).statusCode).toBe(404);
    expect(await sign(client, address)).toEqual([null]);
  });

  it('F-C3 counts alone, whatever cookie comes along', async () => {
    const { owner, client, address } = await makeTwo();
    const [signed] = await sign(client, address);
    await client.send('POST', '/logout');
    const asOwner = await signedIn(world.server, owner.id);
    expect((await asOwner.send('GET', address)).statusCode).toBe(200);
    expect((await asOwner.send('GET', signed ?? '')).statusCode).toBe(401);
  });
});

describe('signing addresses of pictures', () => {
  it.each(ACTORS.filter((actor) => actor !== 'signed out'))(
    'F-C3 A16 gives %s none of what they would be refused themselves',
    async (actor) => {
      const address = await uploadAs(await clientOf(world, 'reader of the chat'));
      const client = await clientOf(world, actor);
      const asked = await client.send('GET', address);
      const [signed] = await sign(client, address);
      expect(signed !== null).toBe(asked.statusCode === 200);
    },
  );

  it('F-C3 answers in the order of the request, null for what is no picture of ours, and at most 100', async () => {
    const { client, address } = await makeTwo();
    const odd = [
      'https://evil.example/a.png',
      '/api/user',
      '/_img/',
      '/_img/w_65/storage/a.png',
      `/_img/w_64${address.slice(address.indexOf('/storage'))}x`,
      `${address}?x=1`,
      '/_img/w_64/storage/../a.png',
      '',
    ];
    const signed = await sign(client, ...odd, address);
    expect(signed).toEqual([...odd.map(() => null), expect.stringContaining(`${address}?holder=`)]);
    const tooMany = { addresses: Array.from({ length: 101 }, () => address) };
    expect((await client.send('POST', '/api/image-addresses', { body: tooMany })).statusCode).toBe(422);
  });
});
