// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { hearServerTime, serverNow } from '@wardline/client/server-clock.ts';
import type { Chat, Participant } from '@wardline/contract/chat/chat.ts';
import { addParticipant, removeParticipant, setNotifications } from '@wardline/contract/chat/chat-management.ts';
import { addChatRole, listChatRoles } from '@wardline/contract/chat/chat-roles.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { listOnCallRoles, type OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { ChatView } from '#/features/chat/core/chat-view.ts';
import { receiptOf } from '#/features/chat/engine/participants/receipts.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import {
  ana,
  anaUser,
  edith,
  edithPeople,
  fakeChat,
  fakeChatView,
  fakeMessage,
  leila,
  mira,
  priya,
  stBrigid,
} from '#/testing/fake-chats.ts';
import { ParticipantsDialog } from './participants-dialog.tsx';

// What a press would load is there, so that no test waits for it.
beforeAll(() => import('#/shared/forms/dialogs/confirm-dialog.tsx'));
afterEach(() => void vi.restoreAllMocks());

const noor = { id: '01970000-0000-7000-8000-0000000000aa', name: 'Noor Siddiqui', title: 'Midwife' };
const withAccess = (change: Readonly<Record<string, Participant['access']>>): readonly Participant[] =>
  edithPeople.map((person) => ({ ...person, access: change[person.user_id] ?? person.access }));
const managed: Chat = { ...edith, my: { ...edith.my, access: 'manage' } };
const byAna = withAccess({ [ana.id]: 'manage' });

interface Place {
  readonly chat?: Chat;
  readonly facility?: Facility;
  readonly people?: ChatView['participants'];
}

