import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { chatChannelRules } from '#/features/chat/core/chat-events.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { runs } from '#/testing/nightly.ts';
import { listMessages } from './list-messages.ts';
import { setReaction, withReaction } from './set-reaction.ts';

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

type Code = Parameters<typeof setReaction>[1]['params']['code'];

const react = async (person: Person, message: string, code: Code = 'done', is_set = true) =>
  setReaction(await person.ask(), { params: { chat: chat.id, message, code }, query: {}, body: { is_set } });
const page = async (person: Person, query: Parameters<typeof listMessages>[1]['query'] = {}) =>
  listMessages(await person.ask(), { params: { chat: chat.id }, query, body: {} });
const codesOf = (message: { reactions?: { code: string; name: string }[] | undefined } | undefined) =>
  (message?.reactions ?? []).map(({ code, name }) => `${code} ${name}`);

describe('a reaction', () => {
  test('CHAT-11 is given once however often it is sent, audited without a text, and told to those who have the chat open', async () => {
    const { id } = await say(ana, chat, { body: 'Monitor strip is on the desk.' });
    ward.published.length = 0;
    const answers = [await react(mira, id), await react(mira, id)];
    expect(answers.map((message) => [message.change_seq, codesOf(message)])).toEqual([
      [1, ['done Mira Okafor']],
      [1, ['done Mira Okafor']],
    ]);
    expect(ward.published.map(({ channel, event }) => `${channel} ${event}`)).toEqual([
      `presence-chat.${chat.id} App\\Events\\ReactionsChanged`,
      `private-chat.${chat.id} App\\Events\\ReactionsChanged`,
    ]);
    expect(ward.published[0]?.data).toEqual({ message: answers[0] });
    const entries = await ward.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', 'chat.message.react')
      .where('object_id', '=', id)
      .execute();
    expect(entries.map(({ actor_id, detail }) => [actor_id, detail])).toEqual([
      [mira.id, { chat: chat.id, seq: 2, code: 'done', is_set: true }],
    ]);
  });

  test('CHAT-11 is taken back, by who gave it alone, and one who gave several keeps the others', async () => {
    const { id } = await say(ana, chat);
    await react(mira, id, 'seen');
    await react(mira, id, 'on_my_way');
    await react(ana, id, 'seen', false);
    expect(codesOf((await page(ana)).data.at(-1))).toEqual(['seen Mira Okafor', 'on_my_way Mira Okafor']);
    const left = await react(mira, id, 'seen', false);
    expect(codesOf(left)).toEqual(['on_my_way Mira Okafor']);
    expect((await react(mira, id, 'on_my_way', false)).reactions).toBeUndefined();
  });

  test('CHAT-11 CHAT-6 of who is not in the chat is answered as if there were no chat; a line of the system takes none', async () => {
    const { id } = await say(ana, chat);
    const outsider = await ward.person();
    expect(await refusalOf(react(outsider, id))).toBe('404 not_found');
    expect(await refusalOf(react(ana, newId()))).toBe('404 not_found');
    const other = await say(ana, await openChat(ward, ana));
    expect(await refusalOf(react(ana, other.id))).toBe('404 not_found');
    const [created] = (await page(ana)).data;
    expect(await refusalOf(react(ana, created?.id ?? ''))).toBe('422 unprocessable');
  });

  test('CHAT-6 on what was said before one came is answered as if there were no such message', async () => {
    const early = await say(ana, chat);
    const late = await ward.person();
    await ward.db
      .insertInto('chat_participants')
      .values({ chat_id: chat.id, user_id: late.id, facility_id: ward.facility.id, access: 'write', joined_seq: 2 })
      .execute();
    expect(await refusalOf(react(late, early.id))).toBe('404 not_found');
    await react(ana, early.id);
    expect((await page(late, { changed_after: 0 })).data).toEqual([]);
    const now = await say(ana, chat);
    await react(late, now.id);
    expect((await page(late, { changed_after: 0 })).data.map(({ seq }) => seq)).toEqual([3]);
  });

  test('CHAT-7 who may only read may react, and nobody in a chat that is closed', async () => {
    const { id } = await say(ana, chat);
    await ward.db.updateTable('chat_participants').set({ access: 'read' }).where('user_id', '=', mira.id).execute();
    expect(codesOf(await react(mira, id, 'seen'))).toEqual(['seen Mira Okafor']);
    const close = { expected_version: chat.version, state: 'closed' } as const;
    await updateChat(await ana.ask(), { params: { chat: chat.id }, query: {}, body: close });
    expect(await refusalOf(react(mira, id, 'seen', false))).toBe('403 forbidden');
    await ward.db.updateTable('chat_participants').set({ access: 'write' }).where('user_id', '=', mira.id).execute();
  });

  test('CHAT-11 past fifty of them devices are told that something changed, and not all of it each time', async () => {
    const { id } = await say(ana, chat);
    const many = Array.from({ length: 50 }, (_, n) => ({ code: 'seen', user_id: newId(), name: `N ${n}`, at: '' }));
    await ward.db
      .updateTable('messages')
      .set({ reactions: JSON.stringify(many) })
      .where('id', '=', id)
      .execute();
    ward.published.length = 0;
    await react(mira, id);
    expect(ward.published.map(({ event }) => event)).toEqual(['App\\Events\\ChatChanged', 'App\\Events\\ChatChanged']);
    expect(ward.published[0]?.data).toMatchObject({ head_seq: 2, head_change_seq: 1 });
    expect((await page(ana, { changed_after: 0 })).data[0]?.reactions).toHaveLength(51);
  });
});

