import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countChecks, countPlaywright, countVitest } from './test-reports.mjs';

describe('OPS-2 the counts of npm test', () => {
  let folder;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wardline reports '));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const reportOf = (content) => {
    const path = join(folder, 'report.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const vitest = (facts) =>
    reportOf({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, testResults: [], ...facts });
  const playwright = (stats, { errors = [], suites = [] } = {}) =>
    reportOf({ stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors, suites });

  test('OPS-2 each check is one test, and a skipped one is neither passed nor failed', () => {
    const path = reportOf(['passed', 'failed', 'passed', 'skipped'].map((status) => ({ status })));
    expect(countChecks(path, 1)).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  test('OPS-2 a stage without a report, or with half of one, has failed', () => {
    expect(countVitest(join(folder, 'none.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(countVitest(reportOf('{"numPassed'), 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('OPS-2 a stage that ran no test has failed', () => {
    expect(countVitest(vitest({ numPassedTests: 0 }), 0)).toMatchObject({ failed: 1, problem: 'ran no tests' });
    expect(countPlaywright(playwright({ expected: 0, skipped: 4 }), 0)).toMatchObject({ failed: 1, skipped: 4 });
  });

  test('OPS-2 an exit code that says more than the report counts', () => {
    expect(countVitest(vitest({}), 1)).toMatchObject({ passed: 3, failed: 1 });
    expect(countVitest(vitest({}), 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
  });

  test('OPS-2 a test file that cannot be loaded counts as one failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    expect(countVitest(vitest({ testResults }), 1)).toMatchObject({ passed: 3, failed: 1 });
  });

  test('OPS-2 a browser test that passed only on its second try has passed, and is named', () => {
    const spec = (title, status) => ({ file: 'talking.spec.ts', title, tests: [{ status }] });
    const specs = [spec('CHAT-1 is seen', 'expected'), spec('CHAT-2 is in order', 'flaky')];
    const suites = [{ specs, suites: [{ specs: [spec('CHAT-3 is kept', 'flaky')] }] }];
    expect(countPlaywright(playwright({ flaky: 2 }, { suites }), 0)).toEqual({
      passed: 4,
      failed: 0,
      skipped: 0,
      flaky: ['talking.spec.ts › CHAT-2 is in order', 'talking.spec.ts › CHAT-3 is kept'],
    });
  });

  test('OPS-2 a browser test that never passed has failed, and so has an error outside of tests', () => {
    expect(countPlaywright(playwright({ unexpected: 1 }), 1)).toMatchObject({ passed: 2, failed: 1 });
    const errors = [{ message: 'no server' }];
    expect(countPlaywright(playwright({}, { errors }), 1)).toMatchObject({ failed: 1 });
  });
});
