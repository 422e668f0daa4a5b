import { describe, expect, it } from 'vitest';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import {
  admin,
  ask,
  auditActions,
  browser,
  facility,
  membersOf,
  newAddress,
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

describe('joiners', () => {
  it('ACC-4 are made with an account of their own by a POST, told by mail, and found by all the ways that directories look', async () => {
    const email = newAddress();
    const made = await ask('POST', '/Users', { body: person(email, { externalId: 'e-1', active: true }) });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(made.json.meta.location);
    expect(made.json).toMatchObject({
      ...{ schemas: [USER], userName: email, externalId: 'e-1', active: true, groups: [] },
      name: { givenName: 'Kim', familyName: 'Park' },
      emails: [{ value: email, primary: true }],
    });
    expect((await membersOf()).map(({ user_id }) => user_id)).toContain(made.json.id);
    for (const filter of [
      `userName eq "${email}"`,
      `username EQ "${email.toUpperCase()}"`,
      'externalId eq "e-1"',
      `emails eq "${email}"`,
      `emails[type eq "work"].value eq "${email}"`,
      `${USER}:userName eq "${email}"`,
    ]) {
      const { json } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect([filter, json.totalResults, json.Resources[0]?.id]).toEqual([filter, 1, made.json.id]);
    }
    await server.runJobs();
    const mail = server.mails.findLast(({ to }) => to === email);
    expect(mail?.text).toContain('/forgot-password');
  });

  it('ACC-4 ADM-3 what a directory and its token do is one entry each, by the token that did it; no change is none', async () => {
    const [token] = (await browser.send('GET', `/api/facilities/${facility.id}/scim-tokens`)).json().data;
    const { id } = await userOf({ externalId: 'e-7' });
    const change = (path: string, value: unknown) =>
      ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path, value }) });
    for (const value of ['Kim Lee', 'Kim Lee']) await change('displayName', value);
    const members = { op: 'add', path: 'members', value: [{ value: id }] };
    for (let turn = 0; turn < 2; turn++) {
      await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: patch(members) });
    }
    await change('active', false);
    await ask('DELETE', `/Users/${id}`);
    await browser.send('DELETE', `/api/facilities/${facility.id}/scim-tokens/${token.id}`);
    const by = { scim_token: token.id };
    const [user, role] = [{ object_type: 'user', object_id: id }, facility.roles.clinician];
    const entries = (await auditActions()).map(({ action, actor_id, object_type, object_id, outcome, detail }) => {
      expect(outcome).toBe('done');
      return { action, actor_id, object_type, object_id, detail };
    });
    const ofToken = { actor_id: admin.id, object_type: 'scim_token', object_id: token.id };
    expect(entries).toEqual([
      { action: 'scim.token.create', ...ofToken, detail: { days: 30 } },
      { action: 'scim.user.create', actor_id: null, ...user, detail: { ...by, account: 'made', active: true } },
      {
        ...{ action: 'scim.user.update', actor_id: null, ...user },
        detail: { ...by, changed: ['displayName'], active: true },
      },
      {
        ...{ action: 'scim.group.update', actor_id: null, object_type: 'role', object_id: role },
        detail: { ...by, added: [id], removed: [] },
      },
      { action: 'scim.user.update', actor_id: null, ...user, detail: { ...by, changed: ['isActive'], active: false } },
      { action: 'scim.user.end', actor_id: null, ...user, detail: by },
      { action: 'scim.token.revoke', ...ofToken, detail: null },
    ]);
  });

  it('ACC-4 A16 of who belongs to two facilities, one directory puts out, names and forgets what is its own alone', async () => {
    const other = await openDirectory();
    const { id, email } = await makeUser(server.db, { name: 'Jo Elsewhere' });
    for (const token of [secret, other.secret]) {
      expect((await ask('POST', '/Users', { body: person(email, { externalId: 'e-8' }), token })).status).toBe(201);
    }
    const add = patch({ op: 'add', path: 'members', value: [{ value: id }] });
    await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: add });
    await ask('PATCH', `/Groups/${other.facility.roles.clinician}`, { body: add, token: other.secret });
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'displayName', value: 'Jo Here' }) });
    await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: patch({ op: 'remove', path: 'members' }) });
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
    const there = (await ask('GET', `/Users/${id}`, { token: other.secret })).json;
    expect(there).toMatchObject({ active: true, externalId: 'e-8', displayName: 'Jo Elsewhere' });
    expect(there.groups).toMatchObject([{ value: other.facility.roles.clinician }]);
    expect((await membersOf(other.facility.id)).map(({ user_id }) => user_id)).toContain(id);
  });

  it('A16 ACC-4 who has an account is let in with it, and nothing of it changes', async () => {
    const elsewhere = await openDirectory();
    const { id, email } = await makeUser(server.db, { name: 'Jo Elsewhere' });
    await makeMembership(server.db, { userId: id, facility: elsewhere.facility, roles: ['clinician'] });
    const before = await server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const made = await userOf({ displayName: 'Renamed' }, email);
    expect(made).toMatchObject({ id, displayName: 'Renamed' });
    await ask('PATCH', `/Users/${id}`, {
      body: patch({ op: 'replace', value: { displayName: 'Again', userName: 'new@x.test' } }),
    });
    await ask('DELETE', `/Users/${id}`);
    expect(await server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).toEqual(
      before,
    );
    expect((await membersOf(elsewhere.facility.id)).map(({ user_id }) => user_id)).toContain(id);
  });

  it.each([
    ['has not verified the address', { emailVerifiedAt: null }],
    ['is disabled', { disabledAt: new Date() }],
  ])('A16 ACC-4 an account that %s is not linked', async (_which, options) => {
    const { email } = await makeUser(server.db, options);
    const { status, json } = await ask('POST', '/Users', { body: person(email) });
    expect([status, json.scimType]).toEqual([409, 'uniqueness']);
    expect(await membersOf()).toHaveLength(1);
  });

  it.each([
    [
      'a userName that somebody has in other letters',
      (of: { userName: string }) => ({ userName: of.userName.toUpperCase() }),
    ],
    ['an externalId that somebody has', (of: { externalId: string }) => ({ externalId: of.externalId })],
  ])('ACC-4 nobody is given %s, and the rest of what was sent is not stored either', async (_which, taken) => {
    const [standing, other] = [await userOf({ externalId: 'e-3' }), await userOf({ externalId: 'e-4' })];
    const email = newAddress();
    const answers = [
      await ask('POST', '/Users', { body: person(email, taken(standing)) }),
      await ask('PATCH', `/Users/${other.id}`, { body: patch({ op: 'replace', value: taken(standing) }) }),
    ];
    expect(answers.map(({ status, json }) => [status, json.scimType])).toEqual([
      [409, 'uniqueness'],
      [409, 'uniqueness'],
    ]);
    expect(await server.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
    expect((await ask('GET', `/Users/${other.id}`)).json).toEqual(other);
  });

  it('ACC-4 of 50 that make the same person at once one does, and there is one account', async () => {
    const email = newAddress();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('POST', '/Users', { body: person(email) })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status, json }) => status === 409 && json.scimType === 'uniqueness')).toHaveLength(49);
    expect(await server.db.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1);
    expect(await membersOf()).toHaveLength(2);
  });

  it.each([
    [{ schemas: [USER] }],
    [{ userName: '' }],
    [{ userName: 'no address' }],
    [{ userName: 'x@y.test', active: 'perhaps' }],
    [{ userName: 'x@y.test', emails: [{ value: 'no' }] }],
    [{ userName: 'x'.repeat(300) }],
    [[]],
    ['text'],
    [{ userName: { $ne: null } }],
    [{ userName: 'x@y.test', active: { toString: 1 } }],
    [{ userName: 'x@y.test', displayName: 'two\nlines' }],
  ])('ACC-4 refuses what is no person: %j', async (body) => {
    const { status, json } = await ask('POST', '/Users', { body });
    expect(status, JSON.stringify(json)).toBe(400);
    expect(json.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    expect(await membersOf()).toHaveLength(1);
  });
});
