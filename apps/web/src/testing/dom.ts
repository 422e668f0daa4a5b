import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Less than a test's limit, so that what was waited for is told; a busy machine takes its time to load, ask and draw.
configure({ asyncUtilTimeout: 10_000 });

// Imported for its effect by every test that draws: nothing of one test is left for the next.
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});
