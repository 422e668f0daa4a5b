import { vi } from 'vitest';

/** Fakes what our own waiting uses; the database and the cipher keep their real, short turns. */
export function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
}

/** One turn of everything that really happens beside the fake clock. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Lets work that waits for no timer come to its end. */
export async function settle(turns = 40): Promise<void> {
  for (let index = 0; index < turns; index += 1) await turn();
}

const ROUNDS = 6000;
/** The cipher works in threads: on a busy machine all rounds may be over before it is. */
const LEAST_MS = 15_000;

/** Waits for the condition, moving a fake clock on meanwhile; fails after ten minutes of that clock and some real seconds. */
export async function until(condition: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS || performance.now() - startedAt < LEAST_MS; round += 1) {
    if (await condition()) return;
    await turn();
    if (round < ROUNDS && round % 10 === 9 && vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(1000);
  }
  throw new Error(`This never came: ${what}`);
}
