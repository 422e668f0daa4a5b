import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createChat } from '#/features/chat/chats/create-chat.ts';
import { getChat } from '#/features/chat/chats/get-chat.ts';
import { listChats } from '#/features/chat/chats/list-chats.ts';
import { sync } from '#/features/chat/chats/sync.ts';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { chatChannelRules } from '#/features/chat/core/chat-events.ts';
import { holdMembers } from '#/features/chat/core/participant-queries.ts';
import { listMessages } from '#/features/chat/messages/list-messages.ts';
import { raiseMarkers } from '#/features/chat/messages/raise-markers.ts';
import { addChatRole, removeChatRole } from '#/features/chat/roles/chat-roles.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { newId } from '#/platform/new-id.ts';
import { passHorizon } from '#/platform/postgres/testing/pass-horizon.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { makeOnCallRole } from '#/testing/factories/on-call.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { addParticipant } from './add-participant.ts';
import { listParticipants } from './list-participants.ts';
import { removeParticipant } from './remove-participant.ts';
import { setFavorite } from './set-favorite.ts';
import { setNotifications } from './set-notifications.ts';
import { setUnreadMark } from './set-unread-mark.ts';

let ward: Ward;
let ana: Person;
let mira: Person;
let leila: Person;
let chat: { id: string };
const rechecked: string[] = [];
beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
  leila = await ward.person('Leila Haddad');
});
afterAll(() => ward.close());
beforeEach(async () => {
  chat = await openChat(ward, ana, [mira]);
  ward.published.length = 0;
  rechecked.length = 0;
});

const remove = removeParticipant({ rightsChanged: (userId) => void rechecked.push(userId) });
const of = (user: { id: string }) => ({ params: { chat: chat.id, user: user.id }, query: {} });
const add = async (by: Person, user: { id: string }, access?: 'read' | 'write' | 'manage') =>
  addParticipant(await by.ask(), { ...of(user), body: access ? { access } : {} });
const addFrom = async (user: { id: string }, history: 'all' | 'now') =>
  addParticipant(await ana.ask(), { ...of(user), body: { history } });
const linesFor = async (person: Person) => {
  const { data } = await listMessages(await person.ask(), { params: { chat: chat.id }, ...here });
  return data.map((message) => message.body);
};
const takeOut = async (by: Person, user: { id: string }) => remove(await by.ask(), { ...of(user), body: {} });
const here = { query: {}, body: {} };
const eventsTo = (user: { id: string }) =>
  ward.published
    .filter(({ channel }) => channel.endsWith(user.id))
    .map(({ event }) => event.replace('App\\Events\\', ''));

test('a member who is added reads what was said before, and everybody is told', async () => {
  await say(ana, chat, { body: 'said before' });
  expect(await add(ana, leila)).toMatchObject({
    user_id: leila.id,
    name: 'Leila Haddad',
    access: 'write',
    read_seq: 0,
  });
  const { data } = await listMessages(await leila.ask(), { params: { chat: chat.id }, ...here });
  expect(data.map((message) => message.body)).toEqual([
    'created the chat',
    'said before',
    'added Leila Haddad, who sees all messages',
  ]);
  expect(eventsTo(leila)).toContain('MembershipChanged');
  ward.published.length = 0;
  expect(await add(ana, leila)).toMatchObject({ access: 'write' });
  expect(ward.published).toEqual([]);
  expect(await add(ana, leila, 'read')).toMatchObject({ access: 'read' });
  expect(await refusalOf(say(leila, chat))).toBe('403 forbidden');
});

test('CHAT-18 who is added from now on sees nothing of before, and everybody is told so', async () => {
  await say(ana, chat, { body: 'said before' });
  expect(await addFrom(leila, 'now')).toMatchObject({ joined_seq: 2, read_seq: 2, delivered_seq: 2 });
  await say(ana, chat, { body: 'said after' });
  expect(await linesFor(leila)).toEqual(['added Leila Haddad, who sees messages from now on', 'said after']);
  expect(await getChat(await leila.ask(), { params: { chat: chat.id }, ...here })).toMatchObject({ my: { unread: 2 } });
  const { data } = await listParticipants(await mira.ask(), { params: { chat: chat.id }, ...here });
  expect(data.map(({ name, joined_seq }) => [name, joined_seq])).toEqual([
    ['Ana Reyes', 0],
    ['Leila Haddad', 2],
    ['Mira Okafor', 0],
  ]);
  // Another access later is no other history.
  await add(ana, leila, 'read');
  expect(await linesFor(leila)).toHaveLength(3);
});

