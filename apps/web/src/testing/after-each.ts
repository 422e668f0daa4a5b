import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// Files share a worker and its document: nothing of one test is left for the next, in the same file or in another.
const hasDocument = typeof document !== 'undefined';

afterEach(() => {
  if (!hasDocument) return;
  cleanup();
  document.body.replaceChildren();
  sessionStorage.clear();
  localStorage.clear();
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
