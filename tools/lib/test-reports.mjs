import { readFileSync } from 'node:fs';

/** Each count is { passed, failed, skipped, problem, flaky }; a stage without a readable report counts as one failure. */

export const countChecks = counter((report) => {
  const of = (status) => report.filter((check) => check.status === status).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
});

export const countVitest = counter((report) => {
  // A file that cannot be loaded has failed and holds no tests.
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
});

/** A test that passed only on its second try has passed, and is named. */
export const countPlaywright = counter(({ stats, errors, suites }) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected + (errors?.length ?? 0),
  skipped: stats.skipped,
  ...(stats.flaky > 0 && { flaky: flakyTests(suites) }),
}));

/** 'file › title' of each. */
function flakyTests(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file, title }) => `${file} › ${title}`),
    ...flakyTests(inner),
  ]);
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
