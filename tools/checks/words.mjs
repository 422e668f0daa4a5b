/** Sentences that must not reach the repository: folders of one machine, and notes that nobody will read again. */
import { readFileSync } from 'node:fs';
import { ourFiles } from '../lib/files.mjs';
import { inRoot } from '../lib/paths.mjs';
import { say } from '../lib/say.mjs';

const NOT_TEXT = /\.(png|jpe?g|webp|avif|gif|ico|woff2?|gz|zip|pdf)$|^package-lock\.json$/;
const startOfPath = String.raw`(?<![\w.@:/~\-}])`;
// Put together here, so that this file does not find itself.
const forbidden = [
  ...['work', 'root'].map((folder) => ({
    pattern: new RegExp(`${startOfPath}/${folder}(?=[/\\s'"\`),;]|$)`),
    why: 'a folder of one machine; use a path from the repository, os.homedir() or an argument',
  })),
  { pattern: new RegExp(`${startOfPath}/tmp/`), why: 'use os.tmpdir(), which honours TMPDIR' },
  { pattern: new RegExp(`${startOfPath}[.]{2}/shared(?=[/\\s'"\`),;]|$)`), why: 'lies outside the repository' },
  {
    pattern: new RegExp(`\\b(${['TO', 'FIX'].map((s, i) => s + ['DO', 'ME'][i]).join('|')})\\b`),
    why: 'do it, or open an issue',
  },
];

const found = [];
for (const file of ourFiles().filter((name) => !NOT_TEXT.test(name))) {
  const lines = readFileSync(inRoot(file), 'utf8').split('\n');
  lines.forEach((line, index) => {
    for (const { pattern, why } of forbidden) {
      const match = pattern.exec(line);
      if (match) found.push(`${file}:${index + 1}  ${match[0]}  (${why})`);
    }
  });
}
if (found.length > 0) {
  say(`Forbidden words:\n  ${found.join('\n  ')}`);
  process.exitCode = 1;
}
