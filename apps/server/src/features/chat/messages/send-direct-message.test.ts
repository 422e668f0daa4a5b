import type { AskedUrgent } from '@wardline/contract/chat/chat.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getChat } from '#/features/chat/chats/get-chat.ts';
import { listChats } from '#/features/chat/chats/list-chats.ts';
import { sync } from '#/features/chat/chats/sync.ts';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { directChatId, pairOf } from '#/features/chat/core/direct-pair.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import { openChatFixture, type Person, refusalOf, say, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { passHorizon } from '#/platform/postgres/testing/pass-horizon.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { listMessages } from './list-messages.ts';
import { sendDirectMessage } from './send-direct-message.ts';

let ward: Ward;
let ana: Person;
let mira: Person;
beforeAll(async () => {
  ward = await openChatFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
  ward.published.length = 0;
});

interface Written {
  readonly body?: string;
  readonly client_id?: string;
  readonly urgent?: AskedUrgent;
}

const write = async (
  from: Person,
  to: { id: string },
  { body = 'Are you on tonight?', client_id, urgent }: Written = {},
) =>
  sendDirectMessage(from)(await from.ask(), {
    params: { facility: ward.facility.id, user: to.id },
    query: {},
    body: { body, client_id: client_id ?? newId(), ...(urgent && { urgent }) },
  });
const none = { query: {}, body: {} };
const chatOf = async (person: Person, chatId: string) =>
  getChat(await person.ask(), { params: { chat: chatId }, ...none });
const textsOf = async (person: Person, chatId: string) => {
  const page = await listMessages(await person.ask(), { params: { chat: chatId }, ...none });
  return page.data.map(({ body }) => body);
};
const heardBy = (person: { id: string }) =>
  ward.published
    .filter(({ channel }) => channel.endsWith(person.id))
    .map(({ event }) => event.replace('App\\Events\\', ''));

