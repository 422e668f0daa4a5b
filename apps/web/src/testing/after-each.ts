import { afterAll, afterEach, vi } from 'vitest';

// Files share a worker and its document: nothing of one test is left for the next, in the same file or in another.
// React is loaded only where there is a document: a file of pure functions need not wait for it.
if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  afterEach(() => {
    cleanup();
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
