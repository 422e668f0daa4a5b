import type { MessageAct } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { listParticipants } from '#/features/chat/participants/list-participants.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import { openChatFixture, type Person, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { newId } from '#/platform/new-id.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { listMessages } from './list-messages.ts';
import { sayInDiscussion } from './say-in-discussion.ts';

let ward: Ward;
let ruth: Person;
let ana: Person;
let kofi: Person;
beforeAll(async () => {
  ward = await openChatFixture();
  ruth = await ward.person('Ruth Calloway');
  ana = await ward.person('Ana Reyes');
  kofi = await ward.person('Kofi Mensah');
});
afterAll(() => ward.close());
beforeEach(() => {
  ward.published.length = 0;
});

interface Said {
  readonly people?: readonly string[];
  readonly by?: Person | null;
  readonly body?: string;
  readonly act?: MessageAct;
}

const say = (
  chatId: string | null,
  { people = [ruth.id, ana.id], by = ruth, body = 'returned the report', act }: Said = {},
) =>
  ward.db.transaction().execute((tx) =>
    sayInDiscussion(tx, {
      facilityId: ward.facility.id,
      chatId,
      title: 'MED 3A · Thu 19 Nov',
      people,
      by: by && { userId: by.id, name: by.name },
      body,
      ...(act && { act }),
    }),
  );
const linesOf = async (person: Person, chat: string) => {
  const page = await listMessages(await person.ask(), { params: { chat }, query: {}, body: {} });
  return page.data.map(({ sender, kind, body }) => [sender.name, kind, body]);
};
const peopleOf = async (person: Person, chat: string) => {
  const page = await listParticipants(await person.ask(), { params: { chat }, query: {}, body: {} });
  return page.data.map(({ name, access }) => [name, access]);
};

