import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

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

/** The server as its own process, without the client, with these settings and no others. */
export function runMain(environment: Readonly<Record<string, string>>, flags: readonly string[] = []): MainProcess {
  const server = path.join(import.meta.dirname, '../..');
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = spawn(
    process.execPath,
    ['--import', tsx, path.join(server, 'src/app/main.ts'), '--api-only', ...flags],
    {
      env: { PATH: process.env['PATH'], TSX_TSCONFIG_PATH: path.join(server, 'tsconfig.json'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
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
