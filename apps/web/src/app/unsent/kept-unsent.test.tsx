// @vitest-environment happy-dom
import '#/testing/dom.ts';
import 'fake-indexeddb/auto';
import { render, screen } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { UnsentCount } from '@wardline/client/outbox/shared-outbox.ts';
import type { SessionState } from '@wardline/client/session/session.ts';
import { openDatabase } from '@wardline/client/store/database.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { SignInForm } from '#/features/auth/sign-in/sign-in-form.tsx';
import { KEPT_UNSENT } from '#/shared/contexts/kept-unsent-key.ts';
import { anaUser } from '#/testing/fake-chats.ts';
import { noteUnsent } from './kept-unsent.ts';

const nothing: UnsentCount = { waiting: 0, failed: 0, oldestWaitingAt: null, overdue: 0, kinds: [], isDurable: true };
const two: UnsentCount = { ...nothing, waiting: 2, kinds: ['message'] };

beforeEach(() => localStorage.clear());

function follow(first: UnsentCount) {
  const count = createSource(first);
  const session = createSource<SessionState>({ status: 'signed-in', user: anaUser, confirmed: true });
  const end = noteUnsent({ count }, session);
  return { count, session, end };
}

const showSignIn = () => render(<SignInForm notice={null} canSignUp={false} signIn={async () => undefined} />);

async function keepOnDevice(messages: number): Promise<void> {
  const database = await openDatabase({ userId: anaUser.id });
  await database.clear('outbox');
  for (let number = 1; number <= messages; number += 1) {
    await database.add('outbox', {
      clientId: `m${number}`,
      userId: anaUser.id,
      lane: 'chat',
      writtenAt: '2026-11-20T00:38:00Z',
      sealed: { iv: new Uint8Array(12), data: new ArrayBuffer(8) },
    });
  }
  database.close();
}

describe('F-U6 what waits on a shared device', () => {
  it('F-U6 the sign-in page says how much is kept, for whom, and that it will send', async () => {
    await keepOnDevice(2);
    follow(two);
    showSignIn();
    const notice = await screen.findByRole('status');
    expect(notice.textContent).toContain('2 messages not sent yet.');
    expect(notice.textContent).toContain('Kept on this device for Ana Reyes.');
    expect(notice.textContent).toContain('They send when the device is back online and Ana Reyes is signed in.');
  });

  it('F-U6 nothing is said of work that has left the device, whatever was noted', async () => {
    await keepOnDevice(0);
    follow(two);
    showSignIn();
    await keepOnDevice(0);
    expect(screen.queryByText(/not sent yet/)).toBeNull();
  });

  it('F-U6 the name goes with the work, and at sign-out, but stays where a session only ended', () => {
    const { count, session } = follow(nothing);
    expect(localStorage.getItem(KEPT_UNSENT)).toBeNull();
    count.set(two);
    session.set({ status: 'signed-out', reason: 'expired' });
    expect(localStorage.getItem(KEPT_UNSENT)).toContain('Ana Reyes');
    session.set({ status: 'signed-in', user: anaUser, confirmed: true });
    count.set(nothing);
    expect(localStorage.getItem(KEPT_UNSENT)).toBeNull();
    count.set(two);
    session.set({ status: 'signed-out', reason: 'initial' });
    expect(localStorage.getItem(KEPT_UNSENT)).toBeNull();
  });
});
