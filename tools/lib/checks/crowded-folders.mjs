import { posix } from 'node:path';

const MOST = 20;
const SOURCE = /\.(ts|tsx|mjs|cjs|sql|css)$/;
const NOT_COUNTED = /\.test\.(ts|tsx|mjs)$|\.gen\.ts$|(^|\/)(migrations|fixtures)\//;

/** Folders that read better as one list, each with its reason and how many files it may hold. */
const EXCEPTIONS = {
  'apps/server/src/testing/samples': { most: 24, reason: 'one file a feature, so that its name is the topic' },
};

/**
 * Folders of these files that hold more than 20 and have to be split by topic: `{ folder, count, most }`, the fullest first.
 * A test counts with the file beside it, a style sheet with its component. A journey is a file of its own.
 */
export function crowdedFolders(files, exceptions = EXCEPTIONS) {
  const all = new Set(files);
  const counts = new Map();
  for (const file of files) {
    if (!SOURCE.test(file) || NOT_COUNTED.test(file) || isStyleOfComponent(file, all)) continue;
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .map(([folder, count]) => ({ folder, count, most: exceptions[folder]?.most ?? MOST }))
    .filter(({ count, most }) => count > most)
    .sort((a, b) => b.count - a.count);
}

/** Exceptions without a use: the folder is gone or is within the limit. */
export function idleExceptions(files, exceptions = EXCEPTIONS) {
  const crowded = new Set(crowdedFolders(files, {}).map(({ folder }) => folder));
  return Object.keys(exceptions).filter((folder) => !crowded.has(folder));
}

function isStyleOfComponent(file, all) {
  const component = file.replace(/(\.module)?\.css$/, '.tsx');
  return component !== file && all.has(component);
}