describe('a discussion of another feature', () => {
  it('CEN-10 is opened with its first line, for those concerned, under whoever acted', async () => {
    const { chatId, publish } = await say(null);
    expect(await peopleOf(ana, chatId)).toEqual([
      ['Ana Reyes', 'write'],
      ['Ruth Calloway', 'manage'],
    ]);
    expect(await linesOf(ana, chatId)).toEqual([['Ruth Calloway', 'system', 'returned the report']]);
    expect(publish.map(({ channel, data }) => [channel, (data as { change: string }).change])).toEqual(
      [ruth.id, ana.id].map((id) => [`private-App.Models.User.${id}`, 'added']),
    );
  });

  it('CEN-10 A16 takes in nobody who is no member of its facility', async () => {
    const elsewhere = await ward.person('Ines Otero', await ward.otherFacility());
    const left = await ward.person('Noor Haas');
    await ward.endMembership(left);
    const { chatId } = await say(null, { people: [ana.id, elsewhere.id, left.id] });
    expect(await peopleOf(ana, chatId)).toEqual([['Ana Reyes', 'write']]);
    await say(chatId, { people: [elsewhere.id, left.id] });
    expect(await peopleOf(ana, chatId)).toEqual([['Ana Reyes', 'write']]);
  });

  it('CEN-10 A16 is not written into the chat of another facility', async () => {
    const other = await ward.otherFacility();
    const { chatId } = await say(null);
    const elsewhere = ward.db
      .transaction()
      .execute((tx) =>
        sayInDiscussion(tx, { facilityId: other.id, chatId, title: 'x', people: [], by: null, body: 'x' }),
      );
    await expect(elsewhere).rejects.toThrow('a discussion is not in its facility');
  });

  it('CEN-10 takes in who is concerned later, and tells those in it of the line', async () => {
    const { chatId } = await say(null);
    const { publish } = await say(chatId, { people: [kofi.id], body: 'corrected the report' });
    expect((await peopleOf(ana, chatId)).map(([name]) => name)).toEqual(['Ana Reyes', 'Kofi Mensah', 'Ruth Calloway']);
    expect(publish.map(({ event }) => event.split('\\').at(-1)).toSorted()).toEqual([
      'ChatChanged',
      'ChatChanged',
      'ChatChanged',
      'MembershipChanged',
      'MessageSent',
      'MessageSent',
    ]);
    expect((await linesOf(kofi, chatId)).map(([, , body]) => body)).toEqual([
      'returned the report',
      'corrected the report',
    ]);
  });

  it('CEN-9 carries what can be done about it on its own line alone, whether it opens the discussion or goes on', async () => {
    const closing = { expected_version: 1, state: 'closed' } as const;
    const act = { kind: 'census.alert', id: newId() } as const;
    const { chatId } = await say(null, { act });
    await updateChat(await ruth.ask(), { params: { chat: chatId }, query: {}, body: closing });
    const { publish } = await say(chatId, { act });
    const page = await listMessages(await ana.ask(), { params: { chat: chatId }, query: {}, body: {} });
    expect(page.data.map(({ body, act: carried }) => [body, carried])).toEqual([
      ['returned the report', act],
      ['closed the chat', undefined],
      ['reopened the chat', undefined],
      ['returned the report', act],
    ]);
    const sent = publish.filter(({ channel }) => channel.startsWith('presence-')).map(({ data }) => data);
    expect(sent).toEqual(page.data.slice(2).map((message) => ({ message })));
  });

  it('CEN-10 leaves out who left it, until they join the facility anew', async () => {
    const mira = await ward.person('Mira Okafor');
    const { chatId } = await say(null, { people: [ana.id, mira.id] });
    const leave = removeParticipant({ rightsChanged: () => undefined });
    await leave(await mira.ask(), { params: { chat: chatId, user: mira.id }, query: {}, body: {} });
    await say(chatId, { people: [mira.id] });
    expect((await peopleOf(ana, chatId)).map(([name]) => name)).toEqual(['Ana Reyes']);
    await ward.endMembership(mira);
    await makeMembership(ward.db, { userId: mira.id, facility: ward.facility });
    await say(chatId, { people: [mira.id] });
    expect((await peopleOf(ana, chatId)).map(([name]) => name)).toEqual(['Ana Reyes', 'Mira Okafor']);
  });

  it('CEN-10 that was closed is reopened, so that people can answer', async () => {
    const { chatId } = await say(null);
    const closing = { expected_version: 1, state: 'closed' } as const;
    await updateChat(await ruth.ask(), { params: { chat: chatId }, query: {}, body: closing });
    await say(chatId, { body: 'returned the report' });
    const chat = await ward.db.selectFrom('chats').selectAll().where('id', '=', chatId).executeTakeFirstOrThrow();
    expect(chat).toMatchObject({ state: 'open', version: 3 });
    expect((await linesOf(ana, chatId)).map(([, , body]) => body)).toEqual([
      'returned the report',
      'closed the chat',
      'reopened the chat',
      'returned the report',
    ]);
  });

  it('CEN-10 is the server’s own line where nobody acted, and unread by all', async () => {
    const { chatId } = await say(null, { by: null, body: 'asks for the report' });
    expect(await linesOf(ana, chatId)).toEqual([['Wardline', 'system', 'asks for the report']]);
    expect((await peopleOf(ana, chatId)).map(([, access]) => access)).toEqual(['write', 'write']);
  });

  it('CEN-10 that is opened in a transaction which fails was never there', async () => {
    const before = await ward.db.selectFrom('chats').select('id').execute();
    const failing = ward.db.transaction().execute(async (tx) => {
      await sayInDiscussion(tx, {
        facilityId: ward.facility.id,
        chatId: null,
        title: 'x',
        people: [ana.id],
        by: null,
        body: 'x',
      });
      throw new Error('the report could not be stored');
    });
    await expect(failing).rejects.toThrow('the report could not be stored');
    expect(await ward.db.selectFrom('chats').select('id').execute()).toEqual(before);
  });
});

describe('the voice of the server', () => {
  it('CEN-10 the database refuses to let it sign in, rule or belong', async () => {
    const changes = [
      sql`update users set disabled_at = null where id = ${SERVER_USER.id}`,
      sql`update users set is_operator = true where id = ${SERVER_USER.id}`,
      sql`update users set is_demo = true where id = ${SERVER_USER.id}`,
      sql`insert into memberships (id, facility_id, user_id) values (gen_random_uuid(), ${ward.facility.id}, ${SERVER_USER.id})`,
    ];
    for (const change of changes) await expect(change.execute(ward.db)).rejects.toMatchObject({ code: '23514' });
  });
});
