// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts';

const here = '/census?view=settings';
let app: ReturnType<typeof createFakeApp>;
const place = { isUnsaved: true, isSignedIn: true };

beforeAll(() => import('#/shared/forms/dialogs/confirm-dialog.tsx'));
beforeEach(() => {
  Object.assign(place, { isUnsaved: true, isSignedIn: true });
  app = createFakeApp(undefined, { address: here });
  app.router.update({ ...app.router.options, context: { auth: { isSignedIn: () => place.isSignedIn } } as never });
  app.draw(<Page />);
});

function Page() {
  useAskBeforeLeaving(() => place.isUnsaved);
  return null;
}

it('CEN-3 leaving with something unsaved is held until it is wanted', async () => {
  const { history } = app.router;
  history.push('/chats');
  fireEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(history.location.href).toBe(here);
  expect(app.navigate).not.toHaveBeenCalled();
  history.push('/chats');
  fireEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  await waitFor(() =>
    expect(app.navigate).toHaveBeenCalledWith({ href: '/chats', replace: false, ignoreBlocker: true }),
  );
});

it.each([
  ['with nothing unsaved', { isUnsaved: false }, '/chats'],
  ['after the session has ended', { isSignedIn: false }, '/sign-in'],
  ['for another part of the same page', {}, `${here}#units`],
])('CEN-3 going on is not held %s', async (_case, change, to) => {
  const { history } = app.router;
  Object.assign(place, change);
  history.push(to);
  await waitFor(() => expect(history.location.href).toBe(to));
  expect(screen.queryByRole('dialog')).toBeNull();
});