test('CHAT-18 who comes back sees what is chosen then', async () => {
  await say(ana, chat, { body: 'said before' });
  await takeOut(mira, mira);
  await addFrom(mira, 'now');
  expect(await linesFor(mira)).toEqual(['added Mira Okafor, who sees messages from now on']);
  await takeOut(mira, mira);
  await addFrom(mira, 'all');
  expect((await linesFor(mira))[1]).toBe('said before');
});

test('CHAT-18 when the last who manages leaves, whoever has read furthest manages, and is told', async () => {
  await add(ana, leila);
  await say(ana, chat);
  await raiseMarkers(await leila.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: 3 } });
  ward.published.length = 0;
  await takeOut(ana, ana);
  expect((await linesFor(leila)).slice(-2)).toEqual(['left the chat', 'gave Leila Haddad manage access']);
  expect(eventsTo(leila)).toContain('MembershipChanged');
  expect(eventsTo(mira)).toEqual(['ChatChanged']);
  const { data } = await listParticipants(await mira.ask(), { params: { chat: chat.id }, ...here });
  expect(data.map(({ name, access }) => [name, access])).toEqual([
    ['Leila Haddad', 'manage'],
    ['Mira Okafor', 'write'],
  ]);
  await add(leila, ana);
});

test('CHAT-18 nobody becomes a manager where one stays, or where nobody may write', async () => {
  await add(ana, mira, 'manage');
  await takeOut(ana, ana);
  expect((await linesFor(mira)).at(-1)).toBe('left the chat');
  chat = await openChat(ward, ana, []);
  await add(ana, leila, 'read');
  await takeOut(ana, ana);
  expect((await linesFor(leila)).at(-1)).toBe('left the chat');
});

test('CHAT-18 an announcement is made by who manages chats, read by the others, and never without a manager', async () => {
  const post = async (by: Person) =>
    createChat(await by.ask(), {
      params: { facility: ward.facility.id },
      query: {},
      body: { client_id: newId(), kind: 'announcement', title: 'Fire test', participant_ids: [mira.id] },
    });
  expect(await refusalOf(post(ana))).toBe('403 forbidden');
  const admin = await ward.person('Marit Solheim', null);
  await makeMembership(ward.db, { userId: admin.id, facility: ward.facility, roles: ['facilityAdministrator'] });
  chat = await post(admin);
  expect(await refusalOf(say(mira, chat))).toBe('403 forbidden');
  await say(admin, chat, { body: 'Bells at two.' });
  expect((await linesFor(mira)).at(-1)).toBe('Bells at two.');
  expect(await add(admin, leila)).toMatchObject({ access: 'read' });
  expect(await refusalOf(add(admin, leila, 'write'))).toBe('422 unprocessable');
  expect(await refusalOf(takeOut(admin, admin))).toBe('409 conflict');
  expect((await linesFor(mira)).at(-1)).not.toBe('left the chat');
  await add(admin, leila, 'manage');
  await takeOut(admin, admin);
  await say(leila, chat, { body: 'It is over.' });
});

test('CHAT-18 who manages another chat manages no announcement by that, and the last in one leaves it to nobody', async () => {
  const admin = await ward.person('Marit Solheim', null);
  await makeMembership(ward.db, { userId: admin.id, facility: ward.facility, roles: ['facilityAdministrator'] });
  await openChat(ward, mira);
  const body = { client_id: newId(), kind: 'announcement' as const, title: 'Fire test', participant_ids: [mira.id] };
  chat = await createChat(await admin.ask(), { params: { facility: ward.facility.id }, query: {}, body });
  expect(await refusalOf(takeOut(admin, admin))).toBe('409 conflict');
  await takeOut(admin, mira);
  await takeOut(admin, admin);
  await expectNothingFor(admin);
});

