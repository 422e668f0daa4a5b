/**
 * Breaks the code in one place at a time and looks whether a test notices. `npm run mutation -- [options]`
 *   --files GLOB    only these files (several times: any of them); else those of the goal, see GROUPS
 *   --group NAME    only the groups with this in their names, as `authorisation`
 *   --breaking REGEX  only what breaks code that matches, as `^\s*\.where\(.*facility`
 *   --sample N      so many mutants of each group, drawn by the seed (40); `--sample all`: every one
 *   --seed S        another draw (today's date, so that every night sees others)
 *   --minutes M     stops after so long and says what was seen until then
 *   --show          lists the mutants that were drawn and runs nothing
 * Ends with 1 where a group is below the goal of 85 % by more than chance. No source is written: a mutant lives in the memory of one warm Vitest.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ourFiles } from './lib/files.mjs';
import { inRoot } from './lib/paths.mjs';
import { bold, fail, green, red, say, yellow } from './lib/say.mjs';
import { openCallRecords } from './lib/test-runs/call-records.mjs';
import { applyMutant, functionOf, mutantsOf, withReports } from './lib/test-runs/mutants.mjs';
import { createRelatedTests } from './lib/test-runs/related-tests.mjs';
import { openWarmTests } from './lib/test-runs/warm-tests.mjs';

const GOAL = 85;
/** A draw says little: only a group further below the goal than chance takes it, two standard errors, ends the run with 1. */
const isBelow = (rate, drawn) => rate < GOAL - 2 * Math.sqrt((GOAL * (100 - GOAL)) / drawn);
/** A test file that takes longer is left out; on a quiet machine none does. */
const SLOW_MS = 180_000;
/** So many test files are asked about a mutant at most, and so many at least. */
const MOST_TESTS = 60;
const FEW_TESTS = 4;
/** A run may be ended by what is left of the one before: it is made again, and left out of the rate if it says nothing. */
const ATTEMPTS = 3;
const OUTCOMES = { red: 'killed', green: 'survived', 'timed out': 'timed out' };

