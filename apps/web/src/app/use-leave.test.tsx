// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { SignOutButton } from './sign-out-button.tsx';

const signOut = vi.hoisted(() => vi.fn(async (_options: { discardUnsent: boolean }) => undefined));
const outbox = vi.hoisted(() => ({ waiting: 0, failed: 0, isSettled: false }));
vi.mock('./use-sign-out.ts', () => ({
  useSignOut: () => ({ settle: async () => outbox.isSettled || outbox.waiting + outbox.failed === 0, signOut }),
}));
vi.mock('#/page/device-context.ts', () => ({
  useDevice: () => ({ outbox: { count: { get: () => ({ ...outbox, kinds: ['message'] }) } } }),
}));

beforeEach(() => {
  Object.assign(outbox, { waiting: 0, failed: 0, isSettled: false });
  signOut.mockClear();
  createFakeApp().draw(<SignOutButton />);
});
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('signing out', () => {
  it('A33 asks nothing where nothing waits, or what waited has gone out', async () => {
    press('Sign out');
    await waitFor(() => expect(signOut.mock.calls).toEqual([[{ discardUnsent: false }]]));
    Object.assign(outbox, { waiting: 2, isSettled: true });
    press('Sign out');
    await waitFor(() => expect(signOut).toHaveBeenCalledTimes(2));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['Keep and sign out', false],
    ['Discard and sign out', true],
  ])('A33 OVERLAY-1 asks what becomes of unsent messages: %s', async (name, discardUnsent) => {
    Object.assign(outbox, { waiting: 1, failed: 2 });
    press('Sign out');
    await screen.findByRole('dialog', { name: '3 messages are not sent yet' });
    press(name);
    await waitFor(() => expect(signOut.mock.calls).toEqual([[{ discardUnsent }]]));
    await isGone();
  });

  it('A33 OVERLAY-1 who stays signed in, or presses Escape, stays', async () => {
    outbox.waiting = 1;
    for (const leave of [
      () => press('Stay signed in'),
      () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }),
    ]) {
      press('Sign out');
      await screen.findByRole('dialog', { name: '1 message is not sent yet' });
      leave();
      await isGone();
    }
    expect(signOut).not.toHaveBeenCalled();
  });
});
