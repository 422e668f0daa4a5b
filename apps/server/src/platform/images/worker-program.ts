import path from 'node:path';
import { childProgram } from '#/platform/child-process/child-program.ts';

/** The program that decodes pictures. */
export const WORKER = childProgram({
  source: path.join(import.meta.dirname, 'worker.ts'),
  bundled: 'image-worker.js',
});