describe('the chat of two people', () => {
  test('CHAT-17 the first message makes it, each sees it under the other’s name, and both are told', async () => {
    const { chat, message } = await write(ana, mira);
    expect(chat).toMatchObject({ kind: 'direct', title: 'Mira Okafor', state: 'open', head_seq: 1 });
    expect(chat.direct).toEqual({
      user_id: mira.id,
      name: 'Mira Okafor',
      title: 'Nurse',
      avatar_url: null,
      is_member: true,
    });
    expect(chat.my).toMatchObject({ access: 'write', unread: 0 });
    expect(message).toMatchObject({ chat_id: chat.id, seq: 1, body: 'Are you on tonight?' });
    const theirs = await chatOf(mira, chat.id);
    expect(theirs).toMatchObject({ title: 'Ana Reyes', my: { access: 'write', unread: 1 } });
    expect(theirs.direct?.user_id).toBe(ana.id);
    for (const person of [ana, mira]) expect(heardBy(person)).toEqual(['MembershipChanged', 'ChatChanged']);
    expect(ward.published.map(({ event }) => event)).toContain('App\\Events\\MessageSent');
  });

  test('CHAT-17 URG-1 the first message may be urgent: it makes the chat and calls the other, once however often it comes', async () => {
    const urgent = { targets: { people: [mira.id], role_id: null } };
    const client_id = newId();
    ward.rung.length = 0;
    const { chat, message } = await write(ana, mira, { client_id, body: 'K 6.9, please come', urgent });
    expect(message).toMatchObject({ seq: 1, urgent: { state: 'calling', people: [{ user_id: mira.id }] } });
    const audit = ward.db.selectFrom('audit_entries').select('detail').where('object_id', '=', message.id);
    expect(await audit.execute()).toEqual([{ detail: { chat: chat.id, seq: 1, people: 2, urgent } }]);
    expect(ward.rung).toEqual([{ chatId: chat.id, seq: 1, userIds: [mira.id] }]);
    expect(heardBy(mira)).toEqual(expect.arrayContaining(['MembershipChanged', 'ChatChanged']));
    expect((await chatOf(mira, chat.id)).urgent_count).toBe(1);
    ward.published.length = 0;
    const again = await Promise.all(
      [1, 2, 3].map(() => write(ana, mira, { client_id, body: 'K 6.9, please come', urgent })),
    );
    expect(new Set(again.map(({ message: { id } }) => id))).toEqual(new Set([message.id]));
    expect([ward.rung.length, ward.published]).toEqual([1, []]);
    // Not urgent, it would be another message.
    expect(await refusalOf(write(ana, mira, { client_id, body: 'K 6.9, please come' }))).toBe('409 client_id_reused');
  });

  test('CHAT-17 URG-1 two urgent ones that make the chat at the same moment call each other in one chat', async () => {
    const call = (person: Person) => ({ urgent: { targets: { people: [person.id], role_id: null } } });
    ward.rung.length = 0;
    const sent = await Promise.all([write(ana, mira, call(mira)), write(mira, ana, call(ana))]);
    expect(new Set(sent.map(({ chat }) => chat.id)).size).toBe(1);
    expect(ward.rung.flatMap(({ userIds }) => userIds).sort()).toEqual([ana.id, mira.id].sort());
    // Of two devices that send the same one, one calls.
    const zoe = await ward.person('Zoe Lund');
    ward.rung.length = 0;
    const client_id = newId();
    const twins = await Promise.all([1, 2, 3].map(() => write(ana, zoe, { client_id, ...call(zoe) })));
    expect(new Set(twins.map(({ message: { id } }) => id)).size).toBe(1);
    expect(ward.rung.map(({ userIds }) => userIds)).toEqual([[zoe.id]]);
  });

  test('CHAT-17 URG-1 an urgent first message that cannot call leaves nothing behind', async () => {
    const zoe = await ward.person('Zoe Lund');
    for (const targets of [
      { people: [], role_id: null },
      { people: [zoe.id], role_id: null },
      { people: [], role_id: newId() },
    ]) {
      expect(await refusalOf(write(ana, mira, { urgent: { targets } }))).toBe('422 unprocessable');
    }
    const made = directChatId(ward.facility.id, pairOf(ana.id, mira.id));
    expect(await ward.db.selectFrom('chats').select('id').where('id', '=', made).execute()).toEqual([]);
    expect(ward.published).toEqual([]);
  });

  test('CHAT-17 whoever of the two writes, and however often, it is the one chat', async () => {
    const { chat } = await write(ana, mira, { body: 'one' });
    ward.published.length = 0;
    expect((await write(mira, ana, { body: 'two' })).chat.id).toBe(chat.id);
    await say(ana, chat, { body: 'three' });
    expect(await textsOf(ana, chat.id)).toEqual(['one', 'two', 'three']);
    expect(heardBy(ana)).not.toContain('MembershipChanged');
    const rows = await ward.db.selectFrom('chats').select('id').where('id', '=', chat.id).execute();
    expect(rows).toHaveLength(1);
  });

  test('CHAT-17 ADM-3 each message stands in the audit, with who came into the chat by it and what it calls, where it does', async () => {
    const sent = [await write(ana, mira), await write(mira, ana)];
    await ward.endMembership(mira);
    await makeMembership(ward.db, { userId: mira.id, facility: ward.facility, roles: ['clinician'] });
    sent.push(await write(ana, mira));
    const rows = await ward.db
      .selectFrom('audit_entries')
      .select(['facility_id', 'object_type', 'object_id', 'actor_id', 'detail'])
      .where('action', '=', 'chat.direct.send')
      .where(
        'object_id',
        'in',
        sent.map(({ message }) => message.id),
      )
      .orderBy('id')
      .execute();
    const chat = sent[0]?.chat.id;
    expect(rows.map(({ actor_id, detail }) => [actor_id, detail])).toEqual([
      [ana.id, { chat, seq: 1, people: 2 }],
      [mira.id, { chat, seq: 2, people: 0 }],
      [ana.id, { chat, seq: 4, people: 1 }],
    ]);
    expect(new Set(rows.map(({ facility_id, object_type }) => `${facility_id} ${object_type}`))).toEqual(
      new Set([`${ward.facility.id} message`]),
    );
  });

  test('CHAT-17 two who write first at the same moment end in one chat with both messages', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await ward.person('One'), await ward.person('Other')];
      const sent = await Promise.all([
        write(one, other, { body: 'from one' }),
        write(other, one, { body: 'from the other' }),
        write(one, other, { body: 'again from one' }),
      ]);
      expect(new Set(sent.map(({ chat }) => chat.id)).size).toBe(1);
      expect(sent.map(({ message }) => message.seq).sort()).toEqual([1, 2, 3]);
    }
  });

  test('CHAT-17 a device can tell its id without asking', async () => {
    const facility = '0198f000-0000-7000-8000-000000000001';
    const pair = pairOf('0198f000-0000-7000-8000-00000000000b', '0198f000-0000-7000-8000-00000000000a');
    expect(directChatId(facility, pair)).toBe('3d408de4-cd88-5e4a-bb3f-830a152473da');
    const { chat } = await write(ana, mira);
    expect(chat.id).toBe(directChatId(ward.facility.id, pairOf(mira.id, ana.id)));
  });

  test('CHAT-1 CHAT-17 a repeat returns the stored message, another text under its id is refused', async () => {
    const client_id = newId();
    const first = await write(ana, mira, { client_id });
    ward.published.length = 0;
    expect((await write(ana, mira, { client_id })).message).toEqual(first.message);
    expect(await refusalOf(write(ana, mira, { client_id, body: 'other' }))).toBe('409 client_id_reused');
    expect(ward.published).toEqual([]);
    // By the chat's own address it is the same message.
    expect(await say(ana, first.chat, { client_id, body: 'Are you on tonight?' })).toEqual(first.message);
    const twins = [newId()].flatMap((id) => [write(ana, mira, { client_id: id }), write(ana, mira, { client_id: id })]);
    const [one, other] = await Promise.all(twins);
    expect(one?.message).toEqual(other?.message);
  });

  test('CHAT-17 it is found by the other’s name, and by nobody’s own', async () => {
    const { chat } = await write(ana, mira);
    const find = async (person: Person, q: string) => {
      const query = { q, kind: 'direct' as const };
      const page = await listChats(await person.ask(), { params: { facility: ward.facility.id }, query, body: {} });
      return page.data.map(({ id }) => id);
    };
    expect(await find(ana, 'okafor')).toEqual([chat.id]);
    expect(await find(ana, 'reyes')).toEqual([]);
    expect(await find(mira, 'reyes')).toEqual([chat.id]);
  });

  test('CHAT-17 another name is told by sync', async () => {
    const { chat } = await write(ana, mira);
    await passHorizon(ward.db);
    const { cursor } = await sync(await ana.ask(), { params: {}, ...none });
    await ward.db.updateTable('users').set({ name: 'Mira Lund' }).where('id', '=', mira.id).execute();
    const { chats } = await sync(await ana.ask(), { params: {}, query: { cursor }, body: {} });
    expect(chats.find(({ id }) => id === chat.id)).toMatchObject({ title: 'Mira Lund', direct: { name: 'Mira Lund' } });
  });
});

