import { utimes } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiskStore } from '#/platform/files/file-store.ts';
import { plainPng } from '#/platform/images/testing/pictures.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { multipart } from '#/testing/multipart.ts';
import { ACTORS, type ActorName, clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { signedIn, type TestClient } from '#/testing/test-client.ts';
import { avatarFile, newAvatarKey, removeStrayAvatars } from './avatars.ts';

/** Who gets the picture of somebody in our facility. */
const TABLE: Readonly<Record<ActorName, number>> = {
  'signed out': 401,
  'of another facility': 404,
  operator: 404,
  'former member': 404,
  'member without right': 200,
  'reader of the chat': 200,
  'with the right': 200,
  'bearer with the right': 200,
};

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.server.close());

async function uploadAs(client: TestClient): Promise<string> {
  const form = multipart([{ name: 'avatar', value: plainPng(64, 64), filename: 'me.png' }]);
  return (await client.send('PUT', '/api/user/avatar', form)).json().avatar_url;
}

/** The picture itself, and every way to it through the proxy. */
const waysTo = (url: string) => [url, `/_img/_${url}`, `/_img/w_96&f_webp&q_80${url}`, `/_img/s_48x48%26f_png${url}`];

describe('the picture of somebody', () => {
  it.each(ACTORS)('A19 A16 I1 is given to the people of their facilities alone: %s', async (actor) => {
    const url = await uploadAs(await clientOf(world, 'reader of the chat'));
    // What is in the cache of the proxy is asked for as well.
    const member = await clientOf(world, 'member without right');
    for (const way of waysTo(url)) expect((await member.send('GET', way)).statusCode).toBe(200);
    const client = await clientOf(world, actor);
    for (const way of waysTo(url)) {
      const response = await client.send('GET', way);
      expect(response.statusCode, way).toBe(TABLE[actor]);
      if (response.statusCode === 404) expect(response.json()).toEqual({ message: 'Not found.', code: 'not_found' });
    }
  });

  it('A19 is given to its owner also without a facility', async () => {
    const owner = await signedIn(world.server, (await makeUser(world.server.db)).id);
    for (const way of waysTo(await uploadAs(owner))) expect((await owner.send('GET', way)).statusCode).toBe(200);
  });

  it('A19 A9 is given no longer when the shared membership has ended, or the session', async () => {
    const { db } = world.server;
    const facility = await makeFacility(db);
    const [owner, other] = [await makeUser(db), await makeUser(db)];
    await makeMembership(db, { userId: owner.id, facility });
    await makeMembership(db, { userId: other.id, facility });
    const url = await uploadAs(await signedIn(world.server, owner.id));
    const client = await signedIn(world.server, other.id);
    for (const way of waysTo(url)) expect((await client.send('GET', way)).statusCode).toBe(200);
    await db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', owner.id).execute();
    for (const way of waysTo(url)) expect((await client.send('GET', way)).statusCode).toBe(404);
    await db.deleteFrom('sessions').where('user_id', '=', other.id).execute();
    const fresh = await signedIn(world.server, other.id);
    await db.updateTable('memberships').set({ ended_at: null }).where('user_id', '=', owner.id).execute();
    for (const way of waysTo(url)) expect((await fresh.send('GET', way)).statusCode).toBe(200);
    await fresh.send('POST', '/logout');
    for (const way of waysTo(url)) expect((await fresh.send('GET', way)).statusCode).toBe(401);
  });

  it('A19 is not found by an altered key, and a file beside it not at all', async () => {
    const client = await clientOf(world, 'with the right');
    const url = await uploadAs(client);
    const key = url.split('/').at(-1) ?? '';
    const last = key.endsWith('A') ? 'B' : 'A';
    const altered = [
      `${key.slice(0, -1)}${last}`,
      `${key}.webp`,
      `${key.slice(0, 2)}/${key}`,
      key.slice(1),
      '..',
      `${key}%00`,
    ];
    for (const wrong of altered) {
      for (const way of waysTo(`/storage/avatars/${wrong}`)) {
        expect([400, 404], way).toContain((await client.send('GET', way)).statusCode);
      }
    }
  });

  it('IMG-1 comes in the size that was asked for, with an ETag, and not enlarged', async () => {
    const client = await clientOf(world, 'with the right');
    const url = await uploadAs(client);
    const small = await client.send('GET', `/_img/s_96x96&f_webp${url}`);
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 96, height: 96 });
    const large = await client.send('GET', `/_img/s_1536x1536&f_jpeg${url}`);
    expect(await sharp(large.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
    for (const way of [url, `/_img/s_96x96&f_webp${url}`]) {
      const { headers } = await client.send('GET', way);
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'private, max-age=300',
        'content-disposition': 'inline',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
      const again = await client.send('GET', way, { headers: { 'if-none-match': String(headers['etag']) } });
      expect([again.statusCode, again.payload]).toEqual([304, '']);
    }
  });
});

describe('stored pictures that nobody has', () => {
  it('ACC-5 are removed a day after they were written, and those that somebody has are kept', async () => {
    const { server } = world;
    const files = createDiskStore(server.filesRoot);
    const url = await uploadAs(await clientOf(world, 'with the right'));
    const used = url.split('/').at(-1) ?? '';
    const [old, young] = [newAvatarKey(), newAvatarKey()];
    for (const key of [old, young]) await files.put(avatarFile(key), Buffer.from('x'));
    const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3_600_000);
    for (const key of [old, used]) await utimes(path.join(server.filesRoot, avatarFile(key)), twoDaysAgo, twoDaysAgo);
    await removeStrayAvatars({ db: server.db, files });
    const left = await Promise.all([used, young, old].map((key) => files.get(avatarFile(key))));
    expect(left.map((bytes) => bytes !== null)).toEqual([true, true, false]);
  });
});