function show({ chat = managed, facility = stBrigid, people = byAna }: Place = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const refreshPeople = vi.fn();
  const asked: unknown[] = [];
  app.api.on(listMembers, () => ({
    data: [noor, leila, mira, priya].map(({ id, name, title }) => ({ user_id: id, name, title, roles: [] })),
    next_cursor: null,
  }));
  app.api.on(addParticipant, ({ params, body }) => {
    asked.push([params.user, body]);
    const markers = { delivered_seq: 0, read_seq: 0 };
    return { user_id: params.user, name: 'x', title: null, access: body.access ?? 'write', ...markers };
  });
  app.api.on(removeParticipant, ({ params }) => void asked.push(['removed', params.user]));
  const chatView = fakeChatView({ chat, participants: people, refreshPeople });
  const onClose = vi.fn();
  app.draw(<ParticipantsDialog {...{ chatView, chat, facility, onClose }} myId={ana.id} />);
  return { app, asked, refreshPeople };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const menuOf = (name: string) => screen.queryByRole('button', { name: `What ${name} may do` });
async function openMenu(name: string): Promise<void> {
  const button = menuOf(name);
  if (button) fireEvent.keyDown(button, { key: 'Enter' });
  await screen.findByRole('menu');
}

it('F-U5 who manages the chat adds people of the facility, and is told who is in already', async () => {
  const { asked, refreshPeople } = show();
  press('Add people');
  const box = (await screen.findByRole('checkbox', { name: /Noor Siddiqui/ })) as HTMLInputElement;
  const here = screen.getByRole('checkbox', { name: /Leila Haddad.*already in this chat/ }) as HTMLInputElement;
  expect([box.disabled, here.disabled]).toEqual([false, true]);
  expect((screen.getByRole('button', { name: 'Add to chat' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.click(box);
  press('Add to chat');
  await screen.findByText('Noor Siddiqui added.');
  expect(asked).toEqual([[noor.id, { history: 'all' }]]);
  expect(refreshPeople).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Add people' })).toBeTruthy();
});

it('CHAT-18 who adds is asked what the new one sees of the past', async () => {
  const { asked } = show();
  press('Add people');
  fireEvent.click(await screen.findByRole('checkbox', { name: /Noor Siddiqui/ }));
  fireEvent.click(screen.getByRole('radio', { name: 'Only what is said from now on' }));
  press('Add to chat');
  await screen.findByText('Noor Siddiqui added.');
  expect(asked).toEqual([[noor.id, { history: 'now' }]]);
});

it('CHAT-18 who sees the chat from later on is shown so, and has read nothing of before', () => {
  show({ people: byAna.map((person) => (person.user_id === leila.id ? { ...person, joined_seq: 30 } : person)) });
  expect(screen.getByText(/sees messages since they were added/).textContent).toContain('Staff nurse');
  const people = [{ ...edithPeople[1], joined_seq: 5, read_seq: 40, delivered_seq: 40 }] as Participant[];
  expect(receiptOf(fakeMessage(5, ana, 1, 'x'), ana.id, people)).toEqual({ state: 'sent' });
  expect(receiptOf(fakeMessage(6, ana, 1, 'x'), ana.id, people)).toEqual({ state: 'read', count: 1, of: 1 });
});

it('CHAT-23 a sound is chosen for a chat, where the back end knows of sounds', async () => {
  const { app } = show();
  expect(screen.queryByRole('switch')).toBeNull();
  cleanup();
  const other = show({ chat: { ...edith, my: { ...edith.my, sound: false } } });
  const set: object[] = [];
  other.app.api.on(setNotifications, ({ body }) => {
    set.push(body);
    return { notify: body.notify, muted_until: null, ...(body.sound !== undefined && { sound: body.sound }) };
  });
  expect(app).not.toBe(other.app);
  fireEvent.click(screen.getByRole('switch', { name: 'Play a sound for messages in this chat' }));
  await waitFor(() => expect((screen.getByRole('switch') as HTMLInputElement).checked).toBe(true));
  expect(set).toEqual([{ notify: 'all', muted_until: null, sound: true }]);
});

it('CHAT-18 a chat is muted for a time and back, and says so', async () => {
  const { app, refreshPeople } = show();
  const set: object[] = [];
  app.api.on(setNotifications, ({ body }) => {
    set.push(body);
    return { notify: body.notify, muted_until: body.muted_until ?? null };
  });
  press('8 hours');
  expect((await screen.findByText(/^Muted until/)).textContent).toContain('Urgent messages still come through.');
  expect(set).toEqual([{ notify: 'all', muted_until: expect.any(String) }]);
  press('Unmute');
  await screen.findByText('Mute for');
  fireEvent.change(screen.getByLabelText('Notify me of'), { target: { value: 'urgent' } });
  await waitFor(() => expect(set).toHaveLength(3));
  expect(set.slice(1)).toEqual([
    { notify: 'all', muted_until: null },
    { notify: 'urgent', muted_until: null },
  ]);
  await waitFor(() => expect(refreshPeople).toHaveBeenCalledTimes(3));
  app.refuse(403);
  press('1 hour');
  expect((await screen.findByText(/Notifications were not changed/)).textContent).toBeTruthy();
});

it('CHAT-18 an hour of mute is one by the server’s clock, though this device is a day ahead', async () => {
  const { app } = show();
  const set: string[] = [];
  app.api.on(setNotifications, ({ body }) => {
    set.push(body.muted_until ?? '');
    return { notify: body.notify, muted_until: body.muted_until ?? null };
  });
  hearServerTime(new Date(Date.now() - 24 * 3_600_000).toUTCString(), Date.now());
  try {
    press('1 hour');
    await screen.findByText(/^Muted until/);
    expect(Math.round((Date.parse(set[0] ?? '') - serverNow()) / 60_000)).toBe(60);
  } finally {
    hearServerTime(new Date().toUTCString(), Date.now());
  }
});

it('CHAT-18 the last who manages an announcement lets somebody else manage it before leaving', async () => {
  const chat = fakeChat({ title: 'Fire test', kind: 'announcement', minutesAgo: 1, said: 'x', access: 'manage' });
  const { asked } = show({ chat, people: withAccess({ [ana.id]: 'manage', [leila.id]: 'read' }) });
  press('Leave chat');
  await screen.findByText('Nobody else manages this announcement. Let someone else manage it before you leave.');
  expect(screen.queryByRole('dialog', { name: 'Leave this chat?' })).toBeNull();
  expect(asked).toEqual([]);
  await openMenu('Leila Haddad');
  const choices = screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent);
  expect(choices).toEqual(['Can read', 'Manages the chat']);
});

it('F-U5 who could not be added stays chosen, with the reason', async () => {
  const { app } = show();
  press('Add people');
  fireEvent.click(await screen.findByRole('checkbox', { name: /Noor Siddiqui/ }));
  app.refuse(429, { retryAfterS: 7 });
  press('Add to chat');
  await screen.findByText('Noor Siddiqui not added. Too many attempts. Try again in 7 s.');
  expect(screen.getByRole('button', { name: 'Remove Noor Siddiqui' })).toBeTruthy();
});

it('F-U5 an announcement is read by who is added to it', async () => {
  const chat = fakeChat({ title: 'Fire test', kind: 'announcement', minutesAgo: 1, said: 'x', access: 'manage' });
  const { asked } = show({ chat });
  press('Add people');
  fireEvent.click(await screen.findByRole('checkbox', { name: /Noor Siddiqui/ }));
  press('Add to chat');
  await screen.findByText('Noor Siddiqui added.');
  expect(asked).toEqual([[noor.id, { history: 'all' }]]);
});

it('CHAT-18 the search of people finds an on-call role by its name, unit or holder, and adds it beside people', async () => {
  const { app, asked } = show();
  const shift = {
    ...{ id: noor.id, starts_at: '2026-03-02T07:00:00Z', ends_at: '2026-03-02T20:00:00Z' },
    person: { user_id: mira.id, name: mira.name, title: null, avatar_url: null, phone: null },
  };
  const unit = { id: noor.id, name: 'Surgery 2B', code: 'SUR 2B' };
  const role = (id: string, name: string, more: Partial<OnCallRole> = {}): OnCallRole => ({
    ...{ id: `01970000-0000-7000-8000-0000000001${id}`, name, unit: null, phone: null, version: 1 },
    ...{ now: null, next: null, ...more },
  });
  const registrar = role('01', 'Medical registrar on call', { now: shift });
  const many = ['02', '03', '04', '05', '06'].map((id) => role(id, `Technician ${id}`, id === '06' ? { unit } : {}));
  const inChat = { name: 'x', is_retired: false, access: 'write' as const, joined_seq: 0, holder: null };
  app.api.on(listOnCallRoles, () => ({ data: [registrar, ...many], next_cursor: null }));
  app.api.on(listChatRoles, () => ({
    data: [{ role_id: many[0]?.id ?? '', ...inChat }],
  }));
  app.api.on(addChatRole, ({ params, body }) => {
    asked.push([params.role, body]);
    return { role_id: params.role, ...inChat };
  });
  app.api.on(listMembers, ({ query: { q = '' } }) => ({
    data: q === '' ? [{ user_id: noor.id, name: noor.name, title: noor.title, roles: [] }] : [],
    next_cursor: null,
  }));
  press('Add people');
  const search = screen.getByRole('searchbox', { name: 'Search people and on-call roles' });
  const found = () => screen.queryAllByRole('checkbox').map((box) => box.closest('label')?.textContent);
  await screen.findByRole('checkbox', { name: /^Technician 02.*already in this chat/ });
  expect(screen.queryByRole('checkbox', { name: /^Technician 06/ })).toBeNull();
  press('Show all 6 on-call roles');
  expect(screen.getByRole('checkbox', { name: /^Technician 06/ })).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: /Noor Siddiqui/ }));

  fireEvent.change(search, { target: { value: 'sur 2b' } });
  await waitFor(() => expect(found()).toEqual(['Technician 06On-call role · nobody now']));
  fireEvent.change(search, { target: { value: 'okafor' } });
  await waitFor(() => expect(found()).toEqual(['Medical registrar on callOn-call role · Dr. Mira Okafor now']));
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.change(search, { target: { value: 'zzzz' } });
  await screen.findByText('No person or on-call role found for “zzzz”.');
  expect(screen.getByRole('button', { name: 'Remove Medical registrar on call' })).toBeTruthy();
  press('Add to chat');
  await screen.findByText('Medical registrar on call and Noor Siddiqui added.');
  expect(asked).toEqual([
    [registrar.id, { history: 'all' }],
    [noor.id, { history: 'all' }],
  ]);
});

it('F-U5 removing is asked for first; the menu is there for others only, and for a facility’s administrator too', async () => {
  const { asked, refreshPeople } = show({
    chat: edith,
    facility: { ...stBrigid, permissions: ['chats.manage'] },
    people: edithPeople,
  });
  expect(menuOf('Ana Reyes')).toBeNull();
  await openMenu('Leila Haddad');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Remove from chat' }));
  const question = await screen.findByRole('dialog', { name: 'Remove Leila Haddad?' });
  expect(asked).toEqual([]);
  fireEvent.click(within(question).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(asked).toEqual([['removed', leila.id]]));
  await waitFor(() => expect(refreshPeople).toHaveBeenCalledOnce());
});

it('F-U5 somebody is let manage the chat from the menu of their row', async () => {
  const { asked } = show();
  await openMenu('Leila Haddad');
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'Manages the chat' }));
  await screen.findByText('Leila Haddad: manages the chat.');
  expect(asked).toEqual([[leila.id, { access: 'manage' }]]);
});

