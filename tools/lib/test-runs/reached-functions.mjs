import { afterAll, beforeEach } from 'vitest';

// Loaded before each file of tests while the mutation run looks which functions a file of tests calls: what `withReports`
// wrote into them adds to this set, and the file's result takes it along.
globalThis.$reached = new Set();

let file;
beforeEach(({ task }) => {
  file = task.file;
});
afterAll(() => {
  if (file) file.meta.reached = [...globalThis.$reached];
});
