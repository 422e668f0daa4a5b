// Writes record.pdf in a process of its own: to lay out a page takes as long as to answer some requests, and a record has thousands. It is
// given what was read and gives bytes back, and has no secrets in its environment.
import { endAtMemory } from '#/platform/child-process/end-at-memory.ts';
import { type RecordPart, RecordPdfWriter } from './record-pdf-writer.ts';

/** What came of one part: the bytes that it added to the file, or why there will be none. */
export type RecordPdfReply = { readonly bytes: Uint8Array } | { readonly error: string };

const MOST_MEMORY_BYTES = 1024 ** 3;

let writer: RecordPdfWriter | null = null;

function write(part: RecordPart): Uint8Array {
  if (part.kind === 'head') writer = new RecordPdfWriter(part.head);
  if (!writer) throw new Error('the record has no head');
  if (part.kind === 'chat') writer.startChat(part.index, part.people);
  if (part.kind === 'messages') writer.writeMessages(part.messages, part.pictures);
  if (part.kind === 'reports') writer.writeReports(part.reports);
  if (part.kind === 'end') writer.end();
  return writer.take();
}

process.on('message', (part: RecordPart) => {
  const answer = (reply: RecordPdfReply) => process.send?.(reply);
  try {
    answer({ bytes: write(part) });
  } catch (error) {
    answer({ error: String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
endAtMemory(MOST_MEMORY_BYTES);
