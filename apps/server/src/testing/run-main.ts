import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../../../..');
const MAIN = path.join(ROOT, 'apps/server/dist/main.js');

export interface MainProcess {
  /** True once it listens, false when it ended before. */
  readonly listens: Promise<boolean>;
  /** What it wrote, on both ways. */
  output(): string;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** SIGTERM, and waits. */
  stop(): Promise<void>;
}

/** Builds the server where its sources changed; before the first `runMain` of a file. */
export async function buildMain(): Promise<void> {
  await promisify(execFile)(process.execPath, ['tools/build.mjs', 'server'], { cwd: ROOT });
}

/** An operator's command of the built server, with these settings and no others. Told to stop once it has said `until`. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  until?: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let isTold = until === undefined;
  const take = (chunk: Buffer) => {
    output += String(chunk);
    if (isTold || !output.includes(until ?? '')) return;
    isTold = child.kill('SIGTERM');
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', take);
  const [code] = await once(child, 'close');
  return { code: Number(code), output };
}

/** The built server as its own process, without the client, with these settings and no others. */
export function runMain(environment: Readonly<Record<string, string>>, flags: readonly string[] = []): MainProcess {
  const child = spawn(process.execPath, [MAIN, '--api-only', ...flags], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const listens = new Promise<boolean>((resolve) => {
    const keep = (chunk: Buffer) => {
      output = (output + String(chunk)).slice(-100_000);
      if (output.includes('Wardline is at ')) resolve(true);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    void ended.then(() => resolve(false));
  });
  return {
    listens,
    ended,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
