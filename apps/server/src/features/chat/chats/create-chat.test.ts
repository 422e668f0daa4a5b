import type * as contract from '@wardline/contract/chat/chat-management.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openChatFixture, type Person, refusalOf, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { createChat } from './create-chat.ts';
import { updateChat } from './update-chat.ts';

type Body = BodyOf<typeof contract.createChat>;

let ward: Ward;
let ana: Person;
let mira: Person;
beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
});
afterAll(() => ward.close());
beforeEach(() => {
  ward.published.length = 0;
});

const patient = { name: 'Edith Maron', identifier: 'MRN 40-118-236', born_on: '1948-03-14', bed: '3A-12' };
const group = (more: Partial<Body> = {}): Body => ({
  client_id: newId(),
  kind: 'group',
  title: 'Night team',
  participant_ids: [mira.id],
  ...more,
});
const create = async (person: Person, body: Body, facility = ward.facility.id) =>
  createChat(await person.ask(), { params: { facility }, query: {}, body });
const fieldsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: { fields?: object }) => Object.keys(error.fields ?? {}),
  );

test('a case is named by its patient, its maker manages it, and its first line says who opened it', async () => {
  const chat = await create(ana, {
    client_id: newId(),
    kind: 'case',
    patient,
    participant_ids: [mira.id, ana.id, mira.id],
  });
  expect(chat).toMatchObject({
    kind: 'case',
    title: 'Edith Maron',
    patient,
    state: 'open',
    head_seq: 1,
    version: 1,
    participant_count: 2,
    last_message: { kind: 'system', sender_name: 'Ana Reyes', excerpt: 'created the chat' },
    my: { access: 'manage', read_seq: 1, unread: 0 },
  });
  expect(ward.published.map(({ channel, event, data }) => ({ channel, event, data }))).toEqual(
    [ana, mira].map(({ id }) => ({
      channel: `private-App.Models.User.${id}`,
      event: 'App\\Events\\MembershipChanged',
      data: { facility_id: ward.facility.id, chat_id: chat.id, change: 'added' },
    })),
  );
  const entry = await ward.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('object_id', '=', chat.id)
    .executeTakeFirst();
  const detail = { kind: 'case', people: 2 };
  expect(entry).toMatchObject({ action: 'chat.create', facility_id: ward.facility.id, detail });
  expect(JSON.stringify(entry)).not.toContain('Edith');
});

test('CHAT-1 A47 a repeat, even of twenty at once and after a rename, gives the one chat; other content is refused', async () => {
  const other = await ward.person('Otto');
  const body = group({ participant_ids: [mira.id, other.id] });
  const chats = await Promise.all(Array.from({ length: 20 }, () => create(ana, body)));
  expect(new Set(chats.map((chat) => chat.id)).size).toBe(1);
  const [chat] = chats;
  await updateChat(await ana.ask(), {
    params: { chat: chat?.id ?? '' },
    query: {},
    body: { expected_version: 1, title: 'Day team' },
  });
  for (const participant_ids of [
    [mira.id, other.id],
    [other.id, mira.id],
  ])
    expect(await create(ana, { ...body, participant_ids })).toMatchObject({ id: chat?.id, title: 'Day team' });
  expect(await refusalOf(create(ana, { ...body, title: 'Other' }))).toBe('409 client_id_reused');
  expect(await refusalOf(create(ana, { ...body, participant_ids: [] }))).toBe('409 client_id_reused');
});

test('A47 the same client_id of another person is another chat', async () => {
  const client_id = newId();
  const [hers, his] = [await create(ana, group({ client_id })), await create(mira, group({ client_id }))];
  expect(his.id).not.toBe(hers.id);
});

test('refuses what is incomplete at its field, and people of elsewhere at participant_ids, and keeps nothing', async () => {
  const stranger = await ward.person('Stranger', await ward.otherFacility());
  const former = await ward.person();
  await ward.endMembership(former);
  const before = await ward.db.selectFrom('chats').select('id').execute();
  const { title, ...untitled } = group();
  expect(title).toBeDefined();
  expect(await fieldsOf(create(ana, untitled))).toEqual(['title']);
  expect(await fieldsOf(create(ana, group({ patient })))).toEqual(['patient']);
  expect(await fieldsOf(create(ana, { ...untitled, kind: 'case' }))).toEqual(['patient.name', 'patient.identifier']);
  for (const id of [stranger.id, former.id, newId()]) {
    expect(await fieldsOf(create(ana, group({ participant_ids: [mira.id, id] })))).toEqual(['participant_ids']);
  }
  expect(await ward.db.selectFrom('chats').select('id').execute()).toHaveLength(before.length);
});

test('A16 a facility of others does not exist; a member without chats.create is refused', async () => {
  const stranger = await ward.person('Stranger', await ward.otherFacility());
  const visitor = await ward.person('Visitor', null);
  await makeMembership(ward.db, { userId: visitor.id, facility: ward.facility });
  expect(await refusalOf(create(stranger, group({ participant_ids: [] })))).toBe('404 not_found');
  expect(await refusalOf(create(visitor, group({ participant_ids: [] })))).toBe('403 forbidden');
});