test('A9 PERM-3 who manages by a right of the facility manages nothing once it has ended while they wait', async () => {
  const admin = await ward.person('Marit Solheim', null);
  await makeMembership(ward.db, { userId: admin.id, facility: ward.facility, roles: ['facilityAdministrator'] });
  const roleId = await makeOnCallRole(ward.db, { facilityId: ward.facility.id, name: 'Medical registrar' });
  const role = { params: { chat: chat.id, role: roleId }, ...here };
  await add(ana, admin, 'write');
  const version = (await getChat(await admin.ask(), { params: { chat: chat.id }, ...here })).version;
  // As they were when the request came.
  const asked = await admin.ask();
  const deps = { roleClock: { look: () => Promise.resolve() }, rightsChanged: () => undefined };
  const acts = {
    rename: () =>
      updateChat(asked, { params: { chat: chat.id }, query: {}, body: { expected_version: version, title: 'X' } }),
    add: () => addParticipant(asked, { ...of(leila), body: {} }),
    remove: () => remove(asked, { ...of(mira), body: {} }),
    'add a role': () => addChatRole(deps)(asked, role),
    'remove a role': () => removeChatRole(deps)(asked, role),
  };
  await addChatRole(deps)(await ana.ask(), role);
  const { facilityAdministrator } = ward.facility.roles;
  await ward.db.deleteFrom('membership_roles').where('role_id', '=', facilityAdministrator).execute();
  for (const [name, act] of Object.entries(acts))
    expect([name, await refusalOf(act())]).toEqual([name, '403 forbidden']);
  expect(await add(ana, leila)).toMatchObject({ access: 'write' });
});

test('CHAT-18 ADM-3 the audit says who came in with what, who was given what, who went, and who manages since', async () => {
  const other = await openChat(ward, leila, [mira]);
  await add(ana, leila);
  await addFrom(await ward.person('Noor'), 'now');
  await add(ana, leila, 'read');
  await takeOut(ana, leila);
  await raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: 100 } });
  await takeOut(ana, ana);
  expect((await linesFor(mira)).at(-1)).toBe('gave Mira Okafor manage access');
  const rows = await ward.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'detail'])
    .where('object_id', '=', chat.id)
    .where('action', 'like', 'chat.participant.%')
    .orderBy('id')
    .execute();
  const user = expect.any(String);
  expect(rows.map(({ action, detail }) => [action.slice(17), detail])).toEqual([
    ['add', { user: leila.id, access: 'write', change: 'added', history: 'all' }],
    ['add', { user, access: 'write', change: 'added', history: 'now' }],
    ['add', { user: leila.id, access: 'read', change: 'changed', history: null }],
    ['remove', { user: leila.id }],
    ['remove', { user: ana.id, managed_by: mira.id }],
  ]);
  expect(rows.every(({ actor_id }) => actor_id === ana.id)).toBe(true);
  expect(await refusalOf(takeOut(mira, leila))).toBe('404 not_found');
  // Whoever inherits one chat has in others what they had.
  const place = await getChat(await mira.ask(), { params: { chat: other.id }, ...here });
  expect(place.my.access).toBe('write');
});

test('CHAT-18 what of a chat reaches one is one’s own choice: nobody else is told, and the other devices know', async () => {
  await passHorizon(ward.db);
  const { cursor } = await sync(await mira.ask(), { params: {}, ...here });
  const body = { notify: 'urgent' as const, muted_until: '2026-11-24T08:00:00Z' };
  const set = async (person: Person) =>
    setNotifications(await person.ask(), { params: { chat: chat.id }, query: {}, body });
  ward.published.length = 0;
  expect(await set(mira)).toEqual({ notify: 'urgent', muted_until: '2026-11-24T08:00:00.000Z', sound: false });
  expect(ward.published.map(({ channel }) => channel)).toEqual([`private-App.Models.User.${mira.id}`]);
  const { chats } = await sync(await mira.ask(), { params: {}, query: { cursor }, body: {} });
  expect(chats.find(({ id }) => id === chat.id)?.my).toMatchObject({
    notify: 'urgent',
    muted_until: expect.any(String),
  });
  expect(await getChat(await ana.ask(), { params: { chat: chat.id }, ...here })).toMatchObject({
    my: { notify: 'all', muted_until: null },
  });
  expect(await linesFor(ana)).toEqual(['created the chat']);
  expect(await refusalOf(set(leila))).toBe('404 not_found');
});

