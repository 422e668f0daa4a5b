import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a child process runs. */
export interface ChildProgram {
  readonly file: string;
  readonly execArgv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const SERVER = path.join(import.meta.dirname, '../../..');

/** A program of ours: bundled beside the server under its name, or the source that tests and `npm run dev` run. */
export function childProgram({ source, bundled }: { readonly source: string; readonly bundled: string }): ChildProgram {
  return import.meta.filename.endsWith('.ts')
    ? { file: source, execArgv: ['--import', sourceLoader()], env: { TSX_TSCONFIG_PATH: `${SERVER}/tsconfig.json` } }
    : { file: path.join(import.meta.dirname, bundled), execArgv: [] };
}

function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
