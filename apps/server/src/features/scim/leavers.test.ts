import { describe, expect, it } from 'vitest';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn, statusOf } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';
import {
  admin,
  ask,
  auditActions,
  browser,
  facility,
  membersOf,
  newAddress,
  openWeakDirectory,
  patch,
  person,
  server,
  setDisabled,
  USER,
  useDirectoryRoom,
  userOf,
} from './testing/directory-room.ts';

useDirectoryRoom();

describe('leavers', () => {
  it.each([
    ['as Okta says it', patch({ op: 'replace', value: { active: false } })],
    ['as Entra says it', patch({ op: 'Replace', path: 'active', value: 'False' })],
    ['by the full name', patch({ op: 'replace', path: `${USER}:active`, value: false })],
  ])('ACC-7 A9 lose the facility at once, sockets included, %s', async (_which, body) => {
    const { id } = await userOf();
    const theirs = await signedIn(server, id);
    const chats = () => theirs.send('GET', `/api/facilities/${facility.id}/chats?state=open`);
    expect((await chats()).statusCode).toBe(200);
    const socket = await openSocket(server);
    expect(await socket.join(theirs, `private-facility.${facility.id}`)).toBe('joined');
    const { status, json } = await ask('PATCH', `/Users/${id}`, { body });
    expect([status, json.active]).toEqual([200, false]);
    expect((await chats()).statusCode).toBe(404);
    const ended = await socket.next(({ event }) => event === 'pusher:subscription_error');
    expect(ended.channel).toBe(`private-facility.${facility.id}`);
    expect(await socket.join(theirs, `private-facility.${facility.id}`)).toBe(403);
    // The account is theirs, and goes on.
    expect(await statusOf(theirs)).toBe(200);
    socket.close();
  });

  it('ACC-4 come back as they were known, without the roles that they had', async () => {
    const { id } = await userOf({ externalId: 'e-9' });
    await ask('PATCH', `/Groups/${facility.roles.clinician}`, {
      body: patch({ op: 'add', path: 'members', value: [{ value: id }] }),
    });
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: false }) });
    const gone = await ask('GET', `/Users/${id}`);
    expect(gone.json).toMatchObject({ active: false, externalId: 'e-9', groups: [] });
    const back = await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: true }) });
    expect(back.json).toMatchObject({ active: true, externalId: 'e-9', groups: [] });
  });

  it('ACC-7 DELETE ends the membership and forgets what the directory said; what was signed stays', async () => {
    const { id } = await userOf();
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await ask('GET', `/Users/${id}`)).status).toBe(404);
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(404);
    const kept = server.db.selectFrom('memberships').select('ended_at').where('user_id', '=', id);
    expect((await kept.executeTakeFirstOrThrow()).ended_at).not.toBeNull();
  });

  it('A30 the last person in charge stays, and so does who may more than the maker of the token', async () => {
    const last = await ask('PATCH', `/Users/${admin.id}`, {
      body: patch({ op: 'replace', path: 'active', value: false }),
    });
    expect(last.status).toBe(409);
    expect((await ask('DELETE', `/Users/${admin.id}`)).status).toBe(409);
    const weak = await openWeakDirectory();
    for (const isDisabled of [true, false]) {
      await setDisabled([weak.stronger.id], isDisabled);
      const refused = await ask('DELETE', `/Users/${weak.stronger.id}`, { token: weak.secret });
      const end = patch({ op: 'replace', path: 'active', value: false });
      const ended = await ask('PATCH', `/Users/${weak.stronger.id}`, { token: weak.secret, body: end });
      expect([refused.status, ended.status], `disabled: ${isDisabled}`).toEqual([403, 403]);
    }
    expect((await membersOf(weak.facility.id)).map(({ user_id }) => user_id)).toContain(weak.stronger.id);
  });

  it('ACC-7 put out also whoever made the token, which has no force from then on', async () => {
    const next = await userOf();
    await ask('PATCH', `/Groups/${facility.roles.facilityAdministrator}`, {
      body: patch({ op: 'add', path: 'members', value: [{ value: next.id }] }),
    });
    const gone = await ask('PATCH', `/Users/${admin.id}`, {
      body: patch({ op: 'replace', path: 'active', value: false }),
    });
    expect([gone.status, gone.json]).toEqual([200, expect.objectContaining({ id: admin.id, active: false })]);
    expect((await membersOf()).map(({ user_id }) => user_id)).toEqual([next.id]);
    expect((await ask('GET', '/Users')).status).toBe(401);
  });

  it('A16 a person that was put out is known by what the directory said, not by their account', async () => {
    const { id, email } = await makeUser(server.db, { name: 'Jo Elsewhere' });
    await userOf({}, email);
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: false }) });
    await server.db
      .updateTable('users')
      .set({ name: 'Private Name', email: `new-${email}` })
      .where('id', '=', id)
      .execute();
    const { json } = await ask('GET', '/Users');
    expect(JSON.stringify(json)).toContain(email);
    expect(JSON.stringify(json)).not.toContain('Private Name');
    expect(JSON.stringify(json)).not.toContain(`new-${email}`);
  });
});

