import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface StartedByChild {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly adopted: boolean;
  readonly connectionString: string;
  readonly uid: number;
}

/** The Node command line that starts the database on a folder and waits. */
export function startAndWaitCommand(dataDir: string): [string, ...string[]] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return [process.execPath, '--import', tsx, fileURLToPath(new URL('start-and-wait.ts', import.meta.url)), dataDir];
}

export async function startInChild([program, ...args]: [string, ...string[]]): Promise<StartedByChild> {
  // Imports that begin with #/ are resolved by the paths of this file.
  const env = { ...process.env, TSX_TSCONFIG_PATH: path.join(import.meta.dirname, '../../../../tsconfig.json') };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${errors}`)));
  });
  return { child, ...(JSON.parse(line) as Omit<StartedByChild, 'child'>) };
}

export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', (code) => resolve(code));
  });
}
