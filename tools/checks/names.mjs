/**
 * Names that the glossary has retired, each with the term that an engineer would search for. Looks at the names of files and at
 * names in code; strings and comments are free.
 */
import { readFileSync } from 'node:fs';
import { ourFiles } from '../lib/files.mjs';
import { inRoot } from '../lib/paths.mjs';
import { say } from '../lib/say.mjs';

const RETIRED_FILES = [
  [/(^|[-/])facts([-./]|$)/, 'state, context or options'],
  [/(^|[-/])trouble/, 'errors'],
  [/-words\.(?!css)/, 'labels, or format-…'],
  [/-news\./, 'changes'],
  [/\/(page|parts|live-region)\//, 'shared/, or what the folder is about'],
  [/(^|[-/])wards?([-.]|$)/, 'unit, or fixture'],
  [/\/(ahead|compose|tell)-/, 'prerender-, serialize-'],
  [/(^|[-/])threads?([-./]|$)(?!css)/, 'chat, or discussion'],
];
const RETIRED_NAMES = [
  [/\b([fF]acts|[a-z]\w*Facts|factsOf)\b/, 'state, context or options'],
  [/\b\w*[tT]roubles?\w*\b/, 'error'],
  [/\b([wW]ords|[a-z]\w*(?<!ass)Words|\w+_WORDS)\b/, 'text, format…, …Labels'],
  [/\b(news|[a-z]\w*News|hearNews)\b/, 'change, subscribe'],
  [/\b(FacilityPlace|UnitPlace)\b/, 'FacilityConfig, UnitConfig'],
  [/\b(tellUnitDay|tellFacilityDay|compose(?!r\b|d\b)[A-Z]\w*)\b/, 'serialize…'],
  [/\b\w*([tT]hread|THREAD)\w*\b/, 'chat, or discussion'],
  [/\b\w*[aA]dult_?[cC]hild\w*\b/, 'adult_and_child'],
  [/\b(Acting|Standing|OpenLine|AuthParts)\b/, 'ActContext, ActiveAlert, OpenTransport, AuthDeps'],
  [
    /\b(moveTo|wayTo|staysAfter|waysOf|whoAsks|notingRefusals|servicesOfNobody|ofClass|CensusClass|toSending|sameAs)\b/,
    'see docs/glossary.md',
  ],
];

/** Says which stored names stand for which of now. */
const TRANSLATES = /\/stored-names(\.test)?\.ts$/;

const PROSE = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

const found = [];
for (const file of ourFiles().filter((name) => /^(apps|packages|e2e|bench)\/.*\.(ts|tsx|css)$/.test(name))) {
  for (const [pattern, instead] of RETIRED_FILES) if (pattern.test(file)) found.push(`${file}  (${instead})`);
  if (file.endsWith('.css') || file.endsWith('.gen.ts') || TRANSLATES.test(file)) continue;
  const code = readFileSync(inRoot(file), 'utf8').replace(PROSE, (text) => text.replace(/[^\n]/g, ' '));
  code.split('\n').forEach((line, index) => {
    for (const [pattern, instead] of RETIRED_NAMES) {
      const match = pattern.exec(line);
      if (match) found.push(`${file}:${index + 1}  ${match[0]}  (${instead})`);
    }
  });
}
if (found.length > 0) {
  say(`Retired names:\n  ${found.join('\n  ')}`);
  process.exitCode = 1;
}
