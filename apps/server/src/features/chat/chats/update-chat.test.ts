import { CHAT_STATES, WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { updateChat } from './update-chat.ts';

let ward: Ward;
let ana: Person;
let mira: Person;
let chat: { id: string; version: number };
beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
});
afterAll(() => ward.close());
beforeEach(async () => {
  chat = await openChat(ward, ana, [mira]);
  ward.published.length = 0;
});

const update = async (person: Person, body: Parameters<typeof updateChat>[1]['body']) =>
  updateChat(await person.ask(), { params: { chat: chat.id }, query: {}, body });
const linesOf = () =>
  ward.db
    .selectFrom('messages')
    .select(['seq', 'kind', 'body'])
    .where('chat_id', '=', chat.id)
    .orderBy('seq')
    .execute();

test('CHAT-7 the change, its lines and its audit entry are there together, and everybody is told', async () => {
  const changed = await update(ana, { expected_version: 1, title: 'Day team', state: 'handed_over' });
  expect(changed).toMatchObject({ title: 'Day team', state: 'handed_over', version: 2, head_seq: 3 });
  expect((await linesOf()).slice(1)).toEqual([
    { seq: 2, kind: 'system', body: 'renamed the chat to “Day team”' },
    { seq: 3, kind: 'system', body: 'handed the chat over' },
  ]);
  const entries = await ward.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('object_id', '=', chat.id)
    .where('action', '=', 'chat.update')
    .execute();
  expect(entries.map((entry) => entry.detail)).toEqual([
    { from: 'open', to: 'handed_over', renamed: true, version: 2 },
  ]);
  const told = ward.published.map(({ event, channel }) => [
    event.replace('App\\Events\\', ''),
    channel.split(/[.]/)[0],
  ]);
  const sent = [
    ['MessageSent', 'presence-chat'],
    ['MessageSent', 'private-chat'],
  ];
  expect(told).toEqual([...sent, ...sent, ['ChatChanged', 'private-App'], ['ChatChanged', 'private-App']]);
});

test('CHAT-7 a stale version is refused and leaves nothing; messages do not make a version stale', async () => {
  await say(mira, chat);
  await update(ana, { expected_version: 1, state: 'closed' });
  expect(await refusalOf(update(ana, { expected_version: 1, state: 'open' }))).toBe('409 conflict');
  expect(await linesOf()).toHaveLength(3);
});

test.each(CHAT_STATES)(
  'CHAT-7 a chat that is %s takes messages where the contract says so, and nowhere else',
  async (state) => {
    await ward.db.updateTable('chats').set({ state }).where('id', '=', chat.id).execute();
    expect(await refusalOf(say(mira, chat))).toBe(WRITABLE_STATES.includes(state) ? 'none' : '403 forbidden');
  },
);

test('CHAT-7 of ten who change the same version one succeeds', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, n) => refusalOf(update(ana, { expected_version: 1, title: `Title ${n}` }))),
  );
  expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === '409 conflict')).toHaveLength(9);
  expect(await linesOf()).toHaveLength(2);
});

test('a way that is not there is refused at state; who does not manage is refused; a stranger finds nothing', async () => {
  expect(await refusalOf(update(ana, { expected_version: 1, state: 'archived' }))).toBe('422 unprocessable');
  expect(await refusalOf(update(mira, { expected_version: 1, state: 'closed' }))).toBe('403 forbidden');
  expect(await refusalOf(update(await ward.person(), { expected_version: 1, state: 'closed' }))).toBe('404 not_found');
  expect(await update(ana, { expected_version: 1, state: 'open' })).toMatchObject({ version: 1, head_seq: 1 });
  expect(ward.published).toEqual([]);
});
