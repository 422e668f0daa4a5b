// @vitest-environment happy-dom
import '#/testing/dom.ts';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { LinkProvider } from '@wardline/ui/link/link.tsx';
import { PaneHead } from '@wardline/ui/panes/panes.tsx';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppLink } from '#/shared/navigation/app-link.tsx';
import { edith, stBrigid } from '#/testing/fake-chats.ts';
import { followOrigin, useBackToChats } from './chat-origin.ts';
import { chatPath, examinationPath, facilityPath } from './chat-paths.ts';

let end: () => void = () => undefined;
beforeEach(() => sessionStorage.clear());
afterEach(() => end());

function Head() {
  return <PaneHead title="Edith Maron" back={useBackToChats(stBrigid.id)} />;
}

/** Pages of which only the address counts, on one of which the tab was opened. */
async function openTab(path: string) {
  window.scrollTo = () => undefined;
  const rootRoute = createRootRoute({
    component: () => (
      <LinkProvider component={AppLink}>
        <Outlet />
      </LinkProvider>
    ),
  });
  const page = (at: string) => createRoute({ getParentRoute: () => rootRoute, path: at, component: () => <Head /> });
  const list = (at: string) => createRoute({ getParentRoute: () => rootRoute, path: at, component: () => <p>{at}</p> });
  const routeTree = rootRoute.addChildren([
    ...['/chats', '/dashboard', '/chat/$facility'].map(list),
    ...['/chat/$facility/$chat', '/chat/$facility/$chat/$examination'].map(page),
  ]);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree, history });
  function Tab() {
    useEffect(() => {
      end = followOrigin(router);
    }, []);
    return <RouterProvider router={router} />;
  }
  render(<Tab />);
  await waitFor(() => expect(router.state.status).toBe('idle'));
  const go = (href: string) => act(() => router.navigate({ href }));
  const back = () => screen.findByRole('link', { name: /^Back/ });
  return { router, history, go, back };
}
const chat = chatPath(edith);

it('NAV-9 the arrow of a chat leads back to the page of all chats, to the very entry that one left', async () => {
  const { router, history, go, back } = await openTab('/chats?filter=unread');
  await go(chat);
  const arrow = await back();
  expect(arrow.getAttribute('href')).toBe('/chats?filter=unread');
  expect(arrow.getAttribute('aria-label')).toBe('Back to chats');
  await act(async () => void fireEvent.click(arrow));
  await waitFor(() => expect(router.state.location.href).toBe('/chats?filter=unread'));
  expect(history.location.state.__TSR_index).toBe(0);
});

it('NAV-9 what was opened beside the chat meanwhile, and another chat, do not change where one came from', async () => {
  const { router, go, back } = await openTab('/dashboard');
  await go(chat);
  await go(examinationPath(edith, edith.id));
  await go(chatPath({ ...edith, id: stBrigid.id }));
  expect((await back()).getAttribute('aria-label')).toBe('Back');
  await act(async () => void fireEvent.click(await back()));
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard'));
});

it('NAV-9 one that was opened by its address leads to the list of its facility, also after one went back to it', async () => {
  const { history, router, go, back } = await openTab(chat);
  const list = facilityPath(stBrigid.id);
  expect((await back()).getAttribute('href')).toBe(list);
  await go('/dashboard');
  await act(async () => history.back());
  await waitFor(() => expect(router.state.location.href).toBe(chat));
  expect((await back()).getAttribute('href')).toBe(list);
});