test('CHAT-18 a favourite is one’s own mark: it is there on the other devices, and nobody else is told', async () => {
  await passHorizon(ward.db);
  const { cursor } = await sync(await mira.ask(), { params: {}, ...here });
  const set = async (person: Person, is_favorite: boolean) =>
    setFavorite(await person.ask(), { params: { chat: chat.id }, query: {}, body: { is_favorite } });
  const marked = async (person: Person) =>
    (await getChat(await person.ask(), { params: { chat: chat.id }, ...here })).my.is_favorite;
  ward.published.length = 0;
  expect(await set(mira, true)).toEqual({ is_favorite: true });
  expect(ward.published.map(({ channel }) => channel)).toEqual([`private-App.Models.User.${mira.id}`]);
  const { chats } = await sync(await mira.ask(), { params: {}, query: { cursor }, body: {} });
  expect(chats.find(({ id }) => id === chat.id)?.my.is_favorite).toBe(true);
  expect([await marked(mira), await marked(ana)]).toEqual([true, false]);
  await set(mira, false);
  expect(await marked(mira)).toBe(false);
  expect(await linesFor(ana)).toEqual(['created the chat']);
  expect(await refusalOf(set(leila, true))).toBe('404 not_found');
});

/** What is one's own of a chat, each with what the audit says of it. */
const OWN_CHOICES = [
  ['chat.favorite.set', { is_favorite: true }, { is_favorite: true }, setFavorite],
  [
    'chat.notifications.set',
    { notify: 'urgent', muted_until: '2026-11-24T09:00:00+01:00', sound: true },
    { notify: 'urgent', until: '2026-11-24T08:00:00.000Z', sound: true },
    setNotifications,
  ],
  ['chat.unread.mark', { marked_unread_seq: 1 }, { marked_unread_seq: 1 }, setUnreadMark],
] as const;

test.each(OWN_CHOICES)(
  'CHAT-18 ADM-3 %s is of one person in one chat, stands in the audit, and ends with the place that it is of',
  async (action, body, detail, verb) => {
    const other = await openChat(ward, ana, [mira]);
    const set = async (person: Person) => {
      const input = { params: { chat: chat.id }, query: {}, body } as unknown as Parameters<typeof verb>[1];
      return (verb as (ctx: unknown, given: typeof input) => Promise<unknown>)(await person.ask(), input);
    };
    const choices = () =>
      ward.db
        .selectFrom('chat_participants')
        .select(['notify', 'muted_until', 'sound', 'is_favorite', 'marked_unread_seq'])
        .where('chat_id', 'in', [chat.id, other.id])
        .where((eb) => eb.or([eb('user_id', '=', ana.id), eb('chat_id', '=', other.id)]))
        .orderBy('chat_id')
        .orderBy('user_id')
        .execute();
    const before = await choices();
    await set(mira);
    expect(await choices()).toEqual(before);
    const entries = ward.db.selectFrom('audit_entries').selectAll().where('action', '=', action);
    expect(await entries.where('object_id', '=', chat.id).execute()).toMatchObject([
      { facility_id: ward.facility.id, object_type: 'chat', actor_id: mira.id, detail },
    ]);
    let setting: Promise<unknown> = Promise.resolve();
    await ward.db.transaction().execute(async (tx) => {
      const place = tx.updateTable('chat_participants').set({ left_at: new Date() }).where('chat_id', '=', chat.id);
      await place.where('user_id', '=', mira.id).execute();
      setting = refusalOf(set(mira));
      await untilBlocked(ward.db, setting);
    });
    expect(await setting).toBe('404 not_found');
  },
);

const setUnread = async (person: Person, marked_unread_seq: number | null) =>
  setUnreadMark(await person.ask(), { params: { chat: chat.id }, query: {}, body: { marked_unread_seq } });
const myPlace = async (person: Person) => {
  const { head_seq, my } = await getChat(await person.ask(), { params: { chat: chat.id }, ...here });
  return { head_seq, ...my };
};

