import { afterAll, afterEach, vi } from 'vitest';

// Files share a worker and its document: nothing of one test is left for the next, in the same file or in another.
// React is loaded only where there is a document: a file of pure functions need not wait for it.
if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  afterEach(async () => {
    cleanup();
    // Loaded here and not above: by now a file that replaces modules has done so.
    const { pageToasts } = await import('#/shared/contexts/show-toast.ts');
    pageToasts.get()?.clear();
    document.body.replaceChildren();
    sessionStorage.clear();
    localStorage.clear();
  });
}

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
