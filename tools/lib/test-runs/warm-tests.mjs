import { execFileSync } from 'node:child_process';
import { tsImport } from 'tsx/esm/api';
import { BaseSequencer, createVitest } from 'vitest/node';
import { inRoot, root } from '../paths.mjs';

/** A test waits this long at most: a mutant often makes it wait for what never comes. */
const TEST_TIMEOUT_MS = 20_000;

/** Test files in the order in which they are given: the likeliest to notice stands first. */
class AsGiven extends BaseSequencer {
  async sort(specifications) {
    return specifications;
  }
}

/**
 * One Vitest for many runs, which sees other texts in the place of some files. The texts stay in memory: no file is ever
 * written, so that there is nothing to put back, whatever happens.
 */
export async function openWarmTests() {
  const texts = new Map();
  const { default: config } = await tsImport('../../../vitest.config.ts', import.meta.url);
  let loaded = 0;
  const load = (id) => {
    const text = texts.get(id.replace(/[?#].*/, ''));
    if (text !== undefined) loaded += 1;
    return text;
  };
  const otherTexts = { name: 'other-texts', enforce: 'pre', load };
  const projects = config.test.projects.map(({ plugins = [], test, ...project }) => ({
    ...project,
    plugins: [...plugins, otherTexts],
    test: {
      ...test,
      retry: 0,
      setupFiles: [...test.setupFiles, inRoot('tools/lib/test-runs/reached-functions.mjs')],
      testTimeout: TEST_TIMEOUT_MS,
      expect: { poll: { timeout: TEST_TIMEOUT_MS / 4 } },
    },
  }));
  const { projects: _own, ...shared } = config.test;
  const sequence = { sequencer: AsGiven };
  // What is kept on disk goes by the files there, not by the texts.
  const experimental = { fsModuleCache: false };
  const options = { ...shared, sequence, experimental, config: false, root, watch: false, projects, reporters: [{}] };
  const vitest = await createVitest('test', options);
  const specifications = new Map((await vitest.globTestSpecifications()).map((spec) => [spec.moduleId, spec]));

  return {
    has: (test) => specifications.has(inRoot(test)),
    /**
     * Runs these test files with other texts for some files (`{ [file]: text }`), to the end or (`isBail`) to the first
     * failure. `verdict`: red, green, timed out, an error outside of a test, or null where the run says nothing: nobody
     * asked for a text, or what was left of the run before ended it.
     */
    async run(tests, { others, timeoutMs, isBail = true }) {
      const paths = Object.keys(others).map((file) => inRoot(file));
      for (const [file, text] of Object.entries(others)) texts.set(inRoot(file), text);
      for (const path of paths) vitest.invalidateFile(path);
      for (const { config } of vitest.projects) config.bail = isBail ? 1 : 0;
      loaded = 0;
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        endWorkers();
      }, timeoutMs);
      try {
        const specs = tests.map((test) => specifications.get(inRoot(test)));
        const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
        const modules = testModules.map((module) => ({
          test: module.moduleId.slice(root.length),
          isRed: !module.ok(),
          isGreen: module.state() === 'passed',
          reached: module.meta().reached ?? [],
          durationMs: module.diagnostic().duration + module.diagnostic().collectDuration,
        }));
        const isWhole = modules.length === tests.length && modules.every(({ isGreen }) => isGreen);
        const fields = { isOver, isWhole, hasErrors: unhandledErrors.length > 0, isSeen: loaded > 0 };
        return { modules, verdict: verdictOf(modules, fields) };
      } catch {
        // A worker that was ended, or died of the mutant.
        return { modules: [], verdict: isOver ? 'timed out' : 'error' };
      } finally {
        clearTimeout(timer);
        texts.clear();
        for (const path of paths) vitest.invalidateFile(path);
        // A failure that is remembered would end the next run at once.
        vitest.state.filesMap.clear();
        vitest.state.idMap.clear();
      }
    },
    cancel: () => vitest.cancelCurrentRun('keyboard-input'),
    close: () => vitest.close(),
  };
}

function verdictOf(modules, { isOver, isWhole, hasErrors, isSeen }) {
  if (isOver) return 'timed out';
  if (modules.some(({ isRed }) => isRed)) return 'red';
  if (!isSeen) return null;
  if (hasErrors) return 'error';
  return isWhole ? 'green' : null;
}

/** A mutant may turn without end in one call, where no timeout of a test reaches it. */
function endWorkers() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of lines) {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (Number(parent) === process.pid && /vitest/.test(args)) process.kill(Number(pid), 'SIGKILL');
  }
}
