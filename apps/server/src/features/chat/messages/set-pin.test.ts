import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getChat } from '#/features/chat/chats/get-chat.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { deleteMessage } from './delete-message.ts';
import { listMessages } from './list-messages.ts';
import { listPins } from './list-pins.ts';
import { setPin } from './set-pin.ts';

let ward: Ward;
let ana: Person;
let mira: Person;
let chat: { id: string };
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

const none = { query: {}, body: {} };
const pin = async (by: Person, message: { id: string }, is_pinned = true) =>
  setPin(await by.ask(), { params: { chat: chat.id, message: message.id }, query: {}, body: { is_pinned } });
const pins = async (person: Person) =>
  (await listPins(await person.ask(), { params: { chat: chat.id }, ...none })).data.map(({ body }) => body);
const count = async (person: Person) =>
  (await getChat(await person.ask(), { params: { chat: chat.id }, ...none })).pin_count;
const told = () => ward.published.map(({ channel, event }) => `${channel.split('.')[0]} ${event.split('\\').at(-1)}`);

describe('CHAT-11 a pinned message', () => {
  test('is kept at hand for all, by whom and since when, with a line in the chat and an entry for the audit', async () => {
    const said = await say(mira, chat, { body: 'Code of the drug room: ask the charge nurse' });
    ward.published.length = 0;
    const pinned = await pin(ana, said);
    expect(pinned).toMatchObject({ pinned: { user_id: ana.id, name: 'Ana Reyes' }, change_seq: 1 });
    expect(told()).toEqual([
      ...['presence-chat MessagePinned', 'private-chat MessagePinned'],
      ...['presence-chat MessageSent', 'private-chat MessageSent'],
      ...['private-App ChatChanged', 'private-App ChatChanged'],
    ]);
    expect(ward.published.at(-1)?.data).toMatchObject({ pin_count: 1, last_message: { excerpt: 'pinned a message' } });
    expect([await pins(mira), await count(mira)]).toEqual([[said.body], 1]);
    const audits = ward.db.selectFrom('audit_entries').selectAll().where('action', '=', 'chat.message.pin');
    expect(await audits.where('object_id', '=', said.id).execute()).toMatchObject([
      { actor_id: ana.id, detail: { chat: chat.id, seq: said.seq, is_pinned: true } },
    ]);

    ward.published.length = 0;
    await pin(mira, said);
    expect(told()).toEqual([]);
    const unpinned = await pin(mira, said, false);
    expect(unpinned.pinned).toBeUndefined();
    expect(told()).not.toContain('presence-chat MessageSent');
    expect([await pins(mira), await count(mira)]).toEqual([[], 0]);
  });

  test('is for those who write there, and seen by those alone who may read it', async () => {
    const said = await say(mira, chat, { body: 'before' });
    await pin(mira, said);
    const late = await ward.person();
    await addParticipant(await ana.ask(), {
      params: { chat: chat.id, user: late.id },
      query: {},
      body: { access: 'read', history: 'now' },
    });
    expect(await pins(late)).toEqual([]);
    const after = await say(mira, chat, { body: 'after' });
    expect(await refusalOf(pin(late, after))).toBe('403 forbidden');
    const { data } = await listMessages(await ana.ask(), { params: { chat: chat.id }, ...none });
    const line = data.find(({ kind }) => kind === 'system');
    expect(line && (await refusalOf(pin(ana, line)))).toBe('422 unprocessable');
    const stranger = await ward.person();
    expect(await refusalOf(pin(stranger, said))).toBe('404 not_found');
    expect(await refusalOf(pins(stranger))).toBe('404 not_found');
    const elsewhere = await openChat(ward, ana);
    expect(await refusalOf(pin(ana, await say(ana, elsewhere)))).toBe('404 not_found');
  });

  test('goes with its text when it is deleted, and cannot be pinned after', async () => {
    const said = await say(ana, chat);
    await pin(mira, said);
    const params = { chat: chat.id, message: said.id };
    const gone = await deleteMessage(await ana.ask(), { params, query: {}, body: { reason: 'Wrong chat' } });
    expect(gone.pinned).toBeUndefined();
    expect(ward.published.at(-1)?.data).toMatchObject({ pin_count: 0 });
    expect([await pins(mira), await count(mira)]).toEqual([[], 0]);
    expect(await refusalOf(pin(mira, said))).toBe('409 conflict');
  });

  test('is one of 50 at most, also of those who pin at once; the newest pin comes first', async () => {
    const messages = Array.from({ length: 52 }, (_, n) => ({ senderId: ana.id, body: `line ${n}` }));
    const participants = [{ userId: ana.id }, { userId: mira.id }];
    chat = await makeChat(ward.db, { facilityId: ward.facility.id, participants, messages });
    const query = { limit: 60 };
    const { data } = await listMessages(await ana.ask(), { params: { chat: chat.id }, query, body: {} });
    const outcomes = await Promise.all(data.map((message, n) => refusalOf(pin(n % 2 ? ana : mira, message))));
    expect(outcomes.filter((outcome) => outcome === '409 conflict')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(50);
    const pinned = (await listPins(await ana.ask(), { params: { chat: chat.id }, ...none })).data;
    const at = pinned.map((message) => message.pinned?.at ?? '');
    expect(at).toEqual([...at].sort().reverse());
    expect([pinned.length, await count(ana)]).toEqual([50, 50]);
    const [first] = pinned;
    if (first) await pin(ana, first, false);
    const left = data.find((_, n) => outcomes[n] === '409 conflict');
    expect(left && (await refusalOf(pin(ana, left)))).toBe('none');
  });
});
