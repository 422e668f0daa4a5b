import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { inRoot } from '../paths.mjs';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g;
const TEST = /\.test\.(tsx?|mjs)$/;

/** Answers for a source file which test files reach it, the likeliest to notice first. */
export function createRelatedTests(files, read = (file) => readFileSync(inRoot(file), 'utf8')) {
  const known = new Set(files);
  const importers = new Map();
  for (const file of files.filter((name) => /\.(tsx?|mjs)$/.test(name))) {
    for (const [, name] of read(file).matchAll(IMPORT)) {
      const target = resolve(file, name);
      if (known.has(target)) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return (source) => {
    const distances = new Map([[source, 0]]);
    for (const [file, distance] of distances) {
      for (const importer of importers.get(file) ?? []) {
        if (!distances.has(importer)) distances.set(importer, distance + 1);
      }
    }
    const own = source.replace(/\.tsx?$/, '.test');
    const rank = (test) => [
      test.startsWith(own) ? 0 : 1,
      distances.get(test) === 1 ? 0 : 1,
      stepsBetween(posix.dirname(source), posix.dirname(test)),
      distances.get(test) ?? 0,
    ];
    return [...distances.keys()]
      .filter((file) => TEST.test(file))
      .map((test) => ({ test, rank: rank(test) }))
      .sort((a, b) => firstDifference(a.rank, b.rank) || (a.test < b.test ? -1 : 1))
      .map(({ test }) => test);
  };
}

function resolve(file, name) {
  if (name.startsWith('.')) return posix.join(posix.dirname(file), name);
  const [workspace] = /^(?:apps|packages)\/[^/]+/.exec(file) ?? [];
  if (name.startsWith('#/')) return `${workspace}/src/${name.slice(2)}`;
  return name.replace(/^@wardline\/([^/]+)\//, 'packages/$1/src/');
}

/** How many folders one goes up and down from one to the other. */
function stepsBetween(from, to) {
  const path = posix.relative(from, to);
  return path === '' ? 0 : path.split('/').length;
}

const firstDifference = (a, b) => a.map((value, index) => value - b[index]).find((difference) => difference !== 0) ?? 0;
