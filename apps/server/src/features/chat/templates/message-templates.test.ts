import { MESSAGE_TEMPLATES_MAX, type MessageTemplate } from '@wardline/contract/chat/message-templates.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { makeMessageTemplate } from '#/testing/factories/message-templates.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';

interface Person extends MadeUser {
  readonly client: TestClient;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function person(facility: MadeFacility, role: 'clinician' | 'facilityAdministrator'): Promise<Person> {
  const user = await makeUser(server.db);
  await makeMembership(server.db, { userId: user.id, facility, roles: [role] });
  return { ...user, client: await signedIn(server, user.id) };
}

async function hospital() {
  const facility = await makeFacility(server.db);
  const [chief, nurse] = [await person(facility, 'facilityAdministrator'), await person(facility, 'clinician')];
  const path = `/api/facilities/${facility.id}/message-templates`;
  const make = (title: string, who = chief) =>
    who.client.send('POST', path, { body: { title, body: `**${title}:**` } });
  const list = async (query = '', who = nurse) => (await who.client.send('GET', `${path}${query}`)).json();
  const titles = async () => (await list()).data.map(({ title }: MessageTemplate) => title);
  return { facility, chief, nurse, path, make, list, titles };
}

it('CHAT-10 who runs a facility adds templates, and every member has them', async () => {
  const { make, nurse, chief, list } = await hospital();
  const made = await make('Bed request');
  expect(made.statusCode).toBe(201);
  const template = { id: made.json().id, title: 'Bed request', body: '**Bed request:**', version: 1 };
  expect(made.json()).toEqual(template);
  expect(await list()).toEqual({ data: [template], next_cursor: null });
  expect((await make('Another', nurse)).statusCode).toBe(403);
  expect((await make('BED REQUEST')).json().errors).toHaveProperty('title');
  const about = { object_type: 'message_template', object_id: template.id, detail: { version: 1 } };
  expect(await auditOf(server, 'chat.template.create', chief.id)).toContainEqual(expect.objectContaining(about));
});

it('CHAT-10 a template is changed and deleted at the version one saw', async () => {
  const { make, chief, nurse, path, titles } = await hospital();
  const { id } = (await make('Transport')).json();
  await make('Bed request');
  const change = (expected_version: number, title: string, who = chief) =>
    who.client.send('PUT', `${path}/${id}`, { body: { expected_version, title, body: 'From:\nTo:' } });
  expect((await change(1, 'Transfer', nurse)).statusCode).toBe(403);
  expect((await change(1, 'bed request')).json().errors).toHaveProperty('title');
  expect((await change(1, 'Transfer')).json()).toEqual({ id, title: 'Transfer', body: 'From:\nTo:', version: 2 });
  expect((await change(1, 'Walk')).statusCode).toBe(409);
  const remove = (version: number, who = chief) =>
    who.client.send('DELETE', `${path}/${id}?expected_version=${version}`);
  expect((await remove(2, nurse)).statusCode).toBe(403);
  expect((await remove(1)).statusCode).toBe(409);
  expect(await titles()).toEqual(['Transfer', 'Bed request']);
  expect((await remove(2)).statusCode).toBe(204);
  expect((await remove(2)).statusCode).toBe(404);
  expect(await titles()).toEqual(['Bed request']);
  for (const action of ['update', 'delete']) {
    const about = { object_type: 'message_template', object_id: id, detail: { version: 2 } };
    expect(await auditOf(server, `chat.template.${action}`, chief.id)).toContainEqual(expect.objectContaining(about));
  }
});

it('CHAT-10 A16 a template is of one facility, also for who runs two: there its title is free, and nothing of it is changed', async () => {
  const [here, there] = [await hospital(), await hospital()];
  const user = await makeUser(server.db);
  for (const { facility } of [here, there]) {
    await makeMembership(server.db, { userId: user.id, facility, roles: ['facilityAdministrator'] });
  }
  const both = { ...user, client: await signedIn(server, user.id) };
  const { id } = (await here.make('Bed request', both)).json();
  const body = { expected_version: 1, title: 'Theirs', body: 'x' };
  expect((await both.client.send('PUT', `${there.path}/${id}`, { body })).statusCode).toBe(404);
  expect((await both.client.send('DELETE', `${there.path}/${id}?expected_version=1`)).statusCode).toBe(404);
  expect((await there.make('Bed request', both)).statusCode).toBe(201);
  const renamed = { expected_version: 1, title: 'BED REQUEST', body: 'x' };
  const [inside, outside] = [await openSocket(server), await openSocket(server)];
  await inside.join(here.nurse.client, `private-facility.${here.facility.id}`);
  await outside.join(there.nurse.client, `private-facility.${there.facility.id}`);
  expect((await both.client.send('PUT', `${here.path}/${id}`, { body: renamed })).json()).toMatchObject({ version: 2 });
  expect((await both.client.send('DELETE', `${here.path}/${id}?expected_version=2`)).statusCode).toBe(204);
  for (let time = 0; time < 2; time++) {
    const { data } = await inside.next(({ event }) => event === 'App\\Events\\MessageTemplatesChanged');
    expect(data).toEqual({ facility_id: here.facility.id, template_id: id });
  }
  await outside.settle();
  expect(JSON.stringify(outside.frames)).not.toContain('MessageTemplatesChanged');
  for (const socket of [inside, outside]) socket.close();
  expect([await here.titles(), await there.titles()]).toEqual([[], ['Bed request']]);
});

it('CHAT-10 a facility has at most so many, also when two add the last at once', async () => {
  const { make, facility, chief, list } = await hospital();
  for (let number = 1; number < MESSAGE_TEMPLATES_MAX; number += 1) {
    await makeMessageTemplate(server.db, { facilityId: facility.id, userId: chief.id, title: `Template ${number}` });
  }
  const answers = await Promise.all([make('Last'), make('One more')]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422]);
  expect(answers.find(({ statusCode }) => statusCode === 422)?.json().errors).toHaveProperty('title');
  expect((await list()).data).toHaveLength(MESSAGE_TEMPLATES_MAX);
});

