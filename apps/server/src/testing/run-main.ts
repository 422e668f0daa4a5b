import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../../../..');

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

/** The built server as its own process, without the client, with these settings and no others. */
export function runMain(environment: Readonly<Record<string, string>>, flags: readonly string[] = []): MainProcess {
  const child = spawn(process.execPath, [path.join(ROOT, 'apps/server/dist/main.js'), '--api-only', ...flags], {
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
