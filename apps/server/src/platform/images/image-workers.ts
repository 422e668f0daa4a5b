import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '#/platform/http/app-error.ts';
import { createGate } from '#/platform/limits/gate.ts';
import type { Log } from '#/platform/log/log.ts';
import { checkImage, ImageError } from './check-image.ts';
import type { DecodeReply, DecodeRequest, ImageOrder } from './image-order.ts';
import { WORKER, type WorkerProgram } from './worker-program.ts';

/** Makes pictures anew, in processes that may die of them. */
export interface ImageWorkers {
  /** Throws an ImageError for a picture that cannot be taken, 503 when too many wait or the process died of it. */
  make(bytes: Buffer, order: ImageOrder): Promise<Buffer>;
  close(): void;
}

export interface ImageWorkersOptions {
  readonly log: Log;
  readonly program?: WorkerProgram;
  readonly timeoutMs?: number;
  /** How long a process without work is kept. */
  readonly idleMs?: number;
}

const AT_ONCE = 2;
const WAITING = 32;
const HEAP_MB = 64;

export function createImageWorkers(options: ImageWorkersOptions): ImageWorkers {
  const { log, program = WORKER, timeoutMs = 10_000, idleMs = 60_000 } = options;
  const gate = createGate({ atOnce: AT_ONCE, waiting: WAITING });
  const idle: IdleWorker[] = [];
  const all = new Set<ChildProcess>();

  function hire(): ChildProcess {
    const rested = idle.pop();
    if (rested) {
      clearTimeout(rested.timer);
      return rested.child;
    }
    const child = start(program);
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      const place = idle.findIndex((candidate) => candidate.child === child);
      if (place >= 0) idle.splice(place, 1);
    });
    return child;
  }

  function rest(child: ChildProcess): void {
    const timer = setTimeout(() => child.kill('SIGKILL'), idleMs).unref();
    idle.push({ child, timer });
  }

  async function makeIn(child: ChildProcess, request: DecodeRequest): Promise<Buffer> {
    const reply = await ask(child, request, timeoutMs).catch((error: unknown) => {
      child.kill('SIGKILL');
      log.warn({ err: error }, 'a process that decodes pictures was lost');
      throw new AppError('unavailable', { retryAfterS: 1 });
    });
    rest(child);
    if ('error' in reply) throw new ImageError('unreadable', reply.error);
    return Buffer.from(reply.bytes.buffer, reply.bytes.byteOffset, reply.bytes.byteLength);
  }

  return {
    async make(bytes, order) {
      checkImage(bytes);
      return gate.run(() => makeIn(hire(), { bytes, order }));
    },
    close() {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

interface IdleWorker {
  readonly child: ChildProcess;
  readonly timer: NodeJS.Timeout;
}

/** Knows nothing of the server's environment, whose variables may be secrets. */
function start({ file, execArgv }: WorkerProgram): ChildProcess {
  return fork(file, [], {
    execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
    env: { VIPS_BLOCK_UNTRUSTED: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function ask(child: ChildProcess, request: DecodeRequest, timeoutMs: number): Promise<DecodeReply> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      clearTimeout(timer);
      child.off('message', onReply).off('exit', onExit).off('error', onError);
      done();
    };
    const onReply = (reply: unknown) => settle(() => resolve(reply as DecodeReply));
    const onExit = () => settle(() => reject(new Error('it ended')));
    const onError = (error: Error) => settle(() => reject(error));
    const timer = setTimeout(() => settle(() => reject(new Error('it took too long'))), timeoutMs);
    child.on('message', onReply).on('exit', onExit).on('error', onError);
    child.send(request, (error) => error && onError(error));
  });
}
