import type { Plugin } from 'vite';

const MODULE = '\0no-mutations';

/** What TanStack Query's client asks of its mutations. */
const NONE = `
export class MutationCache {
  findAll() { return []; }
  clear() {}
  resumePausedMutations() { return Promise.resolve(); }
  build() { throw new Error('Mutations are left out of the build: apps/web/tools/leave-out-mutations.ts'); }
}`;

/**
 * Leaves out the mutations of TanStack Query, 1.5 kB of every first visit: its client makes a cache of them whether or not one is
 * used, and what is written here goes through `call` or the outbox. A component that uses one fails at once and says why.
 */
export function leaveOutMutations(): Plugin {
  return {
    name: 'wardline:leave-out-mutations',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id === './mutationCache.js' && importer?.includes('@tanstack/query-core') ? MODULE : null,
    load: (id) => (id === MODULE ? NONE : null),
  };
}
