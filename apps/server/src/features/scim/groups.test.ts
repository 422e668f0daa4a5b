import { describe, expect, it } from 'vitest';
import { signedIn } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';
import {
  admin,
  ask,
  auditActions,
  facility,
  type Method,
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

describe('movers', () => {
  const membersIn = async (role: string) =>
    (await ask('GET', `/Groups/${role}`)).json.members.map(({ value }: { value: string }) => value);

  it('ACC-4 PERM-3 groups are the roles of the facility, and their members hold them', async () => {
    const { clinician } = facility.roles;
    const { json } = await ask('GET', '/Groups?excludedAttributes=members');
    expect(json.totalResults).toBeGreaterThan(3);
    expect(json.Resources[0].members).toBeUndefined();
    const [name] = json.Resources.filter(({ id }: { id: string }) => id === clinician).map(
      ({ displayName }: { displayName: string }) => displayName,
    );
    const found = await ask('GET', `/Groups?filter=${encodeURIComponent(`displayName eq "${name}"`)}`);
    expect(found.json.Resources.map(({ id }: { id: string }) => id)).toEqual([clinician]);
    const [first, second] = [await userOf(), await userOf()];
    const theirs = await signedIn(server, first.id);
    const canCreate = async () =>
      (await theirs.send('GET', '/api/user')).json().memberships[0].permissions.includes('chats.create');
    expect(await canCreate()).toBe(false);

    // Entra: a capital letter, and the members as a list.
    await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'Add', path: 'members', value: [{ value: first.id }, { value: second.id }] }),
    });
    expect((await membersIn(clinician)).sort()).toEqual([first.id, second.id].sort());
    expect(await canCreate()).toBe(true);
    expect((await ask('GET', `/Users/${first.id}`)).json.groups).toMatchObject([{ value: clinician, display: name }]);
    const asked = await ask(
      'GET',
      `/Groups?filter=${encodeURIComponent(`id eq "${clinician}" and members eq "${first.id}"`)}`,
    );
    expect(asked.json.totalResults).toBe(1);

    // Okta: one by a filter.
    await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'remove', path: `members[value eq "${first.id}"]` }),
    });
    expect(await membersIn(clinician)).toEqual([second.id]);
    expect(await canCreate()).toBe(false);

    // Entra: the ones that go as a value.
    await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'Remove', path: 'members', value: [{ value: second.id }] }),
    });
    expect(await membersIn(clinician)).toEqual([]);

    // A whole list, with the name as it is, by PATCH without a path and by PUT.
    const whole = { id: clinician, displayName: name, members: [{ value: first.id }] };
    await ask('PATCH', `/Groups/${clinician}`, { body: patch({ op: 'replace', value: whole }) });
    expect(await membersIn(clinician)).toEqual([first.id]);
    await ask('PUT', `/Groups/${clinician}`, { body: { ...whole, members: [{ value: second.id }] } });
    expect(await membersIn(clinician)).toEqual([second.id]);
    const entries = (await auditActions()).filter(({ action }) => action === 'scim.group.update');
    expect(entries.at(-1)).toMatchObject({ object_id: clinician, detail: { added: [second.id], removed: [first.id] } });
  });

  it('ACC-4 PERM-3 who is given a role or loses one is told, and a repeat tells nothing', async () => {
    const { clinician } = facility.roles;
    const { id } = await userOf();
    const socket = await openSocket(server);
    expect(await socket.join(await signedIn(server, id), `private-App.Models.User.${id}`)).toBe('joined');
    const told = () => socket.frames.filter(({ event }) => event.endsWith('MembershipChanged')).map(({ data }) => data);
    const add = { op: 'add', path: 'members', value: [{ value: id }] };
    const remove = { op: 'remove', path: `members[value eq "${id}"]` };
    for (const change of [add, add, remove, remove]) {
      const { status } = await ask('PATCH', `/Groups/${clinician}`, { body: patch(change) });
      expect(status, change.op).toBeLessThan(300);
    }
    await socket.settle();
    const changed = { facility_id: facility.id, chat_id: null, change: 'changed' };
    expect(told()).toEqual([changed, changed]);
    socket.close();
  });

  it('A9 ACC-7 a role is given and taken also while the account is disabled, so that what was taken does not come back with it', async () => {
    const { clinician } = facility.roles;
    const [first, second] = [await userOf(), await userOf()];
    const added = patch({ op: 'add', path: 'members', value: [{ value: first.id }, { value: second.id }] });
    await ask('PATCH', `/Groups/${clinician}`, { body: added });
    await setDisabled([first.id, second.id], true);
    expect((await membersIn(clinician)).sort()).toEqual([first.id, second.id].sort());
    const one = patch({ op: 'remove', path: `members[value eq "${first.id}"]` });
    expect((await ask('PATCH', `/Groups/${clinician}`, { body: one })).status).toBe(200);
    const given = patch({ op: 'add', path: 'members', value: [{ value: second.id }] });
    expect((await ask('PATCH', `/Groups/${facility.roles.chargeNurse}`, { body: given })).status).toBe(200);
    // Who is named stays.
    const whole = { displayName: 'Clinician', members: [{ value: second.id }] };
    expect((await ask('PUT', `/Groups/${clinician}`, { body: whole })).status).toBe(200);
    expect(await membersIn(clinician)).toEqual([second.id]);
    await setDisabled([first.id, second.id], false);
    expect(await membersIn(clinician)).toEqual([second.id]);
    expect((await ask('GET', `/Users/${first.id}`)).json.groups).toEqual([]);
  });

  it('A30 no token gives or takes a role that its maker could not give', async () => {
    const weak = await openWeakDirectory();
    const asWeak = (method: Method, path: string, body: unknown) => ask(method, path, { body, token: weak.secret });
    const made = (await asWeak('POST', '/Users', person())).json;
    const add = patch({ op: 'add', path: 'members', value: [{ value: made.id }] });
    expect((await asWeak('PATCH', `/Groups/${weak.strongerRole}`, add)).status).toBe(403);
    const remove = patch({ op: 'remove', path: `members[value eq "${weak.stronger.id}"]` });
    expect((await asWeak('PATCH', `/Groups/${weak.strongerRole}`, remove)).status).toBe(403);
    expect((await asWeak('PATCH', `/Groups/${weak.facility.roles.clinician}`, add)).status).toBe(200);
  });

  it('A30 the last person in charge keeps their role, and all of the request stays undone', async () => {
    const role = facility.roles.facilityAdministrator;
    const { id } = await userOf();
    const body = patch({ op: 'add', path: 'members', value: [] }, { op: 'remove', path: 'members' });
    expect((await ask('PATCH', `/Groups/${role}`, { body })).status).toBe(409);
    expect(await membersIn(role)).toEqual([admin.id]);
    const both = patch({ op: 'replace', path: 'members', value: [{ value: id }] });
    expect((await ask('PATCH', `/Groups/${role}`, { body: both })).status).toBe(200);
    // Its maker may not manage members any more.
    expect((await ask('GET', '/Groups')).status).toBe(401);
  });

  it('PERM-3 roles are neither made, removed nor renamed', async () => {
    const { clinician } = facility.roles;
    expect((await ask('POST', '/Groups', { body: { displayName: 'Rulers' } })).status).toBe(403);
    expect((await ask('DELETE', `/Groups/${clinician}`)).status).toBe(403);
    const rename = await ask('PATCH', `/Groups/${clinician}`, {
      body: patch({ op: 'replace', path: 'displayName', value: 'X' }),
    });
    expect([rename.status, rename.json.scimType]).toEqual([400, 'mutability']);
  });

  it('ACC-4 a changed name or userName is kept for the directory, by PUT and by PATCH without a path', async () => {
    const { id, userName } = await userOf({ externalId: 'e-2' });
    const body = patch({
      op: 'Replace',
      value: { 'name.givenName': 'Robin', [`${USER}:displayName`]: 'Robin Park', title: 'Nurse' },
    });
    expect((await ask('PATCH', `/Users/${id}`, { body })).json).toMatchObject({
      ...{ displayName: 'Robin Park', name: { givenName: 'Robin', familyName: 'Park' }, externalId: 'e-2' },
    });
    expect((await auditActions()).at(-1)?.detail).toMatchObject({
      changed: ['displayName', 'givenName', 'title'],
    });
    const put = await ask('PUT', `/Users/${id}`, { body: { userName, name: { formatted: 'R. Park' } } });
    expect(put.json).toMatchObject({ userName, displayName: 'R. Park', active: true });
    expect(put.json.externalId).toBeUndefined();
  });
});