const isSource = (file) => /\.tsx?$/.test(file) && !/\.(test|gen|d)\.tsx?$|\/testing\//.test(file);
const inFolder = (folder) => (file) => file.startsWith(folder);
/** What needs no browser: nothing of React, the document or the database of the browser. */
const BROWSER =
  /\b(window|document|navigator|location|indexedDB|caches)\b[.?[]|from '(react|idb|laravel-echo|pusher-js)/;
const isPure = (_file, text) => !BROWSER.test(text);
/** What changes something in a transaction. */
const isWrite = (file, text) =>
  /^apps\/server\/src\/platform\/(.*\/)?write\.ts$/.test(file) ||
  (/^apps\/server\/src\/features\//.test(file) &&
    /\bwrite(\.together)?(<[^(]*>)?\(\s*['`]|\btx: (Database)?Transaction\b/.test(text));

/** Where it is decided who may do what, whole; elsewhere the places that ask for it. */
const POLICY = /^apps\/server\/src\/(features\/.*\/policy|platform\/http\/authorization\/[^/]*)\.ts$/;
const ASKS =
  /^(await )?(authorize\w*|require[A-Z]\w*)\(|\b(hasPermission|holdsRole|isMember|may[A-Z]\w*|can[A-Z]\w*|\w+\.allows)\(/;

const GROUPS = [
  {
    name: 'server, authorisation',
    has: inFolder('apps/server/src/'),
    breaks: (file, code) => POLICY.test(file) || ASKS.test(code),
    madeFor: 'apps/server/src/app/access-matrix.test.ts',
  },
  { name: 'packages/census', has: inFolder('packages/census/src/') },
  { name: 'packages/examination', has: inFolder('packages/examination/src/') },
  { name: 'packages/format', has: inFolder('packages/format/src/') },
  { name: 'server, Pusher protocol', has: inFolder('apps/server/src/platform/realtime/protocol/') },
  { name: 'packages/contract', has: inFolder('packages/contract/src/') },
  {
    name: 'packages/client, pure files',
    has: (file, text) => file.startsWith('packages/client/src/') && isPure(file, text),
  },
  { name: 'server, realtime', has: inFolder('apps/server/src/platform/realtime/') },
  { name: 'server, writes', has: isWrite },
];

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    group: { type: 'string', default: '' },
    breaking: { type: 'string', default: '' },
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
    minutes: { type: 'string', default: '240' },
    show: { type: 'boolean', default: false },
  },
});
const sample = values.sample === 'all' ? Number.POSITIVE_INFINITY : Number(values.sample);
const seed = Number(values.seed);
const minutes = Number(values.minutes);
if (!(sample > 0) || !Number.isSafeInteger(seed) || !(minutes > 0)) {
  fail('--sample, --seed and --minutes take numbers');
}

/** `**` any folders, `*` anything within one. */
const toPattern = (glob) =>
  new RegExp(
    `^${glob
      .split(/(\*\*\/?|\*)/)
      .map(
        (part) =>
          ({ '**/': '(.*/)?', '**': '.*', '*': '[^/]*' })[part] ?? part.replaceAll(/[\\^$+?.()|[\]{}]/g, '\\$&'),
      )
      .join('')}$`,
  );
const chosenGroups = GROUPS.filter(({ name }) => name.includes(values.group));
const chosen = values.files?.map(toPattern);
const breaking = new RegExp(values.breaking);

const ours = ourFiles();
const testsOf = createRelatedTests(ours);
const possible = possibleFiles();
const drawn = chosenGroups.flatMap(drawFrom);
if (drawn.length === 0) fail('no file with something to break');
say(`${drawn.length} mutants, seed ${seed}`);
if (values.show) {
  for (const mutant of drawn) show(mutant);
} else {
  await tryAll();
}

/** What the groups hold of the files that were asked for. */
function possibleFiles() {
  return ours.filter(isSource).flatMap((file) => {
    if (chosen && !chosen.some((pattern) => pattern.test(file))) return [];
    const source = readFileSync(inRoot(file), 'utf8');
    const own = chosenGroups.filter(({ has }) => has(file, source)).map(({ name }) => name);
    return own.length > 0 ? [{ file, source, isJsx: file.endsWith('x'), groups: own }] : [];
  });
}

function drawFrom({ name, breaks = () => true }) {
  const all = possible.flatMap(({ file, source, isJsx, groups }) => {
    if (!groups.includes(name)) return [];
    const mutants = mutantsOf(source, { isJsx }).filter(({ start, end }) => {
      const code = source.slice(start, end);
      return breaks(file, code) && breaking.test(code);
    });
    return mutants.map((mutant) => ({ group: name, file, source, isJsx, mutant }));
  });
  const random = createRandom(seed);
  const shuffled = all.map((one) => ({ one, key: random() })).sort((a, b) => a.key - b.key);
  // As drawn and not by file: what was tried until the minutes are over is a draw too.
  return shuffled.slice(0, sample).map(({ one }) => one);
}

/** mulberry32 */
function createRandom(start) {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function tryAll() {
  const stopAt = Date.now() + minutes * 60_000;
  const startedAt = Date.now();
  const results = [];
  const warm = await openWarmTests();
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.prependOnceListener(signal, () => {
      isStopped = true;
      // At once: others who hear the signal may end the process.
      report(results, Date.now() - startedAt);
      void warm.cancel();
    });
  }
  try {
    const testsFor = await lookAround(warm);
    for (const one of drawn) {
      if (isStopped || Date.now() > stopAt) break;
      const { isCalled, ...asked } = testsFor(one);
      const outcome = await tryOne(warm, one, asked);
      if (isStopped) break;
      results.push({ ...one, outcome, isCalled });
      if (!['killed', 'timed out', 'no program'].includes(outcome)) {
        show(one, isCalled ? outcome : `${outcome}, called by no test`);
      }
    }
  } finally {
    await warm.close();
  }
  if (!isStopped) report(results, Date.now() - startedAt);
}

/**
 * Runs the tests that import a drawn file, with nothing broken, where no earlier run has told which of its functions they
 * call. Answers for a mutant which files of tests to ask, the likeliest to notice first: those that call its function (of
 * what runs when the file is loaded: any function of the file), and where these are few, those that only import it. What
 * fails without a mutant, or takes too long, is left out.
 */
async function lookAround(warm) {
  const records = openCallRecords();
  const related = new Map(
    [...new Set(drawn.map(({ file }) => file))].map((file) => [file, testsOf(file).filter(warm.has)]),
  );
  const isUsable = (test) => records.runOf(test)?.isGreen && records.runOf(test).durationMs <= SLOW_MS;
  // What failed or was slow once, on a busy machine, is looked at again.
  const isKnown = (test, file) => isUsable(test) && records.has(test, file);
  const unknown = [...related].flatMap(([file, tests]) => tests.filter((test) => !isKnown(test, file)));
  const tests = [...new Set(unknown)];
  if (tests.length > 0) await lookAt(warm, tests, records);
  for (const test of new Set([...related.values()].flat())) {
    if (records.runOf(test)?.isGreen === false) say(yellow(`${test} fails with nothing broken: left out`));
  }
  return ({ group, file, source, isJsx, mutant }) => {
    const start = functionOf(source, mutant, { isJsx });
    const isCalledBy = (test) => {
      const calls = records.callsOf(test, file);
      return start === undefined ? calls.size > 0 : calls.has(String(start));
    };
    const near = related.get(file).filter(isUsable);
    const { madeFor } = GROUPS.find(({ name }) => name === group);
    const calling = soon(near.filter(isCalledBy), madeFor).slice(0, MOST_TESTS);
    const importing = near.filter((test) => !calling.includes(test)).slice(0, Math.max(0, FEW_TESTS - calling.length));
    const asked = [...calling, ...importing];
    return {
      tests: asked,
      isCalled: calling.length > 0,
      takesMs: Math.max(0, ...asked.map((test) => records.runOf(test).durationMs)),
    };
  };
}

/** The tests that were made for it are asked after the nearest few. */
function soon(tests, madeFor) {
  if (!tests.includes(madeFor)) return tests;
  const others = tests.filter((test) => test !== madeFor);
  return [...others.slice(0, FEW_TESTS), madeFor, ...others.slice(FEW_TESTS)];
}

/** All that could be drawn tells of its calls, so that the next draw need not look again. */
async function lookAt(warm, tests, records) {
  const files = possible.map(({ file }) => file);
  const others = Object.fromEntries(
    possible.map(({ file, source, isJsx }) => [file, withReports(file, source, { isJsx })]),
  );
  const startedAt = Date.now();
  const { modules } = await warm.run(tests, { others, timeoutMs: 3_600_000, isBail: false });
  // By itself every mutant would count as one that no test notices.
  if (modules.length === 0) throw new Error('the tests could not be run with nothing broken');
  for (const module of modules) records.add(module, files);
  records.save();
  say(`${tests.length} files of tests, ${Math.round((Date.now() - startedAt) / 1000)} s with nothing broken`);
}

async function tryOne(warm, { file, source, isJsx, mutant }, { tests, takesMs }) {
  let text;
  try {
    text = applyMutant(source, mutant, { isJsx });
    mutantsOf(text, { isJsx });
  } catch {
    return 'no program';
  }
  if (tests.length === 0) return 'no test';
  const timeoutMs = tests.length * takesMs + 120_000;
  for (let attempt = 1; ; attempt++) {
    const { verdict } = await warm.run(tests, { others: { [file]: text }, timeoutMs });
    if (verdict in OUTCOMES) return OUTCOMES[verdict];
    if (attempt === ATTEMPTS) return verdict === 'error' ? 'killed' : 'unclear';
  }
}

function show({ file, source, mutant }, outcome = '') {
  const before = source.slice(0, mutant.start);
  const from = before.lastIndexOf('\n') + 1;
  const to = source.indexOf('\n', mutant.end);
  const end = to === -1 ? source.length : to;
  const lines = source.slice(from, end);
  const changed = source.slice(from, mutant.start) + mutant.text + source.slice(mutant.end, end);
  say(`${bold(`${file}:${before.split('\n').length}`)} ${outcome}`);
  for (const line of lines.split('\n')) say(red(`- ${line.trim()}`));
  for (const line of changed.split('\n')) say(green(`+ ${line.trim()}`));
}

function report(results, tookMs) {
  const counted = results.filter(({ outcome }) => outcome !== 'no program' && outcome !== 'unclear');
  say(`\n${counted.length} of ${drawn.length} mutants in ${Math.round(tookMs / 60_000)} minutes, seed ${seed}`);
  say(
    '| code | mutants | noticed | of these timed out | survived | of these called by no test | rate |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
  for (const { name } of GROUPS) {
    const own = counted.filter(({ group }) => group === name);
    if (own.length === 0) continue;
    const count = (...outcomes) => own.filter(({ outcome }) => outcomes.includes(outcome)).length;
    const noticed = count('killed', 'timed out');
    const uncalled = own.filter(({ outcome, isCalled }) => outcome === OUTCOMES.green && !isCalled).length;
    const rate = (100 * noticed) / own.length;
    const numbers = [own.length, noticed, count('timed out'), own.length - noticed, uncalled, `${rate.toFixed(0)} %`];
    say(`| ${name} | ${numbers.join(' | ')} |`);
    if (isBelow(rate, own.length)) process.exitCode = 1;
  }
}
