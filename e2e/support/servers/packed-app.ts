import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startLocalRegistry } from './local-registry.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SOURCES = path.join(import.meta.dirname, 'packed-app');
/** What the application asks for itself; zod and React are the client's peers. */
const OF_THE_APP = ['zod', 'react', 'react-dom', '@types/react', '@types/react-dom'];
/** What these and the client need. */
const FURTHER = ['csstype', 'idb', 'laravel-echo', 'pusher-js', 'scheduler', 'tweetnacl'];

export interface PackedApp {
  readonly folder: string;
  /** Where Vite writes what it has built. */
  readonly dist: string;
  /** Packages that npm asked the registry for. */
  readonly asked: readonly string[];
  /** Runs a program of this repository in the folder of the application. Rejects with what it said. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** The application in `packed-app/`, in a folder of its own, with the client installed from its tarball by npm. */
export async function makePackedApp(): Promise<PackedApp> {
  const home = await mkdtemp(path.join(tmpdir(), 'wardline-packed-app-'));
  const folder = path.join(home, 'app');
  await run(ROOT, process.execPath, ['tools/pack-client.mjs', home]);
  const tarball = (await readdir(home)).find((name) => name.endsWith('.tgz')) ?? '';
  await mkdir(folder);
  for (const name of ['index.html', 'main.tsx', 'tsconfig.json']) {
    await cp(path.join(SOURCES, name), path.join(folder, name));
  }
  await writeFile(path.join(folder, 'package.json'), '{ "name": "shifts", "private": true, "type": "module" }');
  const registry = await startLocalRegistry([...OF_THE_APP, ...FURTHER], path.join(home, 'registry'));
  const from = [`--registry=${registry.url}`, `--cache=${path.join(home, 'cache')}`];
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-update-notifier'];
  await run(folder, 'npm', ['install', `../${tarball}`, ...OF_THE_APP, ...from, ...quietly]).finally(registry.stop);
  return {
    folder,
    dist: path.join(folder, 'dist'),
    asked: [...registry.asked].sort(),
    run: (program, ...args) => run(folder, process.execPath, [path.join(ROOT, program), ...args]),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

async function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, maxBuffer: 20_000_000 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}