describe('who may', () => {
  test('CHAT-17 to begin needs chats.create, to answer does not', async () => {
    const aide = await ward.person('Aide', null);
    await makeMembership(ward.db, { userId: aide.id, facility: ward.facility, roles: ['censusOfficer'] });
    expect(await refusalOf(write(aide, ana))).toBe('403 forbidden');
    await write(ana, aide);
    expect((await write(aide, ana)).message.seq).toBe(2);
  });

  test('A16 CHAT-17 nobody of another facility, nobody who has left, and not oneself', async () => {
    const elsewhere = await ward.person('Elsewhere', await ward.otherFacility());
    expect(await refusalOf(write(ana, elsewhere))).toBe('404 not_found');
    expect(await refusalOf(write(elsewhere, ana))).toBe('404 not_found');
    expect(await refusalOf(write(ana, { id: newId() }))).toBe('404 not_found');
    expect(await refusalOf(write(ana, ana))).toBe('422 unprocessable');
    const gone = await ward.person('Gone');
    await ward.endMembership(gone);
    expect(await refusalOf(write(ana, gone))).toBe('404 not_found');
    expect(ward.published).toEqual([]);
  });

  test('A16 CHAT-17 a third person sees nothing of it', async () => {
    const { chat } = await write(ana, mira);
    const leila = await ward.person('Leila Haddad');
    expect(await refusalOf(chatOf(leila, chat.id))).toBe('404 not_found');
    expect(await refusalOf(say(leila, chat))).toBe('404 not_found');
  });

  test('CHAT-17 it takes in nobody, is left by nobody, and has no title or state to change', async () => {
    const { chat } = await write(ana, mira);
    const leila = await ward.person('Leila Haddad');
    const at = (user: { id: string }) => ({ params: { chat: chat.id, user: user.id }, ...none });
    const remove = removeParticipant({ rightsChanged: () => undefined });
    expect(await refusalOf(addParticipant(await ana.ask(), at(leila)))).toBe('403 forbidden');
    expect(await refusalOf(remove(await ana.ask(), at(mira)))).toBe('403 forbidden');
    expect(await refusalOf(remove(await ana.ask(), at(ana)))).toBe('403 forbidden');
    const change = { params: { chat: chat.id }, query: {}, body: { expected_version: chat.version, title: 'Ours' } };
    expect(await refusalOf(updateChat(await ana.ask(), change))).toBe('403 forbidden');
  });

  test('CHAT-17 with one who left the facility the other reads on and cannot write, until they are back', async () => {
    const { chat } = await write(ana, mira, { body: 'before' });
    await passHorizon(ward.db);
    const { cursor } = await sync(await ana.ask(), { params: {}, ...none });
    await ward.endMembership(mira);
    expect(await refusalOf(chatOf(mira, chat.id))).toBe('404 not_found');
    expect(await textsOf(ana, chat.id)).toEqual(['before']);
    const { chats } = await sync(await ana.ask(), { params: {}, query: { cursor }, body: {} });
    expect(chats).toMatchObject([{ title: 'Mira Okafor', state: 'closed', direct: { title: null, is_member: false } }]);
    expect(await refusalOf(say(ana, chat))).toBe('403 forbidden');
    expect(await refusalOf(write(ana, mira))).toBe('404 not_found');

    await makeMembership(ward.db, { userId: mira.id, facility: ward.facility, roles: ['clinician'] });
    ward.published.length = 0;
    const back = await write(ana, mira, { body: 'you are back' });
    // One further than its closing had made it.
    expect(back.chat).toMatchObject({ id: chat.id, state: 'open', version: chat.version + 2 });
    expect(await textsOf(mira, chat.id)).toEqual(['before', 'reopened the chat', 'you are back']);
    expect(heardBy(mira)).toContain('MembershipChanged');
    expect(heardBy(ana)).toEqual(['ChatChanged']);
  });

  test('CHAT-1 CHAT-17 a repeat that comes after the other has left is answered as stored', async () => {
    const client_id = newId();
    const { message } = await write(ana, mira, { client_id });
    await ward.endMembership(mira);
    expect((await write(ana, mira, { client_id })).message).toEqual(message);
  });
});
