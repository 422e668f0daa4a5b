import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../paths.mjs';

const FOLDERS = ['apps/server', 'apps/web', 'packages', 'tools'];

/** Every test file that vitest runs: the paths from the root of the repository. */
export function allTestFiles() {
  return FOLDERS.flatMap(testFilesIn);
}

/**
 * The test files below this folder that cannot share the modules of a worker: those that replace modules, and what renders
 * as the server does, since React complains where two renderers draw with one context. Paths from the root of the repository.
 */
export function filesWithOwnModules(folder) {
  return testFilesIn(folder).filter((file) =>
    /\bvi\.(mock|doMock)\(|'\.\/entry-prerender\.tsx'/.test(readFileSync(inRoot(file), 'utf8')),
  );
}

function testFilesIn(folder) {
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : testFilesIn(path);
    return /\.test\.(ts|tsx|mjs)$/.test(entry.name) ? [path] : [];
  });
}
