/**
 * Circles between folders, over the sources alone: tests and what is made for them may look everywhere. The rules between
 * files are in .dependency-cruiser.cjs.
 */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-circles',
      comment:
        'Two folders that need each other are one topic in two places: move what both stand on into a folder below them, or hand it over as an argument where they are composed.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(apps|packages)/[^/]+/src/' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${options.exclude.path}|[.](test|spec)[.](ts|tsx|mjs)$|/testing/` } },
};
