import { AppError } from '#/platform/http/app-error.ts';

export interface GroupCommitLimits {
  /** Of one batch; an item that is larger than a whole batch goes alone. */
  readonly batchItems: number;
  readonly batchBytes: number;
  /** Of all that waits; whoever comes then is turned away with 503. */
  readonly waitingItems: number;
  readonly waitingBytes: number;
  /** So many batches under way at once: each holds a connection to the database. */
  readonly atOnce: number;
}

export interface GroupCommitOptions<Item, Outcome> {
  /** Stores all items of a batch or none of them; resolves to an outcome for each, in their order. */
  readonly store: (key: string, items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** Items of one identity never share a batch: the second is to find what became of the first. */
  readonly identityOf: (item: Item) => string;
  readonly bytesOf: (item: Item) => number;
  /** Whether one item may have made its batch fail: each is then tried again alone. Otherwise all are told the error. */
  readonly isOwnFault: (error: unknown) => boolean;
  readonly limits: GroupCommitLimits;
}

export interface GroupCommit<Item, Outcome> {
  /** Stores an item with those of the same key that wait with it. Items of one key are stored in the order of these calls. */
  add(key: string, item: Item): Promise<Outcome>;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit, as databases do it: the first item of a key goes at once, and those that come while it is under way go
 * together when it is done, with one commit. Keys do not wait for each other, but for a free place; whose turn has passed
 * goes to the end of the line.
 */
export function createGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  const { store, limits } = options;
  /** What waits of each key that is under way or in the line. */
  const queues = new Map<string, Waiting<Item, Outcome>[]>();
  /** Keys that wait for a free place, the longest first. */
  const line: string[] = [];
  let running = 0;
  const waiting = { items: 0, bytes: 0 };

  function startNext(): void {
    while (running < limits.atOnce) {
      const key = line.shift();
      if (key === undefined) return;
      running++;
      void runBatch(key, takeBatch(key));
    }
  }

  function takeBatch(key: string): Waiting<Item, Outcome>[] {
    const queue = queues.get(key) ?? [];
    const batch = queue.splice(0, batchLength(queue, options));
    waiting.items -= batch.length;
    for (const { bytes } of batch) waiting.bytes -= bytes;
    return batch;
  }

  async function runBatch(key: string, batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const tellAll = await storeBatch(key, batch);
    running--;
    if ((queues.get(key)?.length ?? 0) > 0) line.push(key);
    else queues.delete(key);
    // The database stores the next batch while this one is told.
    startNext();
    tellAll();
  }

  /** Resolves to what tells each its outcome or its error; never rejects. */
  async function storeBatch(key: string, batch: readonly Waiting<Item, Outcome>[]): Promise<() => void> {
    try {
      const outcomes = await store(
        key,
        batch.map(({ item }) => item),
      );
      if (outcomes.length !== batch.length) throw new Error('a batch was stored without an outcome for each item');
      return () => {
        for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
      };
    } catch (error) {
      if (batch.length > 1 && options.isOwnFault(error)) return await storeEach(key, batch);
      return () => {
        for (const { reject } of batch) reject(error);
      };
    }
  }

  /** Each alone, told while the next one is stored; resolves to what tells the last. */
  async function storeEach(key: string, batch: readonly Waiting<Item, Outcome>[]): Promise<() => void> {
    let tell: () => void = () => undefined;
    for (const one of batch) {
      const stored = storeBatch(key, [one]);
      tell();
      tell = await stored;
    }
    return tell;
  }

  return {
    add(key, item) {
      const bytes = options.bytesOf(item);
      if (waiting.items >= limits.waitingItems || waiting.bytes + bytes > limits.waitingBytes) {
        return Promise.reject(new AppError('unavailable', { retryAfterS: 1 }));
      }
      return new Promise((resolve, reject) => {
        const queue = queues.get(key);
        waiting.items++;
        waiting.bytes += bytes;
        if (queue) {
          queue.push({ item, bytes, resolve, reject });
          return;
        }
        queues.set(key, [{ item, bytes, resolve, reject }]);
        line.push(key);
        startNext();
      });
    },
  };
}

/** How many from the front go together. */
function batchLength<Item, Outcome>(
  queue: readonly Waiting<Item, Outcome>[],
  { identityOf, limits }: GroupCommitOptions<Item, Outcome>,
): number {
  const identities = new Set<string>();
  let total = 0;
  for (const [index, { item, bytes }] of queue.entries()) {
    const identity = identityOf(item);
    total += bytes;
    const isFull = index === limits.batchItems || (index > 0 && total > limits.batchBytes);
    if (isFull || identities.has(identity)) return index;
    identities.add(identity);
  }
  return queue.length;
}
