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
  const playwright = (stats, errors = []) =>
    reportOf({ stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors });

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

  test('OPS-2 a browser test that passed only when repeated has failed, and so has an error outside of tests', () => {
    expect(countPlaywright(playwright({ flaky: 1 }), 0)).toMatchObject({ passed: 2, failed: 1 });
    expect(countPlaywright(playwright({}, [{ message: 'no server' }]), 1)).toMatchObject({ failed: 1 });
  });
});
