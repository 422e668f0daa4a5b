import { describe, expect, it } from 'vitest';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { signedIn } from '#/testing/test-client.ts';
import { openSocket } from '#/testing/test-socket.ts';
import {
  ask,
  auditActions,
  browser,
  facility,
  newAddress,
  openDirectory,
  patch,
  person,
  server,
  USER,
  useDirectoryRoom,
  userOf,
} from './testing/directory-room.ts';

useDirectoryRoom();

describe('titles', () => {
  const titlesOf = async (userId: string, facilityId = facility.id) =>
    (
      await server.db
        .selectFrom('memberships')
        .select('title')
        .where('user_id', '=', userId)
        .where('facility_id', '=', facilityId)
        .orderBy('created_at')
        .execute()
    ).map(({ title }) => title);
  const writeByHand = async (userId: string, title: string) => {
    const url = `/api/facilities/${facility.id}/members/${userId}/title`;
    expect((await browser.send('PUT', url, { body: { title } })).statusCode).toBe(200);
  };

  it('ACC-4 ADM-1 a joiner has the title that the directory sends, where colleagues read it', async () => {
    const known = await makeUser(server.db);
    for (const email of [newAddress(), known.email]) {
      const made = await ask('POST', '/Users', { body: person(email, { title: ' Staff nurse ' }) });
      expect([made.status, made.json.title]).toEqual([201, 'Staff nurse']);
      const listed = await ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`);
      expect(listed.json.Resources).toEqual([made.json]);
      const seen = await browser.send('GET', `/api/facilities/${facility.id}/members/${made.json.id}`);
      expect(seen.json()).toMatchObject({ title: 'Staff nurse' });
    }
    expect(await userOf()).not.toHaveProperty('title');
    const { attributes } = (await ask('GET', `/Schemas/${USER}`)).json;
    expect(attributes).toContainEqual(expect.objectContaining({ name: 'title', type: 'string', multiValued: false }));
  });

  it('ACC-4 ADM-1 a PUT that says no title leaves what was written by hand, and one that says it counts', async () => {
    const { id, userName, meta } = await userOf();
    await writeByHand(id, 'Charge nurse, ICU');
    const put = (more: object) => ask('PUT', `/Users/${id}`, { body: { userName, ...more } });
    const read = await ask('GET', `/Users/${id}`);
    expect(read.json.title).toBe('Charge nurse, ICU');
    expect(read.json.meta.version).not.toBe(meta.version);
    const kept = await put({ displayName: 'K. Park' });
    expect(kept.json).toMatchObject({ displayName: 'K. Park', title: 'Charge nurse, ICU' });
    expect((await auditActions()).at(-1)?.detail).toMatchObject({
      changed: ['displayName', 'givenName', 'familyName'],
    });
    const said = await put({ displayName: 'K. Park', title: 'Midwife' });
    expect(said.json.title).toBe('Midwife');
    expect(said.headers.etag).not.toBe(kept.headers.etag);
    const { detail } = (await auditActions()).at(-1) ?? {};
    expect(detail).toMatchObject({ changed: ['title'], active: true });
    expect(JSON.stringify(detail)).not.toContain('Midwife');
    expect((await put({ displayName: 'K. Park', title: null })).json).not.toHaveProperty('title');
    expect(await titlesOf(id)).toEqual([null]);
  });

  it.each([
    ['by its path', { op: 'replace', path: 'title', value: 'Midwife' }, 'Midwife'],
    ['by its full name', { op: 'add', path: `${USER}:title`, value: 'Midwife' }, 'Midwife'],
    ['as Entra says it without a path', { op: 'Replace', value: { title: 'Midwife' } }, 'Midwife'],
    ['of 80 characters', { op: 'replace', path: 'title', value: 'M'.repeat(80) }, 'M'.repeat(80)],
    ['and takes it away by remove', { op: 'remove', path: 'title' }, null],
    ['and takes it away by null', { op: 'replace', path: 'title', value: null }, null],
    ['and takes it away by an empty text', { op: 'replace', value: { title: ' ' } }, null],
  ])('ACC-4 ADM-1 a PATCH says the title %s', async (_how, operation, title) => {
    const { id } = await userOf({ title: 'Staff nurse' });
    const { status, json } = await ask('PATCH', `/Users/${id}`, { body: patch(operation) });
    expect([status, json.title ?? null]).toEqual([200, title]);
    expect(await titlesOf(id)).toEqual([title]);
    expect((await ask('GET', `/Users/${id}`)).json).toEqual(json);
  });

  it('ACC-4 ADM-1 a title is told to the devices of whose it is, once', async () => {
    const { id } = await userOf();
    const theirs = await signedIn(server, id);
    const socket = await openSocket(server);
    expect(await socket.join(theirs, `private-App.Models.User.${id}`)).toBe('joined');
    for (let turn = 0; turn < 2; turn++) {
      await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'title', value: 'Midwife' }) });
    }
    // What the screens need nothing of.
    await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', path: 'displayName', value: 'Kim' }) });
    await socket.settle();
    const told = socket.frames.filter(({ event }) => event.endsWith('MembershipChanged')).map(({ data }) => data);
    expect(told).toEqual([{ facility_id: facility.id, chat_id: null, change: 'changed' }]);
    expect((await theirs.send('GET', '/api/user')).json().memberships).toMatchObject([{ title: 'Midwife' }]);
    socket.close();
  });

  it.each([
    ['81 characters', 'M'.repeat(81)],
    ['two lines', 'Staff\nnurse'],
    ['no text', 7],
  ])('ACC-4 ADM-1 a title of %s is refused, and nothing else of the request is kept', async (_which, title) => {
    const user = await userOf({ title: 'Staff nurse' });
    const email = newAddress();
    const answers = [
      await ask('POST', '/Users', { body: person(email, { title }) }),
      await ask('PUT', `/Users/${user.id}`, { body: person(user.userName, { title, displayName: 'Kim' }) }),
      await ask('PATCH', `/Users/${user.id}`, { body: patch({ op: 'replace', value: { displayName: 'Kim', title } }) }),
    ];
    for (const { status, json } of answers) expect([status, json.scimType]).toEqual([400, 'invalidValue']);
    expect((await ask('GET', `/Users/${user.id}`)).json).toEqual(user);
    expect(await server.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
  });

  it('ACC-4 ADM-1 A16 a title is of one facility: another keeps its own', async () => {
    const other = await openDirectory();
    const { id, email } = await makeUser(server.db);
    await makeMembership(server.db, { userId: id, facility: other.facility, title: 'Elsewhere' });
    expect(await userOf({ title: 'Staff nurse' }, email)).toMatchObject({ id, title: 'Staff nurse' });
    for (const operation of [
      { op: 'replace', path: 'title', value: 'Midwife' },
      { op: 'remove', path: 'title' },
    ]) {
      expect((await ask('PATCH', `/Users/${id}`, { body: patch(operation) })).status).toBe(200);
    }
    expect(await titlesOf(id)).toEqual([null]);
    expect((await ask('GET', `/Users/${id}`, { token: other.secret })).json.title).toBe('Elsewhere');
  });

  it('ACC-7 ADM-1 who is put out has no title and is given none; who comes back has the one that is sent', async () => {
    const { id, userName } = await userOf({ title: 'Staff nurse' });
    const change = async (value: object) =>
      (await ask('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', value }) })).json;
    const changed = async () => (await auditActions()).at(-1)?.detail;
    const gone = await change({ active: false, title: 'Midwife' });
    expect(gone).toMatchObject({ active: false });
    expect(gone).not.toHaveProperty('title');
    expect(await changed()).toMatchObject({ changed: ['isActive'], active: false });
    const entries = (await auditActions()).length;
    expect(await change({ title: 'Midwife' })).toEqual(gone);
    expect(await auditActions()).toHaveLength(entries);
    expect(await change({ active: true })).not.toHaveProperty('title');
    await change({ active: false });
    const back = await ask('PUT', `/Users/${id}`, { body: person(userName, { active: true, title: 'Midwife' }) });
    expect(back.json).toMatchObject({ active: true, title: 'Midwife' });
    expect(await changed()).toMatchObject({ changed: expect.arrayContaining(['title', 'isActive']), active: true });
    await change({ title: 'Head midwife' });
    // What they were stays with the time that they were there.
    expect(await titlesOf(id)).toEqual(['Staff nurse', null, 'Head midwife']);
    expect(await userOf({ active: false, title: 'Midwife' })).not.toHaveProperty('title');
  });
});
