import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { vi } from 'vitest';

/** A router that stands at one address and goes nowhere: `navigate` remembers where it was sent. */
export function createFakeRouter(address: string) {
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  const navigate = vi.fn(async (_to: { readonly href?: string; readonly to?: string }) => undefined);
  return Object.assign(router, { navigate });
}