it.each([
  ['a chat that others manage', edith, withAccess({ [mira.id]: 'manage' }), 'Ask Dr. Mira Okafor.'],
  ['a chat that nobody manages', edith, edithPeople, 'Ask a facility administrator.'],
])('F-U5 %s offers no button that would be refused, and says why', (_what, chat, people, text) => {
  show({ chat, people });
  expect(screen.getByText(text, { exact: false })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add people' })).toBeNull();
  expect(menuOf('Leila Haddad')).toBeNull();
  expect(screen.getByRole('button', { name: 'Leave chat' })).toBeTruthy();
});

it('CHAT-17 a direct chat takes in nobody and is not left', () => {
  show({ chat: { ...managed, kind: 'direct' }, people: byAna });
  expect(screen.getByText('A direct chat is between two people. For more, start a new chat.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add people' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Leave chat' })).toBeNull();
});

it('CHAT-18 a direct chat with an on-call role says between whom it is', () => {
  const direct_role = { role_id: ana.id, name: 'Night pharmacist', person: null };
  const chat = { ...managed, kind: 'direct' as const };
  show({ chat: { ...chat, direct_role }, people: byAna });
  expect(screen.getByText(/between you and whoever holds Night pharmacist\./)).toBeTruthy();
  show({
    chat: { ...chat, direct_role: { ...direct_role, person: { user_id: mira.id, name: mira.name } } },
    people: byAna,
  });
  expect(screen.getByText(/between Dr. Mira Okafor and whoever holds Night pharmacist\./)).toBeTruthy();
});

it('CHAT-18 who is there by an on-call role alone is not said to inherit the chat', async () => {
  show({ people: byAna.map((person) => (person.access === 'write' ? { ...person, is_by_role: true } : person)) });
  press('Leave chat');
  const question = await screen.findByRole('dialog', { name: 'Leave this chat?' });
  expect(question.textContent).toContain('nobody left in it may be able to add or remove people');
});

it('CHAT-18 who is there by an on-call role alone is not offered to leave, and is told what to do instead', async () => {
  const { app } = show({
    chat: edith,
    people: edithPeople.map((person) => (person.user_id === ana.id ? { ...person, is_by_role: true } : person)),
  });
  const role = { is_retired: false, access: 'write' as const, joined_seq: 0 };
  const until = '2026-03-02T20:00:00.000Z';
  app.api.on(listChatRoles, () => ({
    data: [
      { ...role, role_id: priya.id, name: 'Surgeon on call', holder: { user_id: leila.id, name: leila.name, until } },
      { ...role, role_id: noor.id, name: 'Bleep holder on call', holder: { user_id: ana.id, name: ana.name, until } },
    ],
  }));
  const text = await screen.findByText(/because you are on call as Bleep holder until \d/);
  expect(text.textContent).toContain('To leave it before that, hand over the role.');
  expect(within(text).getByRole('link').getAttribute('href')).toBe('/people?view=on-call');
  expect(screen.queryByRole('button', { name: 'Leave chat' })).toBeNull();
});

it('CHAT-17 each name leads to the chat with that person', () => {
  show();
  const link = screen.getByRole('link', { name: leila.name });
  expect(link.getAttribute('href')).toBe(`/chat/f-${stBrigid.id}/p-${leila.id}`);
});

it('F-U5 anybody leaves, and comes to the chats of the facility', async () => {
  const { app, asked } = show({ chat: edith, people: edithPeople });
  press('Leave chat');
  const question = await screen.findByRole('dialog', { name: 'Leave this chat?' });
  expect(question.textContent).toContain('taken off your devices');
  fireEvent.click(within(question).getByRole('button', { name: 'Leave chat' }));
  await waitFor(() => expect(app.navigate).toHaveBeenCalledWith({ href: `/chat/f-${stBrigid.id}` }));
  expect(asked).toEqual([['removed', ana.id]]);
});

it.each([
  ['the only one who manages the chat', byAna, 'Leila Haddad will manage it once you leave'],
  ['the last person', byAna.slice(0, 1), 'You are the last person here.'],
])('F-U5 %s is told what leaving does to it', async (_who, people, text) => {
  show({ people });
  press('Leave chat');
  const question = await screen.findByRole('dialog', { name: 'Leave this chat?' });
  expect(question.textContent).toContain(text);
});

it('F-U5 without a network the people can be read, and the dialog says what waits for it', () => {
  setOnline(false);
  show();
  expect(screen.getByText('You’re offline.', { exact: false })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(edithPeople.length);
  expect(menuOf('Leila Haddad')).toBeNull();
  for (const name of ['Leave chat', 'Add people']) {
    expect((screen.getByRole('button', { name }) as HTMLButtonElement).disabled).toBe(true);
  }
});
