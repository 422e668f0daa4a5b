// @vitest-environment happy-dom
import '#/testing/dom.ts';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { listFacilities } from '@wardline/contract/facilities/facilities.ts';
import { afterEach, expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { harbour, stBrigid } from '#/testing/fake-chats.ts';
import { FacilitiesProvider } from './facilities-context.tsx';
import { useCurrentFacility } from './use-current-facility.ts';

afterEach(() => localStorage.clear());

function Name() {
  return <p>In {useCurrentFacility()?.name}</p>;
}

/** The name that is shown at an address, by a router of its own with no other page. */
async function nameAt(address: string): Promise<string | null> {
  const app = createFakeApp();
  app.api.on(listFacilities, () => ({ data: [stBrigid, harbour], next_cursor: null }) as never);
  const Page = () => (
    <FacilitiesProvider memberships={[]}>
      <Name />
    </FacilitiesProvider>
  );
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/census-summary', component: Page });
  const history = createMemoryHistory({ initialEntries: [address] });
  const { unmount } = app.draw(
    <RouterProvider router={createRouter({ routeTree: root.addChildren([page]), history })} />,
  );
  const shown = (await screen.findByText(/^In ./)).textContent;
  unmount();
  return shown;
}

it('NAV-5 a link that names a facility opens its page there, and one stays in it', async () => {
  expect(await nameAt('/census-summary')).toBe(`In ${stBrigid.name}`);
  expect(await nameAt(`/census-summary?by=day&facility=${harbour.id}`)).toBe(`In ${harbour.name}`);
  expect(await nameAt('/census-summary')).toBe(`In ${harbour.name}`);
});

it('NAV-5 a link to a facility that is not mine opens the page where I am', async () => {
  expect(await nameAt('/census-summary?facility=another')).toBe(`In ${stBrigid.name}`);
});