describe('members whose account is disabled', () => {
  const changed = async () => (await auditActions()).at(-1)?.detail;
  const isMember = async (id: string) => (await membersOf()).some(({ user_id }) => user_id === id);

  /** A clinician with a title, known to the directory by all that it may say. */
  async function disabledMember() {
    const sent = person(newAddress(), { displayName: 'Kim Park', externalId: 'e-5', title: 'Staff nurse' });
    const { id } = (await ask('POST', '/Users', { body: sent })).json;
    const add = patch({ op: 'add', path: 'members', value: [{ value: id }] });
    expect((await ask('PATCH', `/Groups/${facility.roles.clinician}`, { body: add })).status).toBe(200);
    await setDisabled([id], true);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({ active: true, title: 'Staff nurse' });
    return { id, sent };
  }
  /** The same change by either verb. */
  const WAYS = [
    [
      'PATCH',
      (id: string, _sent: object, value: object) =>
        ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', value }) }),
    ],
    ['PUT', (id: string, sent: object, value: object) => ask('PUT', `/Users/${id}`, { body: { ...sent, ...value } })],
  ] as const;

  it.each(WAYS)(
    'ACC-7 are put out by a %s of active false, and stay out when the account is enabled',
    async (_verb, change) => {
      const { id, sent } = await disabledMember();
      const socket = await openSocket(server);
      expect(await socket.join(browser, `private-facility.${facility.id}`)).toBe('joined');
      const { status, json } = await change(id, sent, { active: false });
      expect([status, json]).toEqual([200, expect.objectContaining({ active: false, groups: [] })]);
      expect(await isMember(id)).toBe(false);
      expect(await changed()).toMatchObject({ changed: ['isActive'], active: false });
      await socket.next(({ event }) => event.endsWith('OnCallChanged'));
      socket.close();
      const entries = await auditActions();
      expect((await change(id, sent, { active: false })).json).toEqual(json);
      expect(await auditActions()).toEqual(entries);
      await setDisabled([id], false);
      expect((await ask('GET', `/Users/${id}`)).json).toEqual(json);
      const theirs = await signedIn(server, id);
      expect((await theirs.send('GET', `/api/facilities/${facility.id}/chats?state=open`)).statusCode).toBe(404);
    },
  );

  it('ACC-4 ACC-7 are members again by active true after they were put out, when the account is enabled', async () => {
    const { id } = await disabledMember();
    const change = (active: boolean) =>
      ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'active', value: active }) });
    await change(false);
    expect(await isMember(id)).toBe(false);
    expect((await change(true)).json).toMatchObject({ active: true, groups: [] });
    expect(await isMember(id)).toBe(true);
    expect(await changed()).toMatchObject({ changed: ['isActive'], active: true });
    await setDisabled([id], false);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({ active: true, externalId: 'e-5', groups: [] });
  });

  it.each(WAYS)(
    'ACC-4 ACC-7 stay members with roles and title where a %s does not say active',
    async (_verb, change) => {
      const { id, sent } = await disabledMember();
      const { status, json } = await change(id, sent, { displayName: 'Kim Lee' });
      expect([status, json]).toEqual([200, expect.objectContaining({ displayName: 'Kim Lee', active: true })]);
      expect(await isMember(id)).toBe(true);
      expect(await changed()).toMatchObject({ changed: ['displayName'], active: true });
      await setDisabled([id], false);
      expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({
        ...{ displayName: 'Kim Lee', title: 'Staff nurse', active: true },
        groups: [{ value: facility.roles.clinician }],
      });
    },
  );

  it.each(WAYS)('ACC-4 A30 are neither enabled nor changed by a %s of active true', async (_verb, change) => {
    const { id, sent } = await disabledMember();
    const [before, entries] = [(await ask('GET', `/Users/${id}`)).json, await auditActions()];
    expect((await change(id, sent, { active: true })).json).toEqual(before);
    expect(await auditActions()).toEqual(entries);
    const renamed = await change(id, sent, { active: true, displayName: 'Kim Lee' });
    expect(renamed.json).toMatchObject({ displayName: 'Kim Lee', active: true });
    expect(await changed()).toMatchObject({ changed: ['displayName'], active: true });
    const account = server.db.selectFrom('users').select('disabled_at').where('id', '=', id);
    expect((await account.executeTakeFirstOrThrow()).disabled_at).not.toBeNull();
    await setDisabled([id], false);
    expect((await ask('GET', `/Users/${id}`)).json).toMatchObject({
      ...{ active: true, title: 'Staff nurse' },
      groups: [{ value: facility.roles.clinician }],
    });
  });

  it.each(WAYS)('ACC-4 ADM-1 have the title that a %s says, but not with their end', async (_verb, change) => {
    const { id, sent } = await disabledMember();
    const titled = await change(id, sent, { title: 'Midwife' });
    expect(titled.json).toMatchObject({ title: 'Midwife', active: true });
    expect(await changed()).toMatchObject({ changed: ['title'], active: true });
    expect((await change(id, sent, { title: 'Head midwife', active: false })).json).not.toHaveProperty('title');
    expect(await changed()).toMatchObject({ changed: ['isActive'], active: false });
    const kept = server.db.selectFrom('memberships').select('title').where('user_id', '=', id);
    expect(await kept.execute()).toEqual([{ title: 'Midwife' }]);
  });
});
