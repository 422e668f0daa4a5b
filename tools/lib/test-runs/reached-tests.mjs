import { dirname } from 'node:path';

/**
 * Of test files, those that a change of these files reaches. Nearly every test of the server starts all of it, so that
 * imports lead from each file to each test: there it goes by folder, a file's own and those below, and a migration or
 * fixture reaches what is beside it in the same way. What imports say of the rest, vitest knows.
 */
export function reachedTests(changed, testFiles) {
  const folders = changed.filter((file) => /^(apps|packages|tools)\//.test(file)).map((file) => dirname(file));
  return testFiles.filter((test) => changed.includes(test) || folders.some((folder) => isBelow(test, folder)));
}

/** Not all of an app or package, for a file that lies at its top. */
function isBelow(test, folder) {
  const isTop = /^(tools|apps\/[^/]+(\/src)?|packages\/[^/]+(\/src)?)$/.test(folder);
  return isTop ? dirname(test) === folder : test.startsWith(`${folder}/`);
}

/** Those of the files that vitest is asked about by import. */
export function askedByImport(changed) {
  return changed.filter((file) => /^(apps\/web|packages)\/.*\.tsx?$/.test(file));
}
