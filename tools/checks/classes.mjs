/**
 * Classes of the style sheets and their users: a class that nothing uses, a class that is used and has no rule, a class of
 * one feature that another folder uses, and one that means two things in two files, both of which a visit may load. What CSS
 * modules would find, with the names of the drawing kept (decision 009).
 * And each `:has()` whose words any element could fit: the browser asks them all again for every message that comes.
 */
import { readFileSync } from 'node:fs';
import { broadHas, classesAlone, classesOfSource, classesOfStyles } from '../lib/checks/class-use.mjs';
import { ourFiles } from '../lib/files.mjs';
import { inRoot } from '../lib/paths.mjs';
import { say } from '../lib/say.mjs';

/** State of what carries it, not a look of its own; every sheet may have rules for it. */
const STATE = /^(is|has)-/;
const FEATURE = /^apps\/web\/src\/features\/[^/]+\//;
const WHOLE_PAGE = 'apps/web/src/css/';
/** What tests find a table's figures by, beside the labels that a phone shows in the same cell. */
const WITHOUT_RULE = new Set(['table-value']);
/** What pdf.js gives to the text that it lays over a page. */
const GIVEN_BY_LIBRARIES = new Set(['markedContent']);

const ours = ourFiles().filter(
  (file) => /^(apps\/web|packages\/ui)\//.test(file) && !/\.test\.|\/testing\//.test(file),
);
const rules = new Map();
const alone = new Map();
const found = [];
for (const file of ours.filter((name) => name.endsWith('.css'))) {
  const styles = readFileSync(inRoot(file), 'utf8');
  for (const name of classesOfStyles(styles)) add(rules, name, file);
  for (const name of classesAlone(styles)) add(alone, name, file);
  for (const asked of broadHas(styles)) found.push(`${file}  :has(${asked}) needs an element, a class or an attribute`);
}

const words = new Map();
const given = new Map();
const heads = new Set();
for (const file of ours.filter((name) => /\.(tsx?|html)$/.test(name) && !name.endsWith('.gen.ts'))) {
  const found = classesOfSource(file, readFileSync(inRoot(file), 'utf8'));
  for (const word of found.words) add(words, word, file);
  for (const word of found.given) add(given, word, file);
  for (const head of found.heads) if (head.endsWith('-')) heads.add(head);
}

for (const [name, files] of rules) {
  const users = words.get(name) ?? [];
  if (users.length === 0 && !GIVEN_BY_LIBRARIES.has(name) && ![...heads].some((head) => name.startsWith(head)))
    found.push(`${files.join(', ')}  .${name} is used by nothing`);
  const homes = new Set(files.map((file) => FEATURE.exec(file)?.[0]));
  const [home] = homes;
  if (!home || homes.size > 1 || STATE.test(name)) continue;
  for (const user of given.get(name) ?? [])
    if (!user.startsWith(home)) found.push(`${user}  .${name} is the look of ${home}`);
}
for (const [name, files] of alone) {
  // What is of the whole page adds to a class; so do the files of the kit, which are loaded as one.
  const homes = files.filter((file) => !file.startsWith(WHOLE_PAGE));
  if (homes.length > 1 && homes.some((file) => file.startsWith('apps/')))
    found.push(`${homes.join(', ')}  .${name} has two meanings`);
}
for (const [name, users] of given)
  if (!rules.has(name) && !WITHOUT_RULE.has(name)) found.push(`${users.join(', ')}  .${name} has no rule`);

if (found.length > 0) {
  say(`Classes and their users:\n  ${found.sort().join('\n  ')}`);
  process.exitCode = 1;
}

function add(map, key, file) {
  map.set(key, [...(map.get(key) ?? []), file]);
}
