import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getChat } from '#/features/chat/chats/get-chat.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import { openChat, openChatFixture, type Person, refusalOf, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { deleteMessage } from './delete-message.ts';
import { editMessage } from './edit-message.ts';
import { listMessages } from './list-messages.ts';
import { raiseMarkers } from './raise-markers.ts';
import { sendMessage } from './send-message.ts';

let ward: Ward;
let ana: Person;
let mira: Person;
let leila: Person;
let chat: { id: string };
beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
  leila = await ward.person('Leila Haddad');
});
afterAll(() => ward.close());
beforeEach(async () => {
  chat = await openChat(ward, ana, [mira, leila]);
  ward.published.length = 0;
});

const none = { query: {}, body: {} };
const user = ({ id }: { id: string }) => ({ kind: 'user', id }) as const;
const ALL = { kind: 'all', id: null } as const;
type Targets = readonly (ReturnType<typeof user> | typeof ALL)[];

const call = async (by: Person, body: string, mentions: Targets, client_id = newId()) =>
  sendMessage(by)(await by.ask(), {
    params: { chat: chat.id },
    query: {},
    body: { client_id, body, mentions: [...mentions] },
  });
const mine = async (person: Person) =>
  (await getChat(await person.ask(), { params: { chat: chat.id }, ...none })).my.mention_seq;
/** What the devices of a person were told on their own channel. */
const toldTo = (person: Person) =>
  ward.published.flatMap(({ channel, event, data }) =>
    channel.endsWith(`User.${person.id}`) ? [[event.split('\\').at(-1), data as Record<string, unknown>] as const] : [],
  );

describe('CHAT-10 a message mentions', () => {
  test('people of the chat, by name, once each, and all are told whom', async () => {
    const said = await call(ana, '@Mira Okafor and @Leila Haddad, K 6.8', [user(mira), user(leila), user(mira)]);
    expect(said.mentions).toEqual([
      { kind: 'user', id: mira.id, name: 'Mira Okafor' },
      { kind: 'user', id: leila.id, name: 'Leila Haddad' },
    ]);
    const { data } = await listMessages(await mira.ask(), { params: { chat: chat.id }, ...none });
    expect(data.at(-1)?.mentions).toEqual(said.mentions);
    expect([await mine(mira), await mine(leila), await mine(ana)]).toEqual([2, 2, 0]);
    for (const person of [ana, mira, leila]) {
      expect(toldTo(person).map(([, payload]) => payload['mentioned'])).toEqual([[mira.id, leila.id]]);
    }
    await raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: 2 } });
    expect(await mine(mira)).toBe(2);
  });

  test('nobody who is not in the chat, and a message that does is not stored', async () => {
    const stranger = await ward.person('Noor Siddiqui');
    expect(await refusalOf(call(ana, '@Noor Siddiqui?', [user(stranger)]))).toBe('422 unprocessable');
    await removeParticipant({ rightsChanged: () => undefined })(await ana.ask(), {
      params: { chat: chat.id, user: leila.id },
      ...none,
    });
    expect(await refusalOf(call(ana, '@Leila Haddad?', [user(leila)]))).toBe('422 unprocessable');
    const wrong = [
      { kind: 'user', id: null },
      { kind: 'all', id: mira.id },
    ] as unknown as Targets[];
    for (const target of wrong) expect(await refusalOf(call(ana, 'x', [target] as never))).toBe('422 unprocessable');
    const { head_seq } = await listMessages(await ana.ask(), { params: { chat: chat.id }, ...none });
    expect(head_seq).toBe(2);
    expect(await refusalOf(call(stranger, '@Ana Reyes', [user(ana)]))).toBe('404 not_found');
  });

  test('all, by who manages the chat alone; whoever comes later was not called', async () => {
    expect(await refusalOf(call(mira, '@all stop', [ALL]))).toBe('403 forbidden');
    const client_id = newId();
    const said = await call(ana, '@all fire panel test at 14:00', [ALL], client_id);
    expect(said.mentions).toEqual([{ kind: 'all', id: null, name: 'all' }]);
    const late = await ward.person('Priya Nair');
    await addParticipant(await ana.ask(), { params: { chat: chat.id, user: late.id }, query: {}, body: {} });
    expect([await mine(mira), await mine(leila), await mine(ana), await mine(late)]).toEqual([2, 2, 0, 0]);
    expect(toldTo(mira)[0]?.[1]['mentioned']).toBe('all');
    // Who may call all no more is told of what they did call.
    await addParticipant(await ana.ask(), {
      params: { chat: chat.id, user: mira.id },
      query: {},
      body: { access: 'manage' },
    });
    await addParticipant(await mira.ask(), {
      params: { chat: chat.id, user: ana.id },
      query: {},
      body: { access: 'write' },
    });
    expect((await call(ana, '@all fire panel test at 14:00', [ALL], client_id)).id).toBe(said.id);
    expect(await refusalOf(call(ana, '@all again', [ALL]))).toBe('403 forbidden');
  });

  test('those alone whose name is still in it after an edit, and nobody once deleted; their devices are told', async () => {
    const first = await call(ana, '@Mira Okafor, @Leila Haddad: bed 9', [user(mira), user(leila)]);
    const second = await call(ana, '@Mira Okafor and @Leila Haddad', [user(mira), user(leila)]);
    ward.published.length = 0;
    const params = { chat: chat.id, message: second.id };
    const edited = await editMessage(await ana.ask(), {
      params,
      query: {},
      body: { expected_version: 1, body: '@Leila Haddad, please' },
    });
    expect(edited.mentions?.map(({ name }) => name)).toEqual(['Leila Haddad']);
    expect([await mine(mira), await mine(leila)]).toEqual([first.seq, second.seq]);
    const markers = (person: Person) => toldTo(person).filter(([event]) => event === 'MarkersChanged');
    expect(markers(mira).map(([, payload]) => payload['mention_seq'])).toEqual([first.seq]);
    expect(markers(leila)).toEqual([]);
    const gone = await deleteMessage(await ana.ask(), { params, query: {}, body: { reason: 'Wrong chat' } });
    expect(gone.mentions).toBeUndefined();
    expect([await mine(mira), await mine(leila)]).toEqual([first.seq, first.seq]);
  });

  test('each as often as it happened where many write at once', async () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? call(ana, `@Leila Haddad ${n}`, [user(leila)]) : call(mira, `@Ana Reyes ${n}`, [user(ana)]),
    );
    const sent = await Promise.all(many);
    const last = (person: Person) => Math.max(...sent.filter((m) => m.sender.id === person.id).map(({ seq }) => seq));
    expect([await mine(leila), await mine(ana), await mine(mira)]).toEqual([last(ana), last(mira), 0]);
    const { count } = await ward.db
      .selectFrom('message_mentions')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('chat_id', '=', chat.id)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(20);
  });
});
