// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { type AccountDeletion, deleteAccount, getAccountDeletion } from '@wardline/contract/account/own-data.ts';
import { describe, expect, it, vi } from 'vitest';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

const nothing = { waiting: 0, failed: 0, kinds: ['message'] };

const free: AccountDeletion = {
  ...{ sole_facilities: [], is_last_operator: false, facilities: ['St. Brigid General'], open_shifts: 2 },
};

function open(deletion: Partial<AccountDeletion> = {}, unsent = nothing) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const sent: unknown[] = [];
  app.api.on(getAccountDeletion, () => ({ ...free, ...deletion }));
  app.api.on(deleteAccount, ({ body }) => {
    sent.push(body);
    return undefined;
  });
  const [onDeleted, onClose] = [vi.fn(async () => undefined), vi.fn()];
  const outbox = { count: createSource(unsent) } as unknown as SharedOutbox;
  app.draw(<DeleteAccountDialog user={anaUser} onDeleted={onDeleted} onClose={onClose} />, (page) => (
    <DeviceContext value={{ store: createMemoryStore(anaUser.id), outbox }}>{page}</DeviceContext>
  ));
  return { ...app, sent, onDeleted, onClose };
}

const typed = `Type ${anaUser.email} to confirm`;

describe('ACC-5 deleting one’s account', () => {
  it('ACC-5 says what goes, what stays and what is not sent here, and deletes once the address was typed', async () => {
    const { sent, onDeleted } = open({}, { ...nothing, waiting: 1, failed: 1 });
    await screen.findByText('2 messages on this device are not sent yet and would be lost.');
    screen.getByText('Your membership of St. Brigid General, with its chats.');
    screen.getByText(/^2 on-call shifts of yours[.]/);
    screen.getByText(/under your name marked “account deleted”/);
    fireEvent.click(screen.getByRole('button', { name: 'Delete account' }));
    await screen.findByText('Enter your email address.');
    expect(sent).toEqual([]);
    fireEvent.input(screen.getByLabelText(typed), { target: { value: anaUser.email } });
    fireEvent.click(screen.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ email: anaUser.email }]);
  });

  it('ACC-5 keeps what was typed and says at its place why it was refused', async () => {
    const { refuse, onDeleted } = open();
    const field = await screen.findByLabelText<HTMLInputElement>(typed);
    expect(screen.queryByText(/not sent yet/)).toBeNull();
    fireEvent.input(field, { target: { value: 'somebody@else.test' } });
    const text = 'This is not the address of your account.';
    refuse(422, { message: text, errors: { email: [text] } });
    fireEvent.click(screen.getByRole('button', { name: 'Delete account' }));
    await screen.findByText(text);
    expect(field.value).toBe('somebody@else.test');
    expect(onDeleted).not.toHaveBeenCalled();
  });

  it.each([
    [{ sole_facilities: ['St. Brigid General'] }, /^You are the last person who can manage the members of St. Brigid/],
    [{ is_last_operator: true }, /^You are the last system administrator/],
  ])('ACC-5 A30 is not offered to who is the last in charge: %o', async (deletion, text) => {
    open(deletion);
    await screen.findByText(text);
    expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull();
    expect(screen.queryByLabelText(typed)).toBeNull();
  });
});
