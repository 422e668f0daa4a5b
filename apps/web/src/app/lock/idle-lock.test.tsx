// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { unlockScreen } from '@wardline/contract/account/passkeys.ts';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { IdleLock, LockedPage } from './idle-lock.tsx';
import { forgetLock, isLocked, LOCKED, SEEN } from './lock-mark.ts';
import { lockNow } from './watch-idle.ts';

const PATIENT = 'Mary Okoye, potassium 6.8';
const user: User = { ...anaUser, lock_after_minutes: 5 };
const minutes = (count: number) => act(() => vi.advanceTimersByTime(count * 60_000));
const visible = () => `${document.title} ${document.body.innerHTML}`;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  forgetLock();
  document.title = PATIENT;
});
afterEach(() => {
  vi.useRealTimers();
  forgetLock();
  document.title = '';
});

/** A page about a patient with a half-written answer, and a dialog in the body as the kit draws them. */
function Page() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <>
      <p>{PATIENT}</p>
      <textarea aria-label="Answer" defaultValue="" />
      <IdleLock user={user} afterMinutes={5} />
      {isOpen && createPortal(<div onClickCapture={() => setIsOpen(false)}>Dialog about {PATIENT}</div>, document.body)}
      <button type="button" onClick={() => setIsOpen(false)}>
        Close
      </button>
    </>
  );
}

function open() {
  const app = createFakeApp({ status: 'signed-in', user, confirmed: true });
  const keys: string[] = [];
  const listen = ({ key }: KeyboardEvent) => keys.push(key);
  document.addEventListener('keydown', listen, true);
  app.api.on(unlockScreen, ({ body }) => {
    if (body.password !== 'right') throw new FakeRefusal('unprocessable');
    return undefined;
  });
  app.draw(<Page />);
  return { ...app, keys };
}

async function unlock(password: string) {
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Unlock' }));
}

it('ACC-6 A35 leaves nothing of patients in the document or its title, and gives back what was typed to the same person', async () => {
  open();
  fireEvent.change(screen.getByLabelText('Answer'), { target: { value: 'Half an ans' } });
  minutes(4);
  expect(visible()).toContain(PATIENT);
  minutes(2);
  expect(screen.getByRole('heading', { name: 'Locked' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  expect(visible()).not.toContain('Okoye');
  expect(document.querySelector('textarea')).toBeNull();
  await unlock('wrong');
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(visible()).not.toContain('Okoye');
  await unlock('right');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Locked' })).toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>('Answer').value).toBe('Half an ans');
  expect([document.title, localStorage.getItem(LOCKED)]).toEqual([PATIENT, null]);
  expect(document.body.textContent).toContain(`Dialog about ${PATIENT}`);
});

it('ACC-6 a touch within the time keeps it open, in another tab too', () => {
  open();
  for (let turn = 0; turn < 3; turn++) {
    minutes(4);
    fireEvent.pointerMove(document.body);
  }
  minutes(4);
  localStorage.setItem(SEEN, String(Date.now()));
  minutes(4);
  expect(screen.queryByRole('heading', { name: 'Locked' })).toBeNull();
  minutes(2);
  expect(screen.getByRole('heading', { name: 'Locked' })).toBeTruthy();
});

it('ACC-6 what happens behind the cover stays there: dialogs that open or close, titles, keys', async () => {
  const { keys } = open();
  act(() => lockNow(user.id));
  const late = document.createElement('div');
  late.textContent = PATIENT;
  document.body.appendChild(late);
  document.title = `New message: ${PATIENT}`;
  await waitFor(() => expect(document.title).toContain('Locked'));
  expect(visible()).not.toContain('Okoye');
  expect(document.hasFocus()).toBe(false);
  fireEvent.keyDown(screen.getByLabelText('Password'), { key: 'Escape' });
  expect(keys).toEqual([]);
  await unlock('right');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Locked' })).toBeNull());
  expect(document.title).toBe(`New message: ${PATIENT}`);
  late.remove();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(document.body.textContent).not.toContain('Dialog about');
});

it('ACC-6 another tab locks and opens this one', () => {
  open();
  const told = (newValue: string | null) =>
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: LOCKED, newValue })));
  told(user.id);
  expect(screen.getByRole('heading', { name: 'Locked' })).toBeTruthy();
  told(null);
  expect(screen.queryByRole('heading', { name: 'Locked' })).toBeNull();
});

it('ACC-6 survives a reload and a computer that was left, for as long as its person is signed in', () => {
  const page = open();
  expect(isLocked(user)).toBe(false);
  act(() => lockNow(user.id));
  expect([
    isLocked(user),
    isLocked({ ...user, id: 'another' }),
    isLocked({ ...user, lock_after_minutes: null }),
  ]).toEqual([true, false, false]);
  page.draw(<p />);
  forgetLock();
  localStorage.setItem(SEEN, String(Date.now() - 6 * 60_000));
  expect(isLocked(user)).toBe(true);
  localStorage.setItem(SEEN, String(Date.now() - 4 * 60_000));
  expect(isLocked(user)).toBe(false);
});

it('ACC-6 after a reload nothing is drawn but the question; offline it stays, and says so', async () => {
  const app = createFakeApp({ status: 'signed-in', user, confirmed: true });
  app.api.on(unlockScreen, () => undefined);
  const onUnlock = vi.fn();
  app.draw(<LockedPage user={user} onUnlock={onUnlock} />);
  expect(localStorage.getItem(LOCKED)).toBe(user.id);
  setOnline(false);
  expect(await screen.findByText(/Unlocking needs the network. What you wrote is kept./)).toBeTruthy();
  app.refuse(503);
  await unlock('right');
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(onUnlock).not.toHaveBeenCalled();
  setOnline(true);
  app.answer();
  await unlock('right');
  await waitFor(() => expect(onUnlock).toHaveBeenCalledOnce());
  expect(localStorage.getItem(LOCKED)).toBeNull();
});

it('ACC-6 somebody else signs the first one out after a question, and what waits to be sent is not discarded', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  const app = open();
  act(() => lockNow(user.id));
  fireEvent.click(screen.getByRole('button', { name: /Sign in as someone else/ }));
  expect(screen.getByText(/Messages and reports that wait to be sent are kept/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: `Sign ${user.name} out` }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/sign-in'));
  expect(app.session.signOut.mock.calls).toEqual([[]]);
});

it('ACC-6 A35 a lock that was asked for while its code was on its way holds', () => {
  lockNow(user.id);
  open();
  expect(screen.getByRole('heading', { name: 'Locked' })).toBeTruthy();
  expect(visible()).not.toContain('Okoye');
});
