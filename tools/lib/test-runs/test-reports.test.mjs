import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countChecks, countPlaywright, countVitest, lastLine } from './test-reports.mjs';

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
  const vitest = (fields) =>
    reportOf({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, testResults: [], ...fields });
  const playwright = (stats, { errors = [], suites = [] } = {}) =>
    reportOf({ stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors, suites });

  const spec = (title, status, message) => {
    const results = message === undefined ? [{}] : [{ error: { message } }, {}];
    return { file: 'talking.spec.ts', title, tests: [{ status, results }] };
  };

  test('OPS-2 each check is one test, and a skipped one is neither passed nor failed', () => {
    const path = reportOf(
      ['passed', 'failed', 'passed', 'skipped'].map((status) => ({ name: `${status} one`, status })),
    );
    expect(countChecks(path, 1)).toEqual({ passed: 2, failed: 1, skipped: 1, failures: ['failed one'] });
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
    expect(countVitest(vitest({}), 0)).toEqual({ passed: 3, failed: 0, skipped: 0, failures: [], flaky: [] });
  });

  test('OPS-2 a test file that cannot be loaded counts as one failure', () => {
    const testResults = [
      { name: '/far/ward.test.ts', status: 'failed', message: 'Cannot find module\nat …', assertionResults: [] },
    ];
    expect(countVitest(vitest({ testResults }), 1)).toMatchObject({
      passed: 3,
      failed: 1,
      failures: ['ward.test.ts: Cannot find module'],
    });
  });

  test('OPS-2 a file whose hook failed is named, and the tests that it kept from running have failed, not been skipped', () => {
    const test = (title, status) => ({ title, status, failureMessages: [] });
    const testResults = [
      {
        name: '/far/ward.test.ts',
        status: 'failed',
        message: 'no database',
        assertionResults: [test('a', 'skipped'), test('b', 'skipped')],
      },
      { name: '/far/bed.test.ts', status: 'failed', message: '', assertionResults: [test('c', 'passed')] },
      { name: '/far/calm.test.ts', status: 'passed', assertionResults: [test('d', 'skipped')] },
    ];
    expect(countVitest(vitest({ numPendingTests: 3, testResults }), 1)).toMatchObject({
      passed: 3,
      failed: 3,
      skipped: 1,
      failures: [
        'ward.test.ts › a hook failed, 2 tests did not run: no database',
        'bed.test.ts › a hook failed, 0 tests did not run',
      ],
    });
  });

  test('OPS-2 the last line adds the stages up, and names skips only where there are some', () => {
    const stage = (passed, failed, skipped) => ({ passed, failed, skipped });
    expect(lastLine([stage(2, 0, 0), stage(3, 1, 0)])).toBe('5 passed, 1 failed');
    expect(lastLine([stage(2, 0, 1), stage(3, 0, 2)])).toBe('5 passed, 0 failed, 3 skipped');
  });

  test('OPS-2 a test that failed, or passed only on its second try, is named with the first line of what it said', () => {
    const failureMessages = ['\u001b[31mAssertionError: expected 1 to be 2\u001b[39m\n    at ward.test.ts:4'];
    const assertionResults = [
      { title: 'CEN-1 adds up', status: 'passed', failureMessages: [] },
      { title: 'CEN-2 is kept', status: 'failed', failureMessages },
      { title: 'CEN-3 is signed', status: 'passed', failureMessages: ['Error: not yet'] },
    ];
    const testResults = [{ name: '/far/ward.test.ts', status: 'failed', assertionResults }];
    expect(countVitest(vitest({ numFailedTests: 1, testResults }), 1)).toMatchObject({
      failed: 1,
      failures: ['ward.test.ts › CEN-2 is kept: AssertionError: expected 1 to be 2'],
      flaky: ['ward.test.ts › CEN-3 is signed: Error: not yet'],
    });
  });

  test('OPS-2 a browser test that passed only on its second try has passed, and is named', () => {
    const specs = [spec('CHAT-1 is seen', 'expected'), spec('CHAT-2 is in order', 'flaky', 'Error: not seen\n  at')];
    const suites = [{ specs, suites: [{ specs: [spec('CHAT-3 is kept', 'flaky')] }] }];
    expect(countPlaywright(playwright({ flaky: 2 }, { suites }), 0)).toEqual({
      passed: 4,
      failed: 0,
      skipped: 0,
      failures: [],
      flaky: ['talking.spec.ts › CHAT-2 is in order: Error: not seen', 'talking.spec.ts › CHAT-3 is kept'],
    });
  });

  test('OPS-2 a browser test that never passed has failed, and so has an error outside of tests', () => {
    const suites = [{ specs: [spec('CHAT-1 is seen', 'unexpected', 'Error: not seen')] }];
    expect(countPlaywright(playwright({ unexpected: 1 }, { suites }), 1)).toMatchObject({
      passed: 2,
      failed: 1,
      failures: ['talking.spec.ts › CHAT-1 is seen: Error: not seen'],
    });
    const errors = [{ message: 'no server' }];
    expect(countPlaywright(playwright({}, { errors }), 1)).toMatchObject({
      failed: 1,
      failures: ['outside of the tests: no server'],
    });
  });
});
