import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';

const module = new URL('keep-running.mjs', import.meta.url).href;

/** A Node that keeps `program` running, as npm start does with the server. */
function start(program) {
  const text = `
    const { keepRunning } = await import(${JSON.stringify(module)});
    process.exit(await keepRunning([process.execPath, '-e', ${JSON.stringify(program)}]));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  return { child, nextLine: async () => (await lines.next()).value, ended };
}

describe('keeping a program running', { timeout: 20_000 }, () => {
  test('OPS-1 passes its exit code through', async () => {
    expect(await start('process.exit(7)').ended).toBe(7);
  });

  test.each(['SIGINT', 'SIGTERM'])('OPS-4 passes %s on once, however often it comes, and waits', async (signal) => {
    const program = `
      let told = 0;
      process.on('${signal}', () => { told += 1; if (told === 1) setTimeout(() => process.exit(told), 700); });
      console.log('ready'); setInterval(() => {}, 1000);`;
    const { child, nextLine, ended } = start(program);
    expect(await nextLine()).toBe('ready');
    for (let times = 0; times < 3; times += 1) child.kill(signal);
    expect(await ended).toBe(1);
  });

  test('OPS-3 a program that listens for it notices the kill -9 of its keeper', async () => {
    const program = `
      process.on('disconnect', () => { console.log('alone'); process.exit(0); });
      console.log('ready'); setInterval(() => {}, 1000);`;
    const { child, nextLine } = start(program);
    expect(await nextLine()).toBe('ready');
    child.kill('SIGKILL');
    expect(await nextLine()).toBe('alone');
  });
});
