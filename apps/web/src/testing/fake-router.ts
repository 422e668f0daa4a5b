import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { vi } from 'vitest';

interface Destination {
  readonly href?: string;
  readonly to?: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** A router that stands at one address and goes nowhere: `navigate` remembers where it was sent. */
export function createFakeRouter(address: string) {
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  const navigate = vi.fn(async (_to: Destination) => undefined);
  return Object.assign(router, { navigate });
}
