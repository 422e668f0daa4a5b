/**
 * Which tests carry which requirement, from their titles: writes the report, and holds the ids against docs/requirements.txt.
 * An id that lost its last test fails. The list is put right (a new id, one that stands twice); with `--check` that fails.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compareIds, idsOfList, listOfIds } from './lib/checks/conformance.mjs';
import { requirementIds, testTitles } from './lib/checks/test-titles.mjs';
import { ourFiles } from './lib/files.mjs';
import { cacheFolder, inRoot, root } from './lib/paths.mjs';
import { say } from './lib/say.mjs';

const LIST = 'docs/requirements.txt';

const testsOf = new Map();
for (const file of ourFiles().filter((name) => /\.(test|spec)\.(ts|tsx|mjs)$/.test(name))) {
  for (const title of testTitles(readFileSync(inRoot(file), 'utf8'))) {
    for (const id of requirementIds(title)) testsOf.set(id, [...(testsOf.get(id) ?? []), { file, title }]);
  }
}

const list = readFileSync(inRoot(LIST), 'utf8');
const listed = idsOfList(list);
const { ids, lost, added } = compareIds(listed, [...testsOf.keys()]);

const lines = ['# What the tests prove', '', 'Made by `node tools/conformance.mjs` from the titles of the tests.'];
lines.push('An id that is missing has no test.', '', `${ids.length} requirements carry a test.`);
for (const id of ids) {
  lines.push('', `## ${id}`, '');
  for (const { file, title } of testsOf.get(id))
    lines.push(`- ${title.replace(/([<>|*_`[\]])/g, '\\$1')} (\`${file}\`)`);
}
const report = join(cacheFolder('reports'), 'conformance.md');
writeFileSync(report, `${lines.join('\n')}\n`);
say(`${relative(root, report)}: ${ids.length} requirements`);

if (lost.length > 0) {
  say(`No test carries these ids any more: ${lost.join(', ')}. Name them in a test, or take them out of ${LIST}.`);
  process.exitCode = 1;
}
const whole = listOfIds([...listed, ...added]);
if (whole !== list && process.argv.includes('--check')) {
  const why = added.length > 0 ? `does not have ${added.join(', ')}` : 'is not sorted, or names an id twice';
  say(`${LIST} ${why}. Run: node tools/conformance.mjs`);
  process.exitCode = 1;
} else if (whole !== list) {
  writeFileSync(inRoot(LIST), whole);
  say(`${LIST}: ${added.length > 0 ? `added ${added.join(', ')}` : 'sorted'}`);
}
