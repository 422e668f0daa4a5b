import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn } from '#/testing/test-client.ts';
import {
  admin,
  ask,
  browser,
  facility,
  membersOf,
  openDirectory,
  patch,
  person,
  secret,
  server,
  useDirectoryRoom,
  userOf,
} from './testing/directory-room.ts';

useDirectoryRoom();

describe('tokens of a directory', () => {
  it('ACC-4 are made by who manages members after the password, shown once, listed and revoked', async () => {
    const listed = await browser.send('GET', `/api/facilities/${facility.id}/scim-tokens`);
    expect(listed.json().data).toMatchObject([
      { name: 'Directory', created_by: { user_id: admin.id }, last_used_at: null },
    ]);
    expect(listed.payload).not.toContain(secret);
    const { id } = listed.json().data[0];
    // Who works in two facilities sees of each its own.
    const other = await openDirectory();
    await makeMembership(server.db, { userId: admin.id, facility: other.facility, roles: ['facilityAdministrator'] });
    const again = await signedIn(server, admin.id);
    expect((await again.send('GET', `/api/facilities/${facility.id}/scim-tokens`)).json()).toEqual({
      data: [{ ...listed.json().data[0] }],
    });
    expect((await ask('GET', '/Users')).status).toBe(200);
    expect((await browser.send('DELETE', `/api/facilities/${facility.id}/scim-tokens/${id}`)).statusCode).toBe(204);
    expect((await ask('GET', '/Users')).status).toBe(401);
  });

  it('A8 are kept as a hash alone', async () => {
    const rows = await sql<{ row: string }>`select t::text as row from scim_tokens t`.execute(server.db);
    expect(rows.rows.map(({ row }) => row).join()).not.toContain(secret.replace('wardline_scim_', ''));
  });

  it.each([
    ['none', null],
    ['a forged one', `wardline_scim_${'A'.repeat(43)}`],
    ['a token of a person', `wardline_${'A'.repeat(43)}`],
    ['something else', 'x'],
  ])('A9 %s opens nothing, in the shape of SCIM', async (_which, token) => {
    for (const path of ['/Users', '/Groups', '/ServiceProviderConfig', '/Schemas']) {
      const { status, json, headers } = await ask('GET', path, { token });
      expect([path, status]).toEqual([path, 401]);
      expect(json).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
      expect(headers['www-authenticate']).toBe('Bearer');
      expect(headers['content-type']).toContain('application/scim+json');
    }
  });

  it('A9 A30 one has no force once it expired, or its maker may not manage members, has gone or is disabled', async () => {
    const { db } = server;
    const token = db.updateTable('scim_tokens').where('facility_id', '=', facility.id);
    await token.set({ expires_at: new Date(Date.now() - 1) }).execute();
    expect((await ask('GET', '/Users')).status).toBe(401);
    await token.set({ expires_at: new Date(Date.now() + 60_000) }).execute();
    expect((await ask('GET', '/Users')).status).toBe(200);
    await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', admin.id).execute();
    expect((await ask('GET', '/Users')).status).toBe(401);
    await db.updateTable('users').set({ disabled_at: null }).where('id', '=', admin.id).execute();
    await db.deleteFrom('membership_roles').where('facility_id', '=', facility.id).execute();
    expect((await ask('GET', '/Users')).status).toBe(401);
  });

  it('ADM-2 A9 one has no force while its facility is closed, and nobody joins or leaves by it', async () => {
    const { id } = await userOf();
    const known = await membersOf();
    const operator = await signedIn(server, (await makeUser(server.db, { isOperator: true })).id);
    const url = `/api/system/facilities/${facility.id}/deactivation`;
    const { name } = await server.db
      .selectFrom('facilities')
      .select('name')
      .where('id', '=', facility.id)
      .executeTakeFirstOrThrow();
    expect((await operator.send('POST', url, { body: { name } })).statusCode).toBe(200);
    const asked = [
      await ask('GET', '/Users'),
      await ask('POST', '/Users', { body: person() }),
      await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: false }) }),
      await ask('DELETE', `/Users/${id}`),
      await ask('GET', '/Groups'),
    ];
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(await membersOf()).toEqual(known);
    expect((await operator.send('DELETE', url)).statusCode).toBe(200);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({ id, active: true });
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await membersOf()).toHaveLength(known.length - 1);
  });

  it('A16 neither opens the API, nor does a token of the API open SCIM', async () => {
    const answer = await server.app.inject({ url: '/api/user', headers: { authorization: `Bearer ${secret}` } });
    expect(answer.statusCode).toBe(401);
  });
});
