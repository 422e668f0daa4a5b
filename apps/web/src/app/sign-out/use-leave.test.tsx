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
const unsaved = vi.hoisted(() => ({ reports: null as { title: string; text: string } | null }));
vi.mock('#/features/census/index.ts', () => ({ reportsOnlyHere: async () => unsaved.reports }));
const typed = vi.hoisted(() => ({ names: [] as string[], lanes: [] as string[] }));
vi.mock('#/shared/contexts/device-context.ts', () => ({
  useDevice: () => ({
    outbox: { count: { get: () => ({ ...outbox, kinds: ['message'] }) } },
    store: {
      outbox: async () => typed.lanes.map((lane) => ({ lane })),
      metaWithPrefix: async (prefix: string) =>
        new Map(typed.names.filter((name) => name.startsWith(prefix)).map((name) => [name, {}])),
    },
  }),
}));

beforeEach(() => {
  Object.assign(outbox, { waiting: 0, failed: 0, isSettled: false });
  unsaved.reports = null;
  Object.assign(typed, { names: [], lanes: [] });
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

  it('A33 CEN-2 asks before it drops what is typed of a report on this device only, and names it', async () => {
    unsaved.reports = { title: '1 report is not saved', text: 'ICU, Sat 21 Nov: signing out drops it.' };
    press('Sign out');
    await screen.findByRole('dialog', { name: '1 report is not saved' });
    screen.getByText('ICU, Sat 21 Nov: signing out drops it.');
    expect(screen.queryByRole('button', { name: 'Keep and sign out' })).toBeNull();
    press('Stay signed in');
    await isGone();
    expect(signOut).not.toHaveBeenCalled();
    press('Sign out');
    await screen.findByRole('dialog');
    press('Discard and sign out');
    await waitFor(() => expect(signOut).toHaveBeenCalledTimes(1));
  });

  it('A33 HAND-1 EXAM-1 asks before it drops what is typed into hand-overs and examinations, but for what waits', async () => {
    typed.names = ['handover/c1', 'handover-synthesis/h1', 'examination/e1', 'examination/e3', 'examination-form/f1'];
    typed.lanes = ['examination/e3'];
    press('Sign out');
    await screen.findByRole('dialog', { name: '2 hand-overs are not signed' });
    screen.getByText(
      /^What you wrote in 2 hand-overs is only .* in 1 examination is only .* in 1 form is only on this device,/,
    );
    press('Discard and sign out');
    await waitFor(() => expect(signOut.mock.calls).toEqual([[{ discardUnsent: true }]]));
  });

  it('A33 CEN-2 who keeps what is not sent is told what goes all the same', async () => {
    outbox.waiting = 1;
    unsaved.reports = { title: '1 report is not saved', text: 'ICU, Sat 21 Nov: signing out drops it.' };
    press('Sign out');
    await screen.findByRole('dialog', { name: '1 message is not sent yet' });
    screen.getByText(/^It stays on this device, encrypted, .* ICU, Sat 21 Nov: signing out drops it\.$/);
    press('Keep and sign out');
    await waitFor(() => expect(signOut.mock.calls).toEqual([[{ discardUnsent: false }]]));
  });
});
