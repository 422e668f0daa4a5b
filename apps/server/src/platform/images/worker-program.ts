import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What is started to decode pictures. */
export interface WorkerProgram {
  readonly file: string;
  readonly execArgv: readonly string[];
}

/** The worker beside this file: bundled with the server, or as the source that tests and `npm run dev` run. */
export const WORKER: WorkerProgram = import.meta.filename.endsWith('.ts')
  ? { file: path.join(import.meta.dirname, 'worker.ts'), execArgv: ['--import', sourceLoader()] }
  : { file: path.join(import.meta.dirname, 'image-worker.js'), execArgv: [] };

function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
