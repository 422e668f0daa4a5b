/** Every path that the docs name must exist: `apps/server/src/app/main.ts` in backticks, and relative links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ourFiles } from '../lib/files.mjs';
import { inRoot, root } from '../lib/paths.mjs';
import { say } from '../lib/say.mjs';

// Made by running something, so absent in a fresh clone.
const MADE = /(^|\/)(node_modules|dist|data|screens|test-results)(\/|$)/;

const dead = [];
for (const file of ourFiles().filter((name) => name.endsWith('.md'))) {
  const lines = readFileSync(inRoot(file), 'utf8').split('\n');
  lines.forEach((line, index) => {
    for (const path of [...pathsInBackticks(line), ...linkTargets(line, file)]) {
      if (!MADE.test(path) && !existsSync(inRoot(path))) dead.push(`${file}:${index + 1}  ${path}`);
    }
  });
}
if (dead.length > 0) {
  say(`These docs name files that do not exist. Correct the path or delete the sentence:\n  ${dead.join('\n  ')}`);
  process.exitCode = 1;
}

/** Only what begins with a folder of the root: `text/html` or `@wardline/ui/x.ts` are no paths of ours. */
function pathsInBackticks(line) {
  const topFolders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...line.matchAll(/`([^`\s]+)`/g)]
    .map(([, text]) => text.replace(/[:#]L?\d+$/, ''))
    .filter((text) => /^[\w@.-]+(\/[\w@.()-]+)+\/?$/.test(text))
    .filter((text) => topFolders.some(({ name }) => text.startsWith(`${name}/`)))
    .filter((text) => !text.includes('NNN') && !text.includes('...'));
}

function linkTargets(line, file) {
  return [...line.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/i.test(target))
    .map((target) => (target.startsWith('/') ? target.slice(1) : join(dirname(file), decodeURI(target))));
}
