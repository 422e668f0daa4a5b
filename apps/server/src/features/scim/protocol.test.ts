import { describe, expect, it } from 'vitest';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import {
  ask,
  browser,
  facility,
  openDirectory,
  patch,
  person,
  secret,
  server,
  USER,
  useDirectoryRoom,
  userOf,
} from './testing/directory-room.ts';

useDirectoryRoom();

describe('another facility', () => {
  it('A16 A29 is nothing that a token knows of, by id, filter, group or member', async () => {
    const other = await openDirectory();
    const stranger = await makeUser(server.db, { name: 'Sam Stranger' });
    await makeMembership(server.db, { userId: stranger.id, facility: other.facility, roles: ['clinician'] });
    const role = other.facility.roles.clinician;
    const body = patch({ op: 'replace', path: 'active', value: false });
    for (const [method, path, sent] of [
      ['GET', `/Users/${stranger.id}`],
      ['PATCH', `/Users/${stranger.id}`, body],
      ['PUT', `/Users/${stranger.id}`, person()],
      ['DELETE', `/Users/${stranger.id}`],
      ['GET', `/Groups/${role}`],
      ['PATCH', `/Groups/${role}`, patch({ op: 'remove', path: 'members' })],
      ['PUT', `/Groups/${role}`, { members: [] }],
    ] as const) {
      const foreign = await ask(method, path, { body: sent });
      const none = await ask(method, path.replace(/[^/]+$/, crypto.randomUUID()), { body: sent });
      expect([method, path, foreign.status, foreign.json]).toEqual([method, path, 404, none.json]);
    }
    const { json } = await ask('GET', '/Users?count=200');
    expect(JSON.stringify(json)).not.toContain(stranger.id);
    for (const filter of [
      `userName eq "${stranger.email}"`,
      `id eq "${stranger.id}"`,
      `emails eq "${stranger.email}"`,
    ]) {
      expect((await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json.totalResults).toBe(0);
    }
    const mine = facility.roles.clinician;
    const add = (value: string) =>
      ask('PATCH', `/Groups/${mine}`, { body: patch({ op: 'add', path: 'members', value: [{ value }] }) });
    expect((await add(stranger.id)).json).toEqual((await add(crypto.randomUUID())).json);
    const asked = await browser.send(
      'DELETE',
      `/api/facilities/${facility.id}/scim-tokens/${await tokenIdOf(other.facility.id)}`,
    );
    expect(asked.statusCode).toBe(404);
  });
});

async function tokenIdOf(facilityId: string): Promise<string> {
  const found = server.db.selectFrom('scim_tokens').select('id').where('facility_id', '=', facilityId);
  return (await found.executeTakeFirstOrThrow()).id;
}

describe('the protocol', () => {
  it('ACC-4 says what it takes, in types and schemas', async () => {
    const config = await ask('GET', '/ServiceProviderConfig');
    expect(config.json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: true },
    });
    expect((await ask('GET', '/ResourceTypes')).json.Resources.map(({ id }: { id: string }) => id)).toEqual([
      'User',
      'Group',
    ]);
    expect((await ask('GET', '/ResourceTypes/User')).json).toMatchObject({ endpoint: '/Users', schema: USER });
    expect((await ask('GET', `/Schemas/${USER}`)).json.attributes.map(({ name }: { name: string }) => name)).toContain(
      'userName',
    );
    expect((await ask('GET', '/Schemas/none')).status).toBe(404);
  });

  it('ACC-4 gives pages from startIndex, each person once', async () => {
    for (let made = 0; made < 6; made++) await userOf();
    const ids: string[] = [];
    for (let startIndex = 1; startIndex <= 7; startIndex += 3) {
      const { json } = await ask('GET', `/Users?startIndex=${startIndex}&count=3`);
      expect(json).toMatchObject({ totalResults: 7, startIndex });
      ids.push(...json.Resources.map(({ id }: { id: string }) => id));
    }
    expect(new Set(ids).size).toBe(7);
    expect((await ask('GET', '/Users?count=0')).json).toMatchObject({
      totalResults: 7,
      itemsPerPage: 0,
      Resources: [],
    });
    expect((await ask('GET', '/Users?startIndex=-4&count=-1')).json).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
    expect((await ask('GET', '/Users?startIndex=x')).status).toBe(400);
  });

  it.each([
    'userName sw "a"',
    'userName eq',
    'password eq "x"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '"',
  ])('ACC-4 a filter that it does not take is refused: %s', async (filter) => {
    const { status, json } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, json.scimType]).toEqual([400, 'invalidFilter']);
  });

  it('ACC-4 a change that expects another version is refused, and an unchanged person is not sent again', async () => {
    const { id, meta } = await userOf();
    const url = `/Users/${id}`;
    expect((await ask('GET', url, { headers: { 'if-none-match': meta.version } })).status).toBe(304);
    const rename = patch({ op: 'replace', path: 'displayName', value: 'Robin' });
    const changed = await ask('PATCH', url, { body: rename, headers: { 'if-match': meta.version } });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(meta.version);
    expect((await ask('DELETE', url, { headers: { 'if-match': meta.version } })).status).toBe(412);
  });

  it('ACC-4 a change of a group that expects other members than it has is refused, and takes nobody', async () => {
    const { clinician } = facility.roles;
    const url = `/Groups/${clinician}`;
    const [first, second] = [await userOf(), await userOf()];
    const add = (id: string) => patch({ op: 'add', path: 'members', value: [{ value: id }] });
    const { version } = (await ask('GET', url)).json.meta;
    expect((await ask('PATCH', url, { body: add(first.id), headers: { 'if-match': version } })).status).toBe(200);
    const emptied = { ...(await ask('GET', url)).json, members: [] };
    for (const [method, body] of [
      ['PATCH', add(second.id)],
      ['PUT', emptied],
    ] as const) {
      expect((await ask(method, url, { body, headers: { 'if-match': version } })).status).toBe(412);
    }
    expect((await ask('GET', `/Users/${first.id}`)).json.groups).toHaveLength(1);
    expect((await ask('GET', `/Users/${second.id}`)).json.groups).toEqual([]);
  });

  it.each([
    [{ Operations: [] }],
    [patch({ op: 'move', path: 'active', value: true })],
    [patch({ op: { toString: 1 }, path: 'active', value: true })],
    [patch({ op: 'replace', path: 'active' })],
    [patch({ op: 'replace', path: 'a b', value: 1 })],
    [patch({ op: 'remove', path: 'userName' })],
    [patch({ op: 'remove' })],
    [patch({ op: 'replace', value: 'x' })],
    [patch(...Array.from({ length: 201 }, () => ({ op: 'replace', path: 'active', value: true })))],
    [{}],
    [[]],
  ])('ACC-4 a PATCH that cannot be read changes nothing (%#)', async (body) => {
    const { id, meta } = await userOf();
    expect((await ask('PATCH', `/Users/${id}`, { body })).status).toBe(400);
    expect((await ask('GET', `/Users/${id}`)).json.meta.version).toBe(meta.version);
  });

  it('ACC-4 takes no other body than JSON, and no broken one', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await ask('POST', '/Users', { body: person(), headers })).status).toBe(415);
    const broken = await server.app.inject({
      ...{ method: 'POST', url: '/scim/v2/Users', payload: '{' },
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
    });
    expect([broken.statusCode, broken.json().scimType]).toEqual([400, 'invalidSyntax']);
  });
});
