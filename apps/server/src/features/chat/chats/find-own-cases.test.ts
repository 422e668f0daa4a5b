import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openChatFixture, type Person, refusalOf, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { createChat } from './create-chat.ts';
import { findOwnCases } from './find-own-cases.ts';
import { updateChat } from './update-chat.ts';

let ward: Ward;
let ana: Person;
let leila: Person;
let identifier: string;
beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  leila = await ward.person('Leila Haddad');
});
afterAll(() => ward.close());
beforeEach(() => {
  identifier = `40-${newId()}`;
});

const startCase = async (by: Person, others: readonly Person[] = [], facility = ward.facility.id) =>
  createChat(await by.ask(), {
    params: { facility },
    query: {},
    body: {
      client_id: newId(),
      kind: 'case',
      title: 'Maron, second opinion',
      patient: { name: 'Edith Maron', identifier, bed: '3A-12' },
      participant_ids: others.map(({ id }) => id),
    },
  });
const find = async (by: Person, number = identifier, facility = ward.facility.id) =>
  (await findOwnCases(await by.ask(), { params: { facility }, query: {}, body: { identifier: number } })).data;

test('CHAT-10 a case that goes on is found by its patient’s number, however that is typed, and by no part of it', async () => {
  const { id } = await startCase(ana, [leila]);
  const found = [
    {
      id,
      facility_id: ward.facility.id,
      title: 'Maron, second opinion',
      patient: { name: 'Edith Maron', identifier },
    },
  ];
  expect(await find(ana)).toEqual(found);
  expect(await find(leila, ` mrn ${identifier.replaceAll('-', '').toUpperCase()}`)).toEqual(found);
  expect(await find(ana, identifier.slice(0, -1))).toEqual([]);
  expect(await find(ana, '--')).toEqual([]);
});

test('CHAT-6 of a case that somebody is not in, or is in no more, they learn nothing by its number', async () => {
  const { id } = await startCase(ana);
  expect(await find(leila)).toEqual([]);
  expect(await find(ana)).toMatchObject([{ id }]);
  await ward.db.updateTable('chat_participants').set({ left_at: new Date() }).where('chat_id', '=', id).execute();
  expect(await find(ana)).toEqual([]);
});

test('a case of another facility, and one that is closed, is none that goes on here', async () => {
  const elsewhere = await ward.otherFacility();
  expect(await refusalOf(find(ana, identifier, elsewhere.id))).toBe('404 not_found');
  const { id, version } = await startCase(ana);
  await updateChat(await ana.ask(), {
    params: { chat: id },
    query: {},
    body: { expected_version: version, state: 'closed' },
  });
  expect(await find(ana)).toEqual([]);
});
