import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getChat } from '#/features/chat/chats/get-chat.ts';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { deleteMessage } from './delete-message.ts';
import { editMessage } from './edit-message.ts';
import { forwardMessage } from './forward-message.ts';
import { listMessageVersions } from './list-message-versions.ts';
import { listMessages } from './list-messages.ts';
import { setPin } from './set-pin.ts';
import { setReaction } from './set-reaction.ts';

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

const place = (message: string) => ({ params: { chat: chat.id, message }, query: {} });
const edit = async (person: Person, message: string, body: string, expected_version = 1) =>
  editMessage(await person.ask(), { ...place(message), body: { body, expected_version } });
const remove = async (person: Person, message: string, reason = 'Wrong patient') =>
  deleteMessage(await person.ask(), { ...place(message), body: { reason } });
const versionsOf = async (person: Person, message: string, query: { cursor?: string; limit?: number } = {}) =>
  listMessageVersions(await person.ask(), { ...place(message), query, body: {} });
const lastOf = async (person: Person) =>
  (await getChat(await person.ask(), { params: { chat: chat.id }, query: {}, body: {} })).last_message;
const told = () => ward.published.map(({ channel, event }) => `${channel.split('.')[0]} ${event.split('\\').at(-1)}`);
const audits = (action: string, id: string) =>
  ward.db.selectFrom('audit_entries').selectAll().where('action', '=', action).where('object_id', '=', id).execute();

describe('while it waits for its turn', () => {
  const forward = async (to: string, message: string) =>
    forwardMessage(await ana.ask(), {
      params: { chat: to },
      query: {},
      body: { client_id: newId(), source: { chat: chat.id, message } },
    });
  const mark = { query: {}, body: { is_set: true, is_pinned: true } };

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['edited', (id) => edit(ana, id, 'another text')],
    ['deleted', (id) => remove(ana, id)],
    ['pinned', async (id) => setPin(await ana.ask(), { ...place(id), ...mark })],
    [
      'marked',
      async (id) => setReaction(await ana.ask(), { params: { chat: chat.id, message: id, code: 'done' }, ...mark }),
    ],
    ['forwarded', (id) => forward(chat.id, id)],
  ])('CHAT-7 A16 nothing is %s in a chat that is closed meanwhile, and nobody is told', async (_what, change) => {
    const { id, ...said } = await say(ana, chat, { body: 'as it was sent' });
    ward.published.length = 0;
    let changing: Promise<unknown> = Promise.resolve();
    await ward.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      changing = refusalOf(change(id));
      await untilBlocked(ward.db, changing);
      await sql`update chats set state = 'closed' where id = ${chat.id}`.execute(tx);
    });
    expect(await changing).toBe('403 forbidden');
    const { data } = await listMessages(await mira.ask(), { params: { chat: chat.id }, query: {}, body: {} });
    expect(data.at(-1)).toEqual({ id, ...said });
    expect(ward.published).toEqual([]);
  });
});

