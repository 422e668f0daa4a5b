/** Writes docs/conformance.md: which tests carry which requirement, from their titles. `--check` only compares. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ourFiles } from './lib/files.mjs';
import { inRoot } from './lib/paths.mjs';
import { say } from './lib/say.mjs';
import { requirementIds, testTitles } from './lib/test-titles.mjs';

const TARGET = 'docs/conformance.md';

const testsOf = new Map();
for (const file of ourFiles().filter((name) => /\.(test|spec)\.(ts|tsx|mjs)$/.test(name))) {
  for (const title of testTitles(readFileSync(inRoot(file), 'utf8'))) {
    for (const id of requirementIds(title)) testsOf.set(id, [...(testsOf.get(id) ?? []), { file, title }]);
  }
}

const byNumber = new Intl.Collator('en', { numeric: true });
const ids = [...testsOf.keys()].sort(byNumber.compare);
const lines = [
  '# What the tests prove',
  '',
  'Made by `node tools/conformance.mjs` from the titles of the tests; do not edit. An id that is missing has no test.',
  '',
  `${ids.length} requirements carry a test.`,
];
for (const id of ids) {
  lines.push('', `## ${id}`, '');
  for (const { file, title } of testsOf.get(id))
    lines.push(`- ${title.replace(/([<>|*_`[\]])/g, '\\$1')} (\`${file}\`)`);
}
const text = `${lines.join('\n')}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(inRoot(TARGET), text);
  say(`${TARGET}: ${ids.length} requirements`);
} else if (!existsSync(inRoot(TARGET)) || readFileSync(inRoot(TARGET), 'utf8') !== text) {
  say(`${TARGET} is not what the test titles say. Run: node tools/conformance.mjs`);
  process.exitCode = 1;
}