describe('what changed', () => {
  test('CHAT-4 of many at once has a count without a gap, and pages of any size give each message as it stands', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await say(ana, chat)).id);
    const codes: readonly Code[] = ['seen', 'done', 'agree', 'thanks'];
    await Promise.all(ids.flatMap((id) => codes.map((code, n) => react(n % 2 === 0 ? ana : mira, id, code))));
    const stored = await ward.db
      .selectFrom('messages')
      .select(['id', 'change_seq'])
      .where('chat_id', '=', chat.id)
      .where('change_seq', '>', 0)
      .orderBy('change_seq')
      .execute();
    const { head_change_seq } = await page(ana);
    expect(head_change_seq).toBe(20);
    expect(stored.at(-1)?.change_seq).toBe(20);
    const rule = chatChannelRules[0];
    expect(await rule?.snapshot?.(chat.id, ward.db)).toEqual({ head_seq: 6, head_change_seq: 20 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 20 }), async (limit, from) => {
        const found = [];
        for (let after = from; ; ) {
          const { data } = await page(mira, { changed_after: after, limit });
          found.push(...data);
          const last = data.at(-1)?.change_seq;
          if (last === undefined) break;
          expect(last).toBeGreaterThan(after);
          after = last;
        }
        const wanted = stored.filter((row) => row.change_seq > from);
        expect(found.map(({ id, change_seq }) => ({ id, change_seq }))).toEqual(wanted);
        expect(found.every(({ reactions }) => reactions?.length === 4)).toBe(true);
      }),
      { numRuns: runs(8) },
    );
  });

  test('CHAT-4 a new message counts as no change', async () => {
    await say(ana, chat);
    expect(await page(ana)).toMatchObject({ head_seq: 2, head_change_seq: 0 });
    expect((await page(ana, { changed_after: 0 })).data).toEqual([]);
  });
});

test('CHAT-11 giving and taking back is a set of code and person, in the order of giving', () => {
  const code = fc.constantFrom('seen', 'done');
  const user_id = fc.constantFrom('ana', 'mira', 'leila');
  fc.assert(
    fc.property(fc.array(fc.tuple(code, user_id, fc.boolean())), (steps) => {
      let reactions: NonNullable<ReturnType<typeof withReaction>> = [];
      const model = new Set<string>();
      for (const [code, user_id, isSet] of steps) {
        const next = withReaction({ reactions }, { code, user_id, name: user_id, at: '' }, isSet);
        expect(next === null).toBe(model.has(`${code} ${user_id}`) === isSet);
        if (isSet) model.add(`${code} ${user_id}`);
        else model.delete(`${code} ${user_id}`);
        reactions = next ?? reactions;
      }
      expect(reactions.map(({ code, user_id }) => `${code} ${user_id}`)).toEqual([...model]);
    }),
  );
});