test('CHAT-5 a chat kept as unread is one’s own pointer: markers stay, other devices have it, and nobody else is told', async () => {
  await say(ana, chat, { body: 'K 6.8' });
  await say(ana, chat, { body: 'Repeat taken' });
  const { head_seq: head } = await myPlace(mira);
  await raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: head } });
  await passHorizon(ward.db);
  const { cursor } = await sync(await mira.ask(), { params: {}, ...here });
  ward.published.length = 0;
  expect(await setUnread(mira, head - 1)).toEqual({ marked_unread_seq: head - 1 });
  expect(ward.published.map(({ channel }) => channel)).toEqual([`private-App.Models.User.${mira.id}`]);
  const { chats } = await sync(await mira.ask(), { params: {}, query: { cursor }, body: {} });
  const told = { marked_unread_seq: head - 1, read_seq: head, unread: 0 };
  expect(chats.find(({ id }) => id === chat.id)?.my).toMatchObject(told);
  expect((await myPlace(ana)).marked_unread_seq).toBeNull();
  expect(await setUnread(mira, head + 100)).toEqual({ marked_unread_seq: head });
  expect(await setUnread(mira, null)).toEqual({ marked_unread_seq: null });
  expect((await myPlace(mira)).marked_unread_seq).toBeNull();
  expect(await refusalOf(setUnread(leila, 1))).toBe('404 not_found');
});

test('CHAT-5 who sees a chat from now on keeps nothing as unread that they do not see', async () => {
  await say(ana, chat, { body: 'said before' });
  const { joined_seq = 0 } = await addFrom(leila, 'now');
  expect(await setUnread(leila, 1)).toEqual({ marked_unread_seq: joined_seq + 1 });
});

test('A16 nobody is added from outside the facility, or by somebody who does not manage', async () => {
  const stranger = await ward.person('Stranger', await ward.otherFacility());
  expect(await refusalOf(add(ana, stranger))).toBe('404 not_found');
  expect(await refusalOf(add(ana, { id: newId() }))).toBe('404 not_found');
  expect(await refusalOf(add(mira, leila))).toBe('403 forbidden');
  expect(await refusalOf(add(leila, leila))).toBe('404 not_found');
});

test('CHAT-6 A14 who was removed reads nothing, joins nothing and is sent nothing but the order to forget', async () => {
  expect(await refusalOf(takeOut(mira, ana))).toBe('403 forbidden');
  await takeOut(ana, mira);
  expect(rechecked).toEqual([mira.id]);
  expect(ward.published.filter(({ channel }) => channel.endsWith(mira.id)).map(({ data }) => data)).toEqual([
    { facility_id: ward.facility.id, chat_id: chat.id, change: 'removed' },
  ]);
  // The chat's own channel may still reach the one removed.
  expect(ward.published.filter(({ channel }) => channel.startsWith('presence-'))).toEqual([]);
  ward.published.length = 0;
  await say(ana, chat, { body: 'after' });
  expect(eventsTo(mira)).toEqual([]);
  await expectNothingFor(mira);
});

test('CHAT-6 A14 whose membership ended has no chat there any more, though nobody removed them from it', async () => {
  const temp = await ward.person('Temp');
  await add(ana, temp);
  await ward.endMembership(temp);
  ward.published.length = 0;
  await say(ana, chat, { body: 'after' });
  expect(eventsTo(temp)).toEqual([]);
  await expectNothingFor(temp);
  expect(await getChat(await ana.ask(), { params: { chat: chat.id }, ...here })).toMatchObject({
    participant_count: 2,
  });
});

