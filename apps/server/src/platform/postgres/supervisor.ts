import { setTimeout as sleep } from 'node:timers/promises';
import type { BroughtUp } from './bring-up.ts';
import type { ServerProcess } from './server-process.ts';

/** The part of a pino logger that is used here. */
export interface PostgresLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What is known when the server answers again. */
export interface Restart {
  readonly pid: number;
  /** From noticing the death to the first answer. */
  readonly downMs: number;
  readonly attempts: number;
}

interface Supervised {
  readonly server: ServerProcess;
  readonly restart: (port: number, isCancelled: () => boolean) => Promise<BroughtUp>;
  readonly log: PostgresLog;
  readonly onRestart: (restart: Restart) => void;
}

export interface Supervisor {
  readonly current: () => ServerProcess;
  /** Stops watching, waits for a restart that is under way, and hands over the server that is left. */
  readonly end: () => Promise<ServerProcess>;
}

// Looking at a process that is not our child runs `ps` outside Linux, so look less often there.
const LOOK_EVERY_MS = process.platform === 'linux' ? 200 : 2000;

/** Looks after the server and brings it back on the same port for as long as it takes (the disk may be full). */
export function supervise(supervised: Supervised): Supervisor {
  let server = supervised.server;
  let ended = false;
  let restarting: Promise<void> | null = null;

  const bringBack = async (): Promise<void> => {
    const diedAt = performance.now();
    supervised.log.warn({ pid: server.pid }, 'PostgreSQL has died and is started again');
    try {
      const back = await supervised.restart(server.port, () => ended);
      server = back.server;
      const restart = { pid: server.pid, downMs: Math.round(performance.now() - diedAt), attempts: back.attempts };
      supervised.log.info(restart, 'PostgreSQL is back');
      supervised.onRestart(restart);
    } catch (error) {
      supervised.log.warn({ err: error }, 'PostgreSQL could not be started again');
      if (!ended) await sleep(1000);
    }
  };

  const timer = setInterval(() => {
    if (restarting !== null || server.isAlive()) return;
    restarting = bringBack().finally(() => {
      restarting = null;
    });
  }, LOOK_EVERY_MS);
  timer.unref();

  return {
    current: () => server,
    end: async () => {
      ended = true;
      clearInterval(timer);
      await restarting;
      return server;
    },
  };
}
