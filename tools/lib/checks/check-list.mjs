/**
 * The checks in the order they are started and shown, what takes longest first. `bin` is a program of node_modules/.bin,
 * `tool` one of ours. `npm run check` leaves out those with `isForVerify`, which need a database, npm or a build.
 */
export const checks = [
  // Each further checker of a project infers its types anew: four of them, as by default, take 72 s of processor, one 27 s.
  // Its Go runtime collects garbage only where 3 GB are not enough: 20 s of processor in place of 25.
  {
    name: 'types',
    says: 'TypeScript agrees',
    bin: 'tsc',
    args: ['-b', '--checkers', '1', '--builders', '2'],
    env: { GOGC: 'off', GOMEMLIMIT: '3GiB' },
  },
  { name: 'format-and-lint', says: 'biome finds nothing to change', bin: 'biome', args: ['ci', '--colors=off', '.'] },
  { name: 'import-rules', says: 'imports point the allowed way', tool: 'checks/import-rules.mjs' },
  { name: 'dead-code', says: 'every file, export and dependency is used', bin: 'knip', args: ['--no-progress'] },
  { name: 'doc-paths', says: 'every path in the docs exists', tool: 'checks/doc-paths.mjs' },
  { name: 'words', says: 'no path of one machine, no forgotten note', tool: 'checks/words.mjs' },
  { name: 'classes', says: 'every class has a rule and a user', tool: 'checks/classes.mjs' },
  { name: 'names', says: 'no name that the glossary has retired', tool: 'checks/names.mjs' },
  { name: 'folders', says: 'no folder is too full to be read', tool: 'checks/folders.mjs' },
  { name: 'formats', says: 'dates, times and numbers are written in one place', tool: 'checks/formats.mjs' },
  {
    name: 'conformance',
    says: 'every requirement that had a test has one',
    tool: 'conformance.mjs',
    args: ['--check'],
  },
  {
    name: 'lock-file',
    says: 'npm ci accepts the lock file, and nothing in it is new',
    tool: 'checks/lock-file.mjs',
    isForVerify: true,
  },
  {
    name: 'database-types',
    says: 'the database types are those of the migrated database',
    tool: 'database-types.mjs',
    args: ['--check'],
    isForVerify: true,
  },
  { name: 'bundle', says: 'the first visit stays within its budget', tool: 'checks/bundle.mjs', isForVerify: true },
];

/** A tool that could not look (offline) ends with this code. */
export const SKIPPED = 77;
