import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));

interface Build {
  /** Of another checkout. */
  readonly main?: string;
  /** Whether it serves the built client. */
  readonly hasClient?: boolean;
}

/** The built server as it runs in production, in a process of its own. */
export async function startWardline(
  databaseUrl: string,
  dataDir: string,
  settings: Record<string, string> = {},
  { main = MAIN, hasClient = false }: Build = {},
) {
  const child = spawn(process.execPath, [main, ...(hasClient ? [] : ['--api-only'])], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      WARDLINE_DATA: dataDir,
      WARDLINE_APP_KEY: randomBytes(32).toString('hex'),
      PORT: '0',
      ...settings,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(String(text));
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    port,
    pid: child.pid ?? 0,
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
    /** Asks it to go, as whoever restarts it does. The code that it ended with; null where it had to be killed. */
    terminate(): Promise<number | null> {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
