import path from 'node:path';
import { ChildLostError, createChildPool } from '#/platform/child-process/child-pool.ts';
import { type ChildProgram, childProgram } from '#/platform/child-process/child-program.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Log } from '#/platform/log.ts';
import { checkImage, ImageError } from './check-image.ts';
import type { DecodeReply, DecodeRequest, ImageOrder } from './image-order.ts';

/** The program that decodes pictures. */
export const WORKER = childProgram({
  source: path.join(import.meta.dirname, 'worker.ts'),
  bundled: 'image-worker.js',
});

/** Makes pictures anew, in processes that may die of them. */
export interface ImageWorkers {
  /** Throws an ImageError for a picture that cannot be taken, 503 when too many wait or the process died of it. */
  make(bytes: Buffer, order: ImageOrder): Promise<Buffer>;
  /** The text that stands for a picture until it is there. Throws as `make` does. */
  blurhash(bytes: Buffer): Promise<string>;
  close(): void;
}

export interface ImageWorkersOptions {
  readonly log: Log;
  readonly program?: ChildProgram;
  readonly timeoutMs?: number;
  /** How long a process without work is kept. */
  readonly idleMs?: number;
}

export function createImageWorkers(options: ImageWorkersOptions): ImageWorkers {
  const { log, program = WORKER, timeoutMs = 10_000, idleMs = 60_000 } = options;
  const pool = createChildPool<DecodeRequest, DecodeReply>({
    program,
    env: { VIPS_BLOCK_UNTRUSTED: '1' },
    heapMb: 64,
    atOnce: 2,
    waiting: 32,
    timeoutMs,
    idleMs,
  });
  async function ask(bytes: Buffer, order: DecodeRequest['order']): Promise<Buffer> {
    checkImage(bytes);
    const reply = await pool.ask({ bytes, order }).catch((error: unknown) => {
      if (!(error instanceof ChildLostError)) throw error;
      log.warn({ err: error }, 'a process that decodes pictures was lost');
      throw new AppError('unavailable', { retryAfterS: 1 });
    });
    if ('error' in reply) throw new ImageError('unreadable', reply.error);
    return Buffer.from(reply.bytes.buffer, reply.bytes.byteOffset, reply.bytes.byteLength);
  }
  return {
    make: ask,
    blurhash: async (bytes) => String(await ask(bytes, 'blurhash')),
    close: pool.close,
  };
}
