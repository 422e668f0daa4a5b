const ROUNDS = 30;
const SERIES = 3;
const ALLOWED_MS = 5;
const ALLOWED_SHARE = 0.25;

/**
 * True when two things, done in turns, take as long by their medians: to 5 ms, or to a quarter on a busy machine. A
 * difference that is real is in each of three series; one that is the machine's is not.
 */
export async function takeTheSameTime(first: () => Promise<void>, second: () => Promise<void>): Promise<boolean> {
  for (let series = 0; series < SERIES; series++) {
    const [ofFirst, ofSecond]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      ofFirst.push(await timeOf(first));
      ofSecond.push(await timeOf(second));
    }
    const [a, b] = [median(ofFirst), median(ofSecond)];
    if (Math.abs(a - b) < Math.max(ALLOWED_MS, ALLOWED_SHARE * Math.min(a, b))) return true;
  }
  return false;
}

async function timeOf(doing: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await doing();
  return performance.now() - startedAt;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