describe('an edit', () => {
  test('CHAT-11 gives a message another text, keeps the one before, and is told where the list shows it', async () => {
    const { id, created_at } = await say(ana, chat, { body: 'Insulin 10 unit' });
    ward.published.length = 0;
    const edited = await edit(ana, id, 'Insulin 10 units');
    expect(edited).toMatchObject({ body: 'Insulin 10 units', version: 2, change_seq: 1, created_at });
    expect(told()).toEqual([
      'presence-chat MessageEdited',
      'private-chat MessageEdited',
      'private-App ChatChanged',
      'private-App ChatChanged',
    ]);
    expect(await lastOf(mira)).toMatchObject({ seq: 2, excerpt: 'Insulin 10 units' });
    const [entry] = await audits('chat.message.edit', id);
    expect(entry?.detail).toEqual({ chat: chat.id, seq: 2, version: 2 });

    await say(mira, chat);
    ward.published.length = 0;
    await edit(ana, id, 'Insulin 12 units', 2);
    expect(told()).toEqual(['presence-chat MessageEdited', 'private-chat MessageEdited']);
    expect(await lastOf(mira)).toMatchObject({ seq: 3 });
    const { data } = await versionsOf(mira, id);
    expect(data.map(({ version, body }) => [version, body])).toEqual([
      [3, 'Insulin 12 units'],
      [2, 'Insulin 10 units'],
      [1, 'Insulin 10 unit'],
    ]);
    expect(data[2]?.written_at).toBe(created_at);
    const first = await versionsOf(mira, id, { limit: 2 });
    const rest = await versionsOf(mira, id, { limit: 2, cursor: first.next_cursor ?? '' });
    expect([...first.data, ...rest.data]).toEqual(data);
    expect(rest.next_cursor).toBeNull();
  });

  test('CHAT-11 a repeat whose answer was lost changes nothing, and what was changed elsewhere meanwhile is a conflict', async () => {
    const { id } = await say(ana, chat, { body: 'one' });
    const edited = await edit(ana, id, 'two');
    expect(await edit(ana, id, 'two')).toEqual(edited);
    expect(await refusalOf(edit(ana, id, 'three'))).toBe('409 conflict');
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, n) => refusalOf(edit(ana, id, `racer ${n}`, 2))));
    expect(outcomes.toSorted()).toEqual([...Array(5).fill('409 conflict'), 'none']);
    expect(await audits('chat.message.edit', id)).toHaveLength(2);
  });

  test('CHAT-1 CHAT-11 a late repeat of the send finds the message as it stands, and another text is still refused', async () => {
    const client_id = newId();
    const { id } = await say(ana, chat, { client_id, body: 'as it was sent' });
    const edited = await edit(ana, id, 'as it was edited');
    expect(await say(ana, chat, { client_id, body: 'as it was sent' })).toEqual(edited);
    expect(await refusalOf(say(ana, chat, { client_id, body: 'as it was edited' }))).toBe('409 client_id_reused');
    const gone = await remove(ana, id);
    expect(await say(ana, chat, { client_id, body: 'as it was sent' })).toEqual(gone);
  });

  test('CHAT-7 CHAT-11 is its author’s alone, while they may write, and no line of the system is anybody’s', async () => {
    const { id } = await say(ana, chat);
    const page = await listMessages(await ana.ask(), { params: { chat: chat.id }, query: {}, body: {} });
    const line = page.data[0]?.id ?? '';
    const outsider = await ward.person();
    for (const change of [
      (person: Person, message: string) => edit(person, message, 'mine now'),
      (person: Person, message: string) => remove(person, message),
    ]) {
      expect(await refusalOf(change(mira, id))).toBe('403 forbidden');
      expect(await refusalOf(change(ana, line))).toBe('403 forbidden');
      expect(await refusalOf(change(outsider, id))).toBe('404 not_found');
      expect(await refusalOf(change(ana, newId()))).toBe('404 not_found');
    }
    expect(await refusalOf(versionsOf(outsider, id))).toBe('404 not_found');
    const close = { expected_version: chat.version, state: 'closed' } as const;
    await updateChat(await ana.ask(), { params: { chat: chat.id }, query: {}, body: close });
    expect(await refusalOf(edit(ana, id, 'late'))).toBe('403 forbidden');
    expect(await refusalOf(remove(ana, id))).toBe('403 forbidden');
  });
});

describe('a deletion', () => {
  test('CHAT-11 I3 leaves who, when and why, keeps the texts for the audit alone, and gives them away nowhere', async () => {
    const { id } = await say(ana, chat, { body: 'zebrafish one' });
    const reply = await say(mira, chat, { body: 'Whose?', reply_to: id });
    await setReaction(await mira.ask(), {
      params: { chat: chat.id, message: id, code: 'seen' },
      query: {},
      body: { is_set: true },
    });
    await edit(ana, id, 'zebrafish two');
    ward.published.length = 0;
    const gone = await remove(ana, id);
    expect(gone).toMatchObject({ body: '', deleted: { reason: 'Wrong patient' }, change_seq: 3 });
    expect(gone.reactions).toBeUndefined();
    expect(told()).toEqual(['presence-chat MessageDeleted', 'private-chat MessageDeleted']);
    const answers = await Promise.all([
      listMessages(await mira.ask(), { params: { chat: chat.id }, query: {}, body: {} }),
      listMessages(await mira.ask(), { params: { chat: chat.id }, query: { changed_after: 0 }, body: {} }),
      versionsOf(mira, id),
      versionsOf(ana, id),
      lastOf(mira),
    ]);
    expect(JSON.stringify([answers, ward.published, reply])).not.toContain('zebrafish');
    const kept = await ward.db.selectFrom('message_versions').selectAll().where('message_id', '=', id).execute();
    expect(kept.map(({ body, written_by }) => [body, written_by])).toEqual([
      ['zebrafish one', ana.id],
      ['zebrafish two', ana.id],
    ]);
    await expect(sql`delete from message_versions where message_id = ${id}`.execute(ward.db)).rejects.toThrow();
    const [entry] = await audits('chat.message.delete', id);
    expect(entry).toMatchObject({ actor_id: ana.id, detail: { chat: chat.id, seq: 2 } });
  });

  test('CHAT-11 of the newest message is what the list says, and a repeat keeps the first reason', async () => {
    const { id } = await say(ana, chat, { body: 'zebrafish' });
    const gone = await remove(ana, id);
    expect(await lastOf(mira)).toMatchObject({ seq: 2, excerpt: '', is_deleted: true });
    expect(await remove(ana, id, 'Another reason')).toEqual(gone);
    expect(await audits('chat.message.delete', id)).toHaveLength(1);
    expect(await refusalOf(edit(ana, id, 'back again', 1))).toBe('409 conflict');
    const react = { params: { chat: chat.id, message: id, code: 'seen' }, query: {}, body: { is_set: true } } as const;
    expect(await refusalOf(setReaction(await mira.ask(), react))).toBe('409 conflict');
  });
});
