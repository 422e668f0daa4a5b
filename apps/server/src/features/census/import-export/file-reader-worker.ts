// The only process that reads files of unit-days. It is given bytes and gives lines back, has no secrets in its environment
// and no other work: whatever a file does to it, the server starts another one.
import { endAtMemory } from '#/platform/child-process/end-at-memory.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type FileLine, readUnitDayFile } from './read-unit-day-file.ts';

export interface ReadRequest {
  readonly file: Uint8Array;
}
export type ReadReply = { readonly lines: readonly FileLine[] } | { readonly wrong: string };

const MOST_MEMORY_BYTES = 512 * 1024 * 1024;

process.on('message', ({ file }: ReadRequest) => {
  const answer = (reply: ReadReply) => process.send?.(reply);
  readUnitDayFile(Buffer.from(file)).then(
    (lines) => answer({ lines }),
    (error: unknown) => {
      // Anything else is a flaw of ours: ending says so, and nothing that this process holds is trusted any more.
      if (!(error instanceof AppError)) process.exit(1);
      answer({ wrong: error.message });
    },
  );
});
process.on('disconnect', () => process.exit(0));
endAtMemory(MOST_MEMORY_BYTES);
