// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createChat, findOwnCases, type OwnCase } from '@wardline/contract/chat/chat-management.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { chatPath } from '#/features/chat/core/chat-paths.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, edith, fakeChat, fakeList, harbour, stBrigid } from '#/testing/fake-chats.ts';
import { NewChatDialog } from './new-chat-dialog.tsx';

const runtime = createFakeChatRuntime();
beforeEach(() => runtime.reset());
afterEach(() => void vi.restoreAllMocks());

const made = fakeChat({ title: 'Edith Maron', minutesAgo: 0, said: 'created the chat', patient: edith.patient });
const onServer: OwnCase = {
  ...{ id: made.id, facility_id: stBrigid.id, title: 'Second opinion' },
  patient: { name: 'Edith Maron', identifier: '40-118-236' },
};

/** The form with `known` on the device and `found` on the server. */
function drawForm({ known = [edith], found = [] }: { known?: (typeof edith)[]; found?: OwnCase[] }) {
  runtime.setChats(fakeList(known.map((chat) => ({ chat, pending: 0, failed: 0 }))));
  const app = createFakeApp();
  const created = vi.fn();
  app.api.on(listMembers, () => ({ data: [], next_cursor: null }));
  app.api.on(findOwnCases, () => ({ data: found }));
  app.api.on(createChat, ({ body }) => {
    created(body.patient?.identifier);
    return made;
  });
  const onClose = vi.fn();
  const form = <NewChatDialog facilities={[stBrigid, harbour]} facilityId={stBrigid.id} me={ana} onClose={onClose} />;
  app.draw(form, runtime.around);
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('Patient’s name', 'Edith Maron');
  return { ...app, created, onClose, type };
}

const warning = () => screen.queryByText(/has a case already/)?.closest('[role="status"]');

it('CHAT-10 says at the number that its patient has a case already, opens it, and starts a second one only at a press that says so', async () => {
  const { type, created, onClose } = drawForm({});
  type('MRN or other ID', 'mrn 40118236');
  const said = warning();
  expect(said?.textContent).toContain('Edith Maron has a case already: Edith Maron, MRN 40-118-236.');
  expect(screen.queryByRole('button', { name: 'Start chat' })).toBeNull();
  const open = within(said as HTMLElement).getByRole('link', { name: 'Open it' });
  expect(open.getAttribute('href')).toBe(chatPath(edith));
  fireEvent.click(open);
  expect(onClose).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole('button', { name: 'Start a second case' }));
  await waitFor(() => expect(created).toHaveBeenCalledWith('mrn 40118236'));
});

it('CHAT-10 says of the number of another patient that the names differ, and not of one whose words stand in another order', () => {
  const { type } = drawForm({});
  type('MRN or other ID', '40-118-236');
  for (const name of ['Maron, EDITH', '']) {
    type('Patient’s name', name);
    expect(warning()?.textContent).not.toContain('You typed');
  }
  type('Patient’s name', 'Victor Amadi ');
  expect(warning()?.textContent).toContain('You typed Victor Amadi: check the name and the number.');
});

it('CHAT-10 asks the server before it starts a case of which the device knows nothing, and offers a second one then', async () => {
  const { type, created } = drawForm({ known: [], found: [onServer] });
  type('MRN or other ID', '40-118-236');
  // Faster than the question while one types.
  fireEvent.click(screen.getByRole('button', { name: 'Start chat' }));
  const second = await screen.findByRole('button', { name: 'Start a second case' });
  expect(warning()?.textContent).toContain('Second opinion');
  expect(created).not.toHaveBeenCalled();
  fireEvent.click(second);
  await waitFor(() => expect(created).toHaveBeenCalledOnce());
});

it('CHAT-10 looks for cases of the same facility that go on, and offline among those on the device', () => {
  setOnline(false);
  const closed = { ...edith, state: 'closed' as const };
  const elsewhere = { ...edith, facility_id: harbour.id };
  const { type, api } = drawForm({ known: [closed, elsewhere] });
  type('MRN or other ID', '40-118-236');
  expect(warning()).toBeUndefined();
  expect(screen.getByRole('button', { name: 'Start chat' })).toBeTruthy();
  expect(api.asked.some((line) => line.endsWith('/own-cases'))).toBe(false);
});

it('CHAT-10 starts a case where the server does not say whether there is one', async () => {
  const { type, api, created } = drawForm({ known: [] });
  api.around = ({ line }, go) =>
    line.endsWith('/own-cases') ? Promise.resolve(Response.json({ message: 'No.' }, { status: 404 })) : go();
  type('MRN or other ID', '40-118-236');
  fireEvent.click(screen.getByRole('button', { name: 'Start chat' }));
  await waitFor(() => expect(created).toHaveBeenCalledOnce());
});

it('an error goes once its field changes, and the others stay', () => {
  const { type } = drawForm({ known: [] });
  type('Patient’s name', '');
  fireEvent.click(screen.getByRole('button', { name: 'Start chat' }));
  const isWrong = (label: string) => screen.getByLabelText(label).getAttribute('aria-invalid') === 'true';
  expect([isWrong('Patient’s name'), isWrong('MRN or other ID')]).toEqual([true, true]);
  expect(document.activeElement, 'leads whoever has scrolled to the people back').toBe(
    screen.getByLabelText('Patient’s name'),
  );
  type('MRN or other ID', '4');
  expect([isWrong('Patient’s name'), isWrong('MRN or other ID')]).toEqual([true, false]);
  type('Patient’s name', 'E');
  expect(isWrong('Patient’s name')).toBe(false);
});

it('what was said over the form goes with the next change', async () => {
  const { type, api } = drawForm({ known: [] });
  api.around = ({ line }, go) =>
    line.endsWith('/chats') ? Promise.resolve(Response.json({ message: 'No.' }, { status: 403 })) : go();
  type('MRN or other ID', '41');
  fireEvent.click(screen.getByRole('button', { name: 'Start chat' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  type('Bed (optional)', '3A-12');
  expect(screen.queryByRole('alert')).toBeNull();
});
