/**
 * One place decides how dates, times, percentages and names are written: packages/format (docs/decisions). Tests, tools and
 * benchmarks are free; what machines read is ISO 8601 and comes from packages/census/src/calendar.ts or the database.
 */
import { readFileSync } from 'node:fs';
import { findFormats } from '../lib/checks/find-formats.mjs';
import { ourFiles } from '../lib/files.mjs';
import { inRoot } from '../lib/paths.mjs';
import { say } from '../lib/say.mjs';

const found = ourFiles().flatMap((file) =>
  /\.tsx?$/.test(file)
    ? findFormats(file, readFileSync(inRoot(file), 'utf8')).map(
        ({ line, text, instead }) => `${file}:${line}  ${text}  (packages/format: ${instead})`,
      )
    : [],
);
if (found.length > 0) {
  say(`Written past the one place for it:\n  ${found.join('\n  ')}`);
  process.exitCode = 1;
}