it('CHAT-10 templates come a page at a time, also after one that was deleted meanwhile', async () => {
  const { make, chief, path, list } = await hospital();
  for (const title of ['Zebra', 'Alpha', 'Mike']) await make(title);
  const first = await list('?limit=2');
  expect(first.data.map(({ title }: MessageTemplate) => title)).toEqual(['Zebra', 'Alpha']);
  await chief.client.send('DELETE', `${path}/${first.next_cursor}?expected_version=1`);
  const next = `?cursor=${first.next_cursor}`;
  expect(await list(next)).toMatchObject({ data: [{ title: 'Mike' }], next_cursor: null });
  expect((await list('?cursor=zebra')).errors).toHaveProperty('cursor');
});

it('CHAT-10 a change is told to the members of that facility and to nobody else', async () => {
  const [here, elsewhere] = [await hospital(), await hospital()];
  const [inside, outside] = [await openSocket(server), await openSocket(server)];
  expect(await inside.join(here.nurse.client, `private-facility.${here.facility.id}`)).toBe('joined');
  expect(await outside.join(elsewhere.nurse.client, `private-facility.${here.facility.id}`)).toBe(403);
  expect(await outside.join(elsewhere.nurse.client, `private-facility.${elsewhere.facility.id}`)).toBe('joined');
  const { id } = (await here.make('Bed request')).json();
  const { data } = await inside.next((frame) => frame.event === 'App\\Events\\MessageTemplatesChanged');
  expect(data).toEqual({ facility_id: here.facility.id, template_id: id });
  await outside.settle();
  expect(JSON.stringify(outside.frames)).not.toContain('MessageTemplatesChanged');
  inside.close();
  outside.close();
});
