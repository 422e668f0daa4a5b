import path from 'node:path';
import { ChildLostError, createChildPool } from '#/platform/child-process/child-pool.ts';
import { type ChildProgram, childProgram } from '#/platform/child-process/child-program.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { Log } from '#/platform/log.ts';
import type { ReadReply, ReadRequest } from './file-reader-worker.ts';
import type { FileLine } from './read-unit-day-file.ts';

/** Reads files of unit-days in a process that may die of them. */
export interface FileReader {
  /** Throws 422 at `file` for one that cannot be read, 503 when too many wait. */
  read(file: Buffer): Promise<readonly FileLine[]>;
  close(): void;
}

interface FileReaderOptions {
  readonly log: Log;
  readonly program?: ChildProgram;
  readonly timeoutMs?: number;
}

const PROGRAM = childProgram({
  source: path.join(import.meta.dirname, 'file-reader-worker.ts'),
  bundled: 'file-reader-worker.js',
});

/**
 * A workbook of a few kilobytes can ask for a cell a million lines down, and a file of nothing but blank lines takes long: so
 * that neither takes the server with it, files are read elsewhere, within limits of memory and time.
 */
export function createFileReader({ log, program = PROGRAM, timeoutMs = 30_000 }: FileReaderOptions): FileReader {
  const pool = createChildPool<ReadRequest, ReadReply>({
    program,
    heapMb: 256,
    atOnce: 1,
    waiting: 8,
    timeoutMs,
    idleMs: 60_000,
  });
  return {
    async read(file) {
      const reply = await pool.ask({ file }).catch((error: unknown) => {
        if (!(error instanceof ChildLostError)) throw error;
        log.warn({ err: error }, 'a process that reads files of the census was lost');
        throw invalidField('file', 'The file takes too much to read. Copy its lines into a new file and choose that.');
      });
      if ('wrong' in reply) throw invalidField('file', reply.wrong);
      return reply.lines;
    },
    close: pool.close,
  };
}
