// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { listMessageTemplates } from '@wardline/contract/chat/message-templates.ts';
import { getUrgentLadder } from '@wardline/contract/chat/urgent-acts.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { getMember } from '@wardline/contract/facilities/members.ts';
import { listOnCallRoles, type OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import type { Uploads, UploadView } from '#/features/chat/uploads/uploads.ts';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, fakeChat, fakeList, priya, stBrigid } from '#/testing/fake-chats.ts';
import { directChatId } from './direct-chat-id.ts';
import { DirectPane, RolePane } from './direct-pane.tsx';

const views = createSource<ReadonlyMap<string, UploadView>>(new Map());
const uploads = { ...views, add: vi.fn(), keep: vi.fn(async () => undefined), resume: vi.fn(), cancel: vi.fn() };
const chats = createFakeChatRuntime(async () => uploads as unknown as Uploads);
const { add } = chats;
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(2000);
  chats.reset();
  chats.setChats(fakeList([]));
});
afterEach(() => void vi.restoreAllMocks());

function show({ facility = stBrigid, userId = priya.id }: { facility?: Facility; userId?: string } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  app.api.on(getMember, () => ({ user_id: priya.id, name: priya.name, title: priya.title, roles: [] }));
  const device = { store: createMemoryStore(ana.id), outbox: null as never };
  app.draw(<DirectPane facility={facility} userId={userId} me={ana} drawAct={() => null} />, (page) => (
    <DeviceContext value={device}>{chats.around(page)}</DeviceContext>
  ));
  return app;
}

/** The chat whose address the pane goes on to. */
const leadsTo = ({ navigate }: ReturnType<typeof createFakeApp>) => navigate.mock.lastCall?.[0].params?.['chatId'];

const chatId = directChatId(stBrigid.id, ana.id, priya.id);

it('CHAT-17 shows an empty chat under the person’s name, and what is written there waits for them', async () => {
  show();
  expect(await screen.findByRole('heading', { name: 'Priya Nair' })).toBeTruthy();
  expect(screen.getByText('Pharmacist')).toBeTruthy();
  expect(await screen.findByText('Only the two of you see what is written here.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /in this chat/ })).toBeNull();
  const box = screen.getByPlaceholderText('Type your message here…');
  fireEvent.change(box, { target: { value: 'Is there insulin?' } });
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() =>
    expect(add).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        lane: chatId,
        payload: {
          body: 'Is there insulin?',
          direct: { facilityId: stBrigid.id, userId: priya.id, name: 'Priya Nair' },
        },
      }),
    ),
  );
});

it('CHAT-14 CHAT-17 the first message takes files along, which are kept on the device before it', async () => {
  show();
  const box = await screen.findByPlaceholderText('Type your message here…');
  const ref = { id: 'f1', name: 'strip.png', size: 9, type: 'image/png' };
  uploads.add.mockReturnValue([ref]);
  uploads.keep.mockRejectedValueOnce(new Error('The device is full.'));
  const picture = new File(['x'], 'strip.png', { type: 'image/png' });
  fireEvent.paste(box, { clipboardData: { files: [picture], types: ['Files'] } });
  await screen.findByText('strip.png');
  expect(uploads.add).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: chatId, version: 0 }), [picture]);
  fireEvent.keyDown(box, { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toContain('The device is full.');
  expect(add).not.toHaveBeenCalled();
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() => expect(add).toHaveBeenCalledOnce());
  expect(add).toHaveBeenCalledWith(
    expect.objectContaining({
      lane: chatId,
      payload: {
        ...{ body: '', files: { body: '', list: [ref] } },
        direct: { facilityId: stBrigid.id, userId: priya.id, name: 'Priya Nair' },
      },
    }),
  );
});

