export interface Measured {
  readonly acknowledged: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Sending {
  send(body: string): Promise<void>;
}

const BODY =
  'K 6.8 mmol/L, confirmed, not haemolysed. Calcium gluconate now, then insulin with glucose. Repeat in two hours.';

/** Every sender sends its next message when the one before is acknowledged. */
export async function sendFor(senders: readonly Sending[], durationMs: number): Promise<number[]> {
  const latencies: number[] = [];
  const until = performance.now() + durationMs;
  await Promise.all(
    senders.map(async (sender) => {
      for (let now = performance.now(); now < until; ) {
        await sender.send(BODY);
        const after = performance.now();
        latencies.push(after - now);
        now = after;
      }
    }),
  );
  return latencies;
}

/** Messages at a fixed rate, whatever the answers take; time is counted from when each was due. */
export async function sendAtRate(
  senders: readonly Sending[],
  { perSecond, durationMs }: { perSecond: number; durationMs: number },
): Promise<number[]> {
  const startedAt = performance.now();
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  for (let n = 0; n < (durationMs / 1000) * perSecond; n++) {
    const dueAt = startedAt + (n * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
    const sending = senders[n % senders.length]?.send(BODY);
    if (sending) pending.push(sending.then(() => void latencies.push(performance.now() - dueAt)));
  }
  await Promise.all(pending);
  return latencies;
}

export function summarise(latencies: readonly number[], durationMs: number): Measured {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const perSecond = round((latencies.length / durationMs) * 1000);
  return { acknowledged: latencies.length, perSecond, p50Ms: at(0.5), p99Ms: at(0.99) };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
