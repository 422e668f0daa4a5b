import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Imported for its effect by every test that draws: nothing of one test is left for the next.
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});