it('CHAT-17 URG-1 the first message may come from a template or call the person', async () => {
  const app = show();
  app.api.on(listMessageTemplates, () => ({ data: [], next_cursor: null }));
  app.api.on(getUrgentLadder, () => ({ steps: [], fallback: null, version: 0 }));
  expect(await screen.findByRole('button', { name: 'Templates' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Urgent' }));
  const box: HTMLInputElement = await screen.findByRole('checkbox', { name: /Priya Nair/ });
  expect(box.checked).toBe(true);
  fireEvent.change(screen.getByLabelText('What is asked'), { target: { value: 'insulin now' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send and call' }));
  await waitFor(() =>
    expect(add).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        lane: chatId,
        payload: {
          body: '',
          urgent: {
            body: expect.stringContaining('insulin now'),
            asked: { targets: { people: [priya.id], role_id: null } },
          },
          direct: { facilityId: stBrigid.id, userId: priya.id, name: 'Priya Nair' },
        },
      }),
    ),
  );
});

it('CHAT-17 leads to the chat that the two have', () => {
  const direct = { user_id: priya.id, name: priya.name, title: priya.title, is_member: true };
  const chat = { ...fakeChat({ title: priya.name, kind: 'direct', minutesAgo: 1, said: 'x' }), direct };
  chats.setChats(fakeList([{ chat, pending: 0, failed: 0 }]));
  expect(leadsTo(show())).toBe(chat.id);
});

it('CHAT-17 begins nothing for who may not start chats', async () => {
  show({ facility: { ...stBrigid, permissions: [] } });
  expect(await screen.findByText('You can’t start chats here. Once they write to you, you can answer.')).toBeTruthy();
  expect(screen.queryByPlaceholderText('Type your message here…')).toBeNull();
});

it('CHAT-17 says so where the person has left, or is oneself', async () => {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  app.refuse(404);
  app.draw(<DirectPane facility={stBrigid} userId={priya.id} me={ana} drawAct={() => null} />, chats.around);
  expect(await screen.findByText('This person is no longer in this facility.')).toBeTruthy();
  show({ userId: ana.id });
  expect(await screen.findByText('This is you.')).toBeTruthy();
});

const pharmacist: OnCallRole = {
  ...{ id: '0190a000-0000-7000-8000-0000000000f1', name: 'Night pharmacist', unit: null, phone: null, version: 1 },
  ...{ now: null, next: null },
};
const toPharmacist = {
  ...{ facilityId: stBrigid.id, roleId: pharmacist.id, name: pharmacist.name },
  path: `/chat/f-${stBrigid.id}/r-${pharmacist.id}`,
};

function showRole(roles: readonly OnCallRole[]) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  app.api.on(listOnCallRoles, () => ({ data: [...roles], next_cursor: null }));
  const device = { store: createMemoryStore(ana.id), outbox: null as never };
  app.draw(<RolePane facility={stBrigid} roleId={pharmacist.id} me={ana} drawAct={() => null} />, (page) => (
    <DeviceContext value={device}>{chats.around(page)}</DeviceContext>
  ));
  return app;
}

it('CHAT-17 CHAT-18 writes to an on-call role that nobody holds, also where the chat with it was closed and is not in the list', async () => {
  showRole([pharmacist]);
  expect(await screen.findByRole('heading', { name: 'Night pharmacist' })).toBeTruthy();
  expect(await screen.findByText(/Nobody is on call now. Whoever takes over reads this./)).toBeTruthy();
  const box = screen.getByPlaceholderText('Type your message here…');
  fireEvent.change(box, { target: { value: 'Is there insulin?' } });
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() =>
    expect(add).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ payload: { body: 'Is there insulin?', direct: toPharmacist } }),
    ),
  );
});

it('CHAT-18 leads to the chat that I have with a role, and not to one in which I answer as it', () => {
  const direct_role = { role_id: pharmacist.id, name: pharmacist.name, person: null };
  const chat = { ...fakeChat({ title: pharmacist.name, kind: 'direct', minutesAgo: 1, said: 'x' }), direct_role };
  const asked = { ...chat, id: '0190a000-0000-7000-8000-0000000000f2' };
  const answering = { ...asked, direct_role: { ...direct_role, person: { user_id: priya.id, name: priya.name } } };
  chats.setChats(fakeList([answering, chat].map((one) => ({ chat: one, pending: 0, failed: 0 }))));
  expect(leadsTo(showRole([pharmacist]))).toBe(chat.id);
});
