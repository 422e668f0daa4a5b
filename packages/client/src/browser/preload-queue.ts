/** How many paths may be on their way before the next one waits. */
const MOST_PENDING = 4;

/** What a browser may tell of its network; the part of `navigator.connection` that is looked at. */
export interface ConnectionState {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

interface PreloadDeps {
  /** Fetches the code and data of a path. */
  readonly load: (path: string) => Promise<unknown>;
  /** Looked at before each preload, because a network changes. */
  readonly connection?: ConnectionState | undefined;
}

/** Fetches ahead what a person is likely to open next (PRE-1). */
export interface PreloadQueue {
  /** Preloads a path once in this page's life, also where that fails: the navigation itself then tries again. */
  request(path: string): void;
}

/** Makes a preload queue. Nothing is fetched ahead where data is to be saved or the network is slow. */
export function createPreloadQueue({ load, connection }: PreloadDeps): PreloadQueue {
  const asked = new Set<string>();
  const pending = new Set<Promise<unknown>>();

  const isDear = (): boolean => connection?.saveData === true || connection?.effectiveType?.includes('2g') === true;

  const start = async (path: string): Promise<void> => {
    while (pending.size > MOST_PENDING) await Promise.all(pending);
    if (isDear() || asked.has(path)) return;
    asked.add(path);
    const loading = settle(load, path);
    pending.add(loading);
    await loading;
    pending.delete(loading);
  };

  return {
    request(path) {
      if (!asked.has(path) && !isDear()) void start(path);
    },
  };
}

async function settle(load: PreloadDeps['load'], path: string): Promise<void> {
  try {
    await load(path);
  } catch {
    // Nobody has asked for this page yet, so nobody is told.
  }
}
