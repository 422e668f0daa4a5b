import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const HERE = import.meta.dirname;

export interface GatewayProcess {
  /** Where its sockets are. */
  readonly baseUrl: string;
  /** SIGKILL, and waits. */
  kill(): Promise<void>;
}

/** Runs gateway-program.ts, one server among several in a process of its own, with the Redis, the key and the secret of the others. */
export async function startGatewayProcess(redisUrl: string, key: string, secret: string): Promise<GatewayProcess> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const args = ['--import', tsx, path.join(HERE, 'gateway-program.ts'), redisUrl, key, secret];
  const env = { ...process.env, TSX_TSCONFIG_PATH: path.join(HERE, '../../../../tsconfig.json') };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [port] = await Promise.race([once(child.stdout, 'data'), ended]);
  return {
    baseUrl: `http://127.0.0.1:${String(port).trim()}`,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