async function expectNothingFor(person: Person): Promise<void> {
  const ctx = await person.ask();
  const params = { chat: chat.id };
  const tries: (() => Promise<unknown>)[] = [
    () => getChat(ctx, { params, ...here }),
    () => listMessages(ctx, { params, ...here }),
    () => listParticipants(ctx, { params, ...here }),
    () => raiseMarkers(ctx, { params, query: {}, body: { read_seq: 1 } }),
    () => updateChat(ctx, { params, query: {}, body: { expected_version: 1, title: 'Mine' } }),
    () => say(person, chat),
    () => add(person, leila),
    () => takeOut(person, person),
  ];
  for (const attempt of tries) expect(await refusalOf(attempt())).toBe('404 not_found');
  for (const rule of chatChannelRules) expect(await rule.join(ctx.actor, chat.id, ward.db)).toBeNull();
  if (ctx.actor.memberships.length === 0) return;
  const { data } = await listChats(ctx, { params: { facility: ward.facility.id }, ...here });
  expect(data.map((row) => row.id)).not.toContain(chat.id);
}

test('anybody may leave, and finds the old place when brought back', async () => {
  await say(ana, chat);
  await raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: 2 } });
  await takeOut(mira, mira);
  // 3: her own leaving was the newest line, and she had read all before it.
  expect(await add(ana, mira)).toMatchObject({ read_seq: 3 });
  const { data } = await listMessages(await mira.ask(), { params: { chat: chat.id }, ...here });
  expect(data.map((message) => message.body)).toContain('left the chat');
});

test('A18 CHAT-4 who reads the chat may join its channel as name and title, and learns how far the chat is', async () => {
  const { actor } = await ana.ask();
  for (const { join, snapshot } of chatChannelRules) {
    expect(await join(actor, chat.id, ward.db)).toEqual({ info: { name: 'Ana Reyes', title: 'Nurse' } });
    expect(await join((await leila.ask()).actor, chat.id, ward.db)).toBeNull();
    expect(await snapshot?.(chat.id, ward.db)).toEqual({ head_seq: 1, head_change_seq: 0 });
  }
});

test('the people of a chat are listed by name, in pages', async () => {
  for (const name of ['Zoe', 'Émile', 'Björn']) await add(ana, await ward.person(name));
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 2, ...(cursor && { cursor }) };
    const page = await listParticipants(await mira.ask(), { params: { chat: chat.id }, query, body: {} });
    expect(page.data.length).toBeLessThanOrEqual(2);
    names.push(...page.data.map((person) => person.name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(names).toEqual(['Ana Reyes', 'Björn', 'Émile', 'Mira Okafor', 'Zoe']);
  const ctx = await mira.ask();
  const wrong = listParticipants(ctx, { params: { chat: chat.id }, query: { cursor: 'bm9wZQ' }, body: {} });
  expect(await refusalOf(wrong)).toBe('422 unprocessable');
});

test('IMG-1 ACC-5 the people of a chat come with the address of their picture, null without one', async () => {
  const avatar_key = 'BBBBBBBBBBBBBBBBBBBBBB';
  await ward.db.updateTable('users').set({ avatar_key }).where('id', '=', mira.id).execute();
  const { data } = await listParticipants(await ana.ask(), { params: { chat: chat.id }, ...here });
  expect(data.map(({ name, avatar_url }) => [name, avatar_url])).toEqual([
    ['Ana Reyes', null],
    ['Mira Okafor', '/storage/avatars/BBBBBBBBBBBBBBBBBBBBBB'],
  ]);
  expect(data.every((person) => !('avatar_key' in person))).toBe(true);
});

test('A14 A48 somebody whose membership is just being ended is not added: adding waits for that end', async () => {
  const temp = await ward.person('Temp');
  let adding: Promise<unknown> | undefined;
  await ward.db.transaction().execute(async (tx) => {
    await tx.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', temp.id).execute();
    adding = refusalOf(add(ana, temp));
    await untilBlocked(ward.db, adding);
  });
  expect(await adding).toBe('404 not_found');
  const stored = ward.db.selectFrom('chat_participants').select('user_id').where('user_id', '=', temp.id);
  expect(await stored.execute()).toEqual([]);
});

test('A14 A48 a membership cannot end while its person is being put into a chat: the end waits for the chat', async () => {
  const temp = await ward.person('Temp');
  let ending: Promise<void> | undefined;
  await ward.db.transaction().execute(async (tx) => {
    expect(await holdMembers(tx, ward.facility.id, [temp.id])).toEqual(new Set([temp.id]));
    ending = ward.endMembership(temp);
    await untilBlocked(ward.db, ending);
  });
  await ending;
});
