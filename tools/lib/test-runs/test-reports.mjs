import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Each count is { passed, failed, skipped, problem, failures, flaky }; a stage without a readable report counts as one
 * failure. Failures are said at the very end too, name and first line: what stands further up may be cut off. A test that
 * passed only on its second try has passed, and is named as well.
 */

export const countChecks = counter((report) => {
  const of = (status) => report.filter((check) => check.status === status);
  const failed = of('failed');
  return {
    passed: of('passed').length,
    failed: failed.length,
    skipped: of('skipped').length,
    failures: failed.map(({ name }) => name),
  };
});

export const countVitest = counter((report) => {
  // A file that cannot be loaded has failed and holds no tests.
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status, failureMessages }) => ({
      status,
      hasFailed: failureMessages.length > 0,
      said: failure(`${basename(name)} › ${title}`, failureMessages[0]),
    })),
  );
  // Where a hook failed, vitest calls the tests that it kept from running skipped, and none failed.
  const hookFailures = report.testResults
    .filter((file) => file.status === 'failed' && file.assertionResults.length > 0)
    .filter((file) => file.assertionResults.every(({ status }) => status !== 'failed'))
    .map(({ name, message, assertionResults }) => {
      const kept = assertionResults.filter(({ status }) => status !== 'passed').length;
      return { kept, said: failure(`${basename(name)} › a hook failed, ${kept} tests did not run`, message) };
    });
  const kept = sum(hookFailures.map((hook) => hook.kept));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length + sum(hookFailures.map((hook) => Math.max(hook.kept, 1))),
    skipped: report.numPendingTests + (report.numTodoTests ?? 0) - kept,
    failures: [
      ...broken.map(({ name, message }) => failure(basename(name), message)),
      ...hookFailures.map(({ said }) => said),
      ...tests.filter(({ status }) => status === 'failed').map(({ said }) => said),
    ],
    flaky: tests.filter(({ status, hasFailed }) => status === 'passed' && hasFailed).map(({ said }) => said),
  };
});

export const countPlaywright = counter(({ stats, errors, suites }) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected + (errors?.length ?? 0),
  skipped: stats.skipped,
  failures: [
    ...(errors ?? []).map(({ message }) => failure('outside of the tests', message)),
    ...testsOf(suites, 'unexpected'),
  ],
  flaky: testsOf(suites, 'flaky'),
}));

/** Of each test that ended so: its file, title and the first line of what it first failed with. */
function testsOf(suites, status) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter((test) => test.status === status)
        .map(({ results }) =>
          failure(`${file} › ${title}`, results.find(({ error }) => error !== undefined)?.error.message),
        ),
    ),
    ...testsOf(inner, status),
  ]);
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function failure(test, message) {
  const [line = ''] = stripVTControlCharacters(message ?? '').split('\n');
  return line === '' ? test : `${test}: ${line.slice(0, 300)}`;
}

/** What CI reads, the very last line; skips are said only where there are some. */
export function lastLine(results) {
  const total = (what) => sum(results.map((result) => result[what]));
  const skipped = total('skipped');
  return `${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function counter(read) {
  return (path, code) => {
    let counts;
    try {
      counts = read(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return { passed: 0, failed: 1, skipped: 0, problem: `ended with ${code} without a report` };
    }
    if (counts.failed > 0) return counts;
    if (counts.passed === 0) return { ...counts, failed: 1, problem: 'ran no tests' };
    // Errors outside of tests (an unhandled rejection) only show in the exit code.
    return code === 0 ? counts : { ...counts, failed: 1, problem: `ended with ${code} though no test failed` };
  };
}
