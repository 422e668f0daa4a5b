import { AsyncLocalStorage } from 'node:async_hooks';

const writes = new AsyncLocalStorage<true>();
let isRefused = false;

/** From now on a write that asks the pool for a second connection fails: for tests, where every write runs. */
export function refuseSecondConnections(): void {
  isRefused = true;
}

/** Runs what a transaction does. */
export function asHolder<Result>(run: () => Promise<Result>): Promise<Result> {
  return isRefused ? writes.run(true, run) : run();
}

/** Writes that each hold one connection and wait for another would wait for ever: what they read, they read by `tx`. */
export function assertNoHolder(): void {
  if (writes.getStore()) throw new Error('A write asks for a second connection: it reads by `db`, not by its `tx`.');
}
