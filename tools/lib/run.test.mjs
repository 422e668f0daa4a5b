import { describe, expect, test } from 'vitest';
import { childrenCpu, runTimed } from './run.mjs';

describe('OPS-2 the time of a stage', () => {
  test('OPS-2 a program is run with its arguments as they are, and its exit code is kept', async () => {
    const program = 'console.log(process.argv[1]); process.exit(7)';
    const { code, output } = await runTimed(process.execPath, ['-e', program, 'a "b" $c']);
    expect({ code, output }).toEqual({ code: 7, output: 'a "b" $c\n' });
  });

  test('OPS-2 the time of the processors is that of the program and of what it started', async () => {
    const busy = 'const end = process.cpuUsage().user + 2e5; while (process.cpuUsage().user < end);';
    const parent = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`;
    expect((await runTimed(process.execPath, ['-e', parent])).cpuS).toBeGreaterThan(0.2);
  });

  test('OPS-2 what shells say of the time is read: of the children only, with point or comma', () => {
    expect(childrenCpu('0m0.00s 0m0.01s\n1m2.50s 0m1.25s\n')).toBeCloseTo(63.75);
    expect(childrenCpu('0m0,001s 0m0,002s\n0m0,250s 0m0,000s\n')).toBeCloseTo(0.25);
    expect(childrenCpu('')).toBe(0);
  });
});
