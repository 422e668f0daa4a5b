// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { createMemoryHistory } from '@tanstack/react-router';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts';

const router = vi.hoisted(() => ({ current: {} as unknown }));
vi.mock('@tanstack/react-router', async (load) => ({
  ...(await load<typeof import('@tanstack/react-router')>()),
  useRouter: () => router.current,
}));

const here = '/census?view=settings';
let history: ReturnType<typeof createMemoryHistory>;
const navigate = vi.fn(async () => undefined);
const place = { isUnsaved: true, isSignedIn: true };

beforeAll(() => import('#/shared/forms/confirm-dialog.tsx'));
beforeEach(() => {
  history = createMemoryHistory({ initialEntries: [here] });
  navigate.mockClear();
  Object.assign(place, { isUnsaved: true, isSignedIn: true });
  const auth = { isSignedIn: () => place.isSignedIn };
  router.current = { history, navigate, options: { context: { auth } } };
  createFakeApp().draw(<Page />);
});

function Page() {
  useAskBeforeLeaving(() => place.isUnsaved);
  return null;
}

it('CEN-3 leaving with something unsaved is held until it is wanted', async () => {
  history.push('/chats');
  fireEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(history.location.href).toBe(here);
  expect(navigate).not.toHaveBeenCalled();
  history.push('/chats');
  fireEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(navigate).toHaveBeenCalledWith({ href: '/chats', replace: false, ignoreBlocker: true }));
});

it.each([
  ['with nothing unsaved', { isUnsaved: false }, '/chats'],
  ['after the session has ended', { isSignedIn: false }, '/sign-in'],
  ['for another part of the same page', {}, `${here}#units`],
])('CEN-3 going on is not held %s', async (_case, change, to) => {
  Object.assign(place, change);
  history.push(to);
  await waitFor(() => expect(history.location.href).toBe(to));
  expect(screen.queryByRole('dialog')).toBeNull();
});
