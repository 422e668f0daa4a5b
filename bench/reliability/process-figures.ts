import { readFileSync } from 'node:fs';

/** What a process holds in memory now, in MB of 1,024 kB (Linux). */
export function memoryMbOf(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1_024;
}

/** Keeps looking at a figure, and gives the largest when it is asked to stop. */
export function watchMost(look: () => number, everyMs = 250): { most(): number } {
  let most = look();
  const timer = setInterval(() => {
    most = Math.max(most, look());
  }, everyMs).unref();
  return {
    most() {
      clearInterval(timer);
      return Math.max(most, look());
    },
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
