import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JoinOrder, Order, Report } from './people-process.ts';

/** People with open clients in a process of their own, which can be stopped as a laptop whose lid is shut. */
export class People {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('people-process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
    this.#ended = failure(this.#child);
    this.#ended.catch(() => {});
  }

  async join(order: Omit<JoinOrder, 'kind' | 'atOnce'> & { readonly atOnce?: number }): Promise<void> {
    await this.#order({ atOnce: 16, ...order, kind: 'join' });
  }

  /** What came to pass since `forget` or `join`. */
  report(): Promise<Report> {
    return this.#order({ kind: 'report' });
  }

  async forget(): Promise<void> {
    await this.#order({ kind: 'forget' });
  }

  async leave(): Promise<void> {
    await this.#order({ kind: 'leave' });
  }

  /** Nothing is read any more; the connections stay. */
  stop(): void {
    this.#child.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  /** Waits until everybody is connected and has all up to this message, or for so long. */
  async haveReached(cursor: number, { people, withinMs }: { people: number; withinMs: number }): Promise<Reached> {
    const startedAt = performance.now();
    for (;;) {
      const report = await this.report();
      const ms = Math.round(performance.now() - startedAt);
      const isThere = report.open === people && report.cursor >= cursor;
      if (isThere || ms > withinMs) return { ...report, isThere, ms };
      await sleep(100);
    }
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  async #order(order: Order): Promise<Report> {
    const answered = once(this.#child, 'message') as Promise<[Report]>;
    this.#child.send(order);
    const [report] = await Promise.race([answered, this.#ended]);
    return report;
  }
}

export interface Reached extends Report {
  readonly isThere: boolean;
  readonly ms: number;
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the people of the benchmark ended with ${code}`);
}
