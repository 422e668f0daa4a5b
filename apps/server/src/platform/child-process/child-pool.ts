import { type ChildProcess, fork } from 'node:child_process';
import { createGate } from '#/platform/http/concurrency-gate.ts';
import type { ChildProgram } from './child-program.ts';

/** Child processes that answer one message at a time, for work that a process may die of. */
export interface ChildPool<Request, Reply> {
  /** Throws ChildLostError where the process ended or took too long, 503 when too many wait. */
  ask(request: Request): Promise<Reply>;
  close(): void;
}

interface StartOptions {
  readonly program: ChildProgram;
  /** With what the program itself brings all that it knows of an environment: ours may have secrets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly heapMb: number;
}

export interface ChildPoolOptions extends StartOptions {
  readonly atOnce: number;
  readonly waiting: number;
  readonly timeoutMs: number;
  /** How long a process without work is kept. */
  readonly idleMs: number;
}

/** The process ended, or was ended for taking too long; the next request gets another one. */
export class ChildLostError extends Error {
  override readonly name = 'ChildLostError';
}

export function createChildPool<Request extends object, Reply>(options: ChildPoolOptions): ChildPool<Request, Reply> {
  const { atOnce, waiting, timeoutMs, idleMs } = options;
  const gate = createGate({ atOnce, waiting });
  const idle: IdleChild[] = [];
  const all = new Set<ChildProcess>();

  function hire(): ChildProcess {
    const rested = idle.pop();
    if (rested) {
      clearTimeout(rested.timer);
      return rested.child;
    }
    const child = startChild(options);
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

  async function askOne(request: Request): Promise<Reply> {
    const child = hire();
    try {
      const reply = await answerOf(child, request, timeoutMs);
      rest(child);
      return reply as Reply;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  return {
    ask: (request) => gate.run(() => askOne(request)),
    close() {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

interface IdleChild {
  readonly child: ChildProcess;
  readonly timer: NodeJS.Timeout;
}

/** A process of a program, with what it may know of an environment and how much its heap may hold. */
export function startChild({ program, env = {}, heapMb }: StartOptions): ChildProcess {
  return fork(program.file, [], {
    execArgv: [...program.execArgv, `--max-old-space-size=${heapMb}`],
    env: { ...program.env, ...env },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** What it answers to a message; throws ChildLostError where it ends or takes too long. */
export function answerOf(child: ChildProcess, request: object, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      clearTimeout(timer);
      child.off('message', onReply).off('exit', onExit).off('error', onError);
      done();
    };
    const lose = (why: string, cause?: Error) => settle(() => reject(new ChildLostError(why, { cause })));
    const onReply = (reply: unknown) => settle(() => resolve(reply));
    const onExit = () => lose('it ended');
    const onError = (error: Error) => lose('it could not be asked', error);
    const timer = setTimeout(() => lose('it took too long'), timeoutMs);
    child.on('message', onReply).on('exit', onExit).on('error', onError);
    child.send(request, (error) => error && onError(error));
  });
}
