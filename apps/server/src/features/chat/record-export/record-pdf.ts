import path from 'node:path';
import { answerOf, startChild } from '#/platform/child-process/child-pool.ts';
import { type ChildProgram, childProgram } from '#/platform/child-process/child-program.ts';
import { createGate } from '#/platform/http/concurrency-gate.ts';
import type { JpegPicture } from '#/platform/pdf/jpeg-picture.ts';
import type { Export } from './record-content.ts';
import type { RecordPdfReply } from './record-pdf-worker.ts';
import type { RecordPart } from './record-pdf-writer.ts';
import type { FindPicture } from './record-pictures.ts';
import { type RecordMessage, readMessages, readPeople } from './record-queries.ts';

/** So many pictures of one record are shown, and so many go to the process at once; each is some ten thousand bytes. */
const MOST_PICTURES = 1000;
const PICTURES_AT_ONCE = 20;

const PROGRAM = childProgram({
  source: path.join(import.meta.dirname, 'record-pdf-worker.ts'),
  bundled: 'record-pdf-worker.js',
});

/** Writes record.pdf: each in a process of its own, so many at once, whoever else wants one waits. */
export interface RecordPdfPrinter {
  /** The PDF as it is written. The process ends with it, also where nobody reads on; ChildLostError where it ended by itself, 503 when too many wait. */
  print(record: Export): AsyncGenerator<Buffer>;
}

interface PrinterOptions {
  /** Without it pictures are named and not shown. */
  readonly findPicture?: FindPicture;
  readonly program?: ChildProgram;
  /** For one part: 200 messages at most. */
  readonly timeoutMs?: number;
  /** A browser that takes nothing for so long is given up, since its process is kept from others. */
  readonly idleMs?: number;
}

export function createRecordPdfPrinter(options: PrinterOptions = {}): RecordPdfPrinter {
  const { findPicture = async () => null, program = PROGRAM, timeoutMs = 60_000, idleMs = 300_000 } = options;
  const gate = createGate({ atOnce: 2, waiting: 16 });

  async function* write(record: Export): AsyncGenerator<Buffer> {
    const child = startChild({ program, heapMb: 512 });
    try {
      for await (const part of partsOf(record, findPicture)) {
        const reply = (await answerOf(child, part, timeoutMs)) as RecordPdfReply;
        if ('error' in reply) throw new Error(`record.pdf could not be written: ${reply.error}`);
        const { buffer, byteOffset, byteLength } = reply.bytes;
        const idle = setTimeout(() => child.kill('SIGKILL'), idleMs);
        // A part of a page that is not full yet adds nothing.
        if (byteLength > 0) yield Buffer.from(buffer, byteOffset, byteLength);
        clearTimeout(idle);
      }
    } finally {
      child.kill('SIGKILL');
    }
  }

  return {
    async *print(record) {
      const leave = await enterGate(gate);
      try {
        yield* write(record);
      } finally {
        leave();
      }
    },
  };
}

/** A place of a gate for as long as a generator runs; answers what gives it back. */
async function enterGate(gate: ReturnType<typeof createGate>): Promise<() => void> {
  return new Promise((entered, refused) => {
    gate.run(() => new Promise<void>((leave) => entered(leave))).catch(refused);
  });
}

/** The record as it is read, in the parts in which it is written. */
async function* partsOf(
  { db, facility, by, at, reason, chats, signedReports }: Export,
  findPicture: FindPicture,
): AsyncGenerator<RecordPart> {
  const room = { pictures: MOST_PICTURES };
  yield { kind: 'head', head: { facility, by, at, reason, chats } };
  for (const [index, chat] of chats.entries()) {
    yield { kind: 'chat', index, people: await readPeople(db, chat.id) };
    for await (const page of readMessages(db, chat))
      yield* withPictures(page, { room, find: (file) => findPicture(db, file) });
    yield { kind: 'reports', reports: await signedReports(db, chat.id) };
  }
  yield { kind: 'end' };
}

interface PictureSource {
  /** How many may be shown yet. */
  readonly room: { pictures: number };
  readonly find: (file: RecordMessage['files'][number]) => ReturnType<FindPicture>;
}

/** A page of messages, in several parts where it has many pictures. */
async function* withPictures(
  page: readonly RecordMessage[],
  { room, find }: PictureSource,
): AsyncGenerator<RecordPart> {
  let messages: RecordMessage[] = [];
  let pictures = new Map<string, JpegPicture>();
  for (const message of page) {
    messages.push(message);
    for (const file of message.files) {
      const picture = room.pictures > 0 ? await find(file) : null;
      if (!picture) continue;
      room.pictures -= 1;
      pictures.set(file.id, picture);
    }
    if (pictures.size < PICTURES_AT_ONCE) continue;
    yield { kind: 'messages', messages, pictures };
    messages = [];
    pictures = new Map();
  }
  yield { kind: 'messages', messages, pictures };
}
