import { type OpenTabChannel, openTabChannel } from '#/browser/tab-channel.ts';
import { tabLock, type WithTabLock } from '#/browser/tab-lock.ts';
import { ApiError, isTemporary } from '#/http/api-error.ts';
import type { Log } from '#/log.ts';
import type { Observable } from '#/observable.ts';
import { createRetryTimer } from '#/retry-timer.ts';
import type { DeviceStore, StoreChange } from '#/store/device-store.ts';
import { type OutboxItem, type Refusal, toRow } from './outbox-item.ts';
import { createOutboxMirror } from './outbox-mirror.ts';

export interface OutboxDeps<Payload, Reply> {
  readonly store: DeviceStore;
  readonly userId: string;
  readonly log: Log;
  /** Hands an item to the server. The server treats a repeat with the same client id as the same. */
  readonly send: (item: OutboxItem<Payload>, signal: AbortSignal) => Promise<Reply>;
  /**
   * Shows what the server stored, at once, and answers what to keep of it on the device. Called before the item is gone, in
   * every tab, and possibly twice; without the item where this tab did not know of it.
   */
  readonly deliver: (reply: Reply, item: OutboxItem<Payload> | null, kind: string) => readonly StoreChange[];
  /** A final failure in words for the author. */
  readonly describeFailure: (error: unknown, kind: string) => string;
  readonly openTab?: OpenTabChannel;
  readonly withLock?: WithTabLock;
  readonly random?: () => number;
  readonly now?: () => number;
}

export interface NewOutboxItem<Payload> {
  readonly clientId: string;
  readonly lane: string;
  readonly kind?: string;
  readonly payload: Payload;
  readonly writtenAt: string;
}

/** Unsent work, in order, for those who write it; watch it to show it. */
export interface UnsentWork<Payload> extends Observable<readonly OutboxItem<Payload>[]> {
  /** False when unsent work dies with this tab; the person should be told. */
  readonly isDurable: boolean;
  /** Resolves when the item is on the device, before anything is sent; rejects with a StoreError when it is not. */
  add(item: NewOutboxItem<Payload>): Promise<void>;
  /** Sends a failed item again, at its place in the order. */
  retry(clientId: string): Promise<void>;
  /** Takes an item off the device. One that is under way may still arrive, and is then shown as sent. */
  discard(clientId: string): Promise<void>;
  /** There is reason to believe that sending works now: online, focus, connected. */
  flush(): void;
}

/** The whole outbox, for its owner. */
export interface Outbox<Payload> extends UnsentWork<Payload> {
  /** Reads what waits on the device and begins to send. */
  open(): Promise<void>;
  /** Ends sending in this tab; what waits stays on the device. */
  stop(): void;
}

type TabWord<Reply> =
  | { readonly type: 'changed' }
  | { readonly type: 'acknowledged'; readonly clientId: string; readonly kind: string; readonly reply: Reply };

/**
 * First in, first out per lane. A temporary failure keeps the item and rests its lane; a final one marks it failed and the
 * later ones go on. One tab sends at a time; an item leaves the device only after its acknowledgement was delivered.
 */
export function createOutbox<Payload, Reply>(deps: OutboxDeps<Payload, Reply>): Outbox<Payload> {
  const { store, userId, log, withLock = tabLock(), openTab = openTabChannel, now = Date.now } = deps;
  const name = `wardline-outbox-${userId}`;
  const mirror = createOutboxMirror<Payload>(store, userId);
  const stopped = new AbortController();
  const active = new Set<string>();
  const resting = new Set<string>();
  const retryTimer = createRetryTimer(() => flush(), deps.random);
  let notBefore = 0;
  let isHolding = false;
  let isWanted = false;
  let isLooping = false;
  let onIdle: () => void = () => undefined;
  let adding: Promise<unknown> = Promise.resolve();

  const tab = openTab<TabWord<Reply>>(name, (word) => {
    if (stopped.signal.aborted) return;
    if (word.type === 'acknowledged') {
      deps.deliver(word.reply, mirror.find(word.clientId) ?? null, word.kind);
      mirror.remove(word.clientId);
    } else {
      mirror.refresh().then(start, (error) => log.warn('The outbox could not be read', error));
    }
  });

  const waitingIn = (lane: string) => mirror.get().find((item) => item.lane === lane && item.state === 'waiting');

  /** Starts every lane that has work, does not rest and is not under way. */
  const pump = (): void => {
    if (stopped.signal.aborted) {
      onIdle();
      return;
    }
    const lanes = new Set(mirror.get().flatMap((item) => (item.state === 'waiting' ? [item.lane] : [])));
    for (const lane of lanes) {
      if (active.has(lane) || resting.has(lane)) continue;
      active.add(lane);
      void runLane(lane).finally(() => {
        active.delete(lane);
        if (isHolding) pump();
      });
    }
    if (active.size === 0) onIdle();
  };

  const runLane = async (lane: string): Promise<void> => {
    for (let item = waitingIn(lane); item !== undefined && !stopped.signal.aborted; item = waitingIn(lane)) {
      mirror.put({ ...item, state: 'sending' });
      try {
        const reply = await deps.send(item, stopped.signal);
        await acknowledge(item, reply);
      } catch (error) {
        if (stopped.signal.aborted) return;
        await noteFailure(item, error);
        if (isTemporary(error)) {
          rest(lane, error);
          return;
        }
      }
    }
  };

  const rest = (lane: string, error: unknown): void => {
    resting.add(lane);
    const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : null;
    if (retryAfterMs !== null) notBefore = now() + Math.min(retryAfterMs, 60_000);
    retryTimer.plan(retryAfterMs === null ? 0 : Math.min(retryAfterMs, 60_000));
  };

  const acknowledge = async (item: OutboxItem<Payload>, reply: Reply): Promise<void> => {
    const removal: StoreChange = { type: 'remove-outbox', order: item.order };
    const changes = deps.deliver(reply, item, item.kind);
    // Told before the row is gone, so that no tab sees neither the unsent nor the stored one.
    tab.post({ type: 'acknowledged', clientId: item.clientId, kind: item.kind, reply });
    mirror.remove(item.clientId);
    // A success of one lane says nothing of those that rest: their retry stays planned.
    if (resting.size === 0) retryTimer.succeed();
    try {
      // Without room for the cache there is still room for less: the removal alone.
      await store.write([removal, ...changes]).catch(() => store.write([removal]));
    } catch (error) {
      // Harmless: it is sent once more after the next start, and the server answers with what it stored.
      log.warn('A sent item could not be taken off this device', error);
    }
  };

  const noteFailure = async (item: OutboxItem<Payload>, error: unknown): Promise<void> => {
    if (mirror.find(item.clientId) === undefined) return;
    const attempts = item.attempts + 1;
    const isKept = isTemporary(error);
    if (!isKept) log.warn(`An item of the outbox was refused: ${error instanceof ApiError ? error.code : 'unknown'}`);
    const next = isKept
      ? { ...item, attempts, state: 'waiting' as const }
      : {
          ...item,
          attempts,
          state: 'failed' as const,
          reason: deps.describeFailure(error, item.kind),
          refusal: refusalOf(error),
        };
    await keep(next);
  };

  const keep = async (item: OutboxItem<Payload>): Promise<void> => {
    mirror.put(item);
    try {
      await store.write([{ type: 'put-outbox', row: toRow(item) }]);
    } catch (error) {
      log.warn('What happened to an unsent item could not be kept on this device', error);
    }
    tab.post({ type: 'changed' });
  };

  const hold = async (): Promise<void> => {
    if (stopped.signal.aborted) return;
    await mirror.refresh();
    isHolding = true;
    await new Promise<void>((resolve) => {
      onIdle = resolve;
      pump();
    });
    isHolding = false;
  };

  const start = (): void => {
    isWanted = true;
    if (isHolding) pump();
    if (isLooping || stopped.signal.aborted) return;
    isLooping = true;
    void loop().finally(() => {
      isLooping = false;
    });
  };
  const loop = async (): Promise<void> => {
    while (isWanted && !stopped.signal.aborted) {
      isWanted = false;
      if (!mirror.get().some((item) => item.state === 'waiting' && !resting.has(item.lane))) continue;
      try {
        await withLock(name, stopped.signal, hold);
      } catch (error) {
        isHolding = false;
        if (stopped.signal.aborted) return;
        log.warn('The outbox could not be sent now', error);
        retryTimer.plan();
      }
    }
  };

  const flush = (): void => {
    if (now() < notBefore) {
      retryTimer.plan(notBefore - now());
      return;
    }
    retryTimer.cancel();
    resting.clear();
    start();
  };

  return {
    get: mirror.get,
    subscribe: mirror.subscribe,
    isDurable: store.isDurable,
    async open() {
      await mirror.refresh();
      flush();
    },
    add(item) {
      const added = adding.then(async () => {
        const { kind = '' } = item;
        const row = { ...item, kind, userId, attempts: 0, state: 'waiting' as const, reason: null, refusal: null };
        const { order: _none, ...unplaced } = toRow({ ...row, order: 0 });
        const order = await store.addOutbox(unplaced);
        mirror.put({ ...row, order });
        tab.post({ type: 'changed' });
        start();
      });
      // In the order in which the person pressed send, though storing one may take longer than storing the next.
      adding = added.catch(() => undefined);
      return added;
    },
    async retry(clientId) {
      const item = mirror.find(clientId);
      if (item?.state !== 'failed') return;
      await keep({ ...item, state: 'waiting', reason: null, refusal: null });
      resting.delete(item.lane);
      start();
    },
    async discard(clientId) {
      const item = mirror.find(clientId);
      if (item === undefined) return;
      await store.write([{ type: 'remove-outbox', order: item.order }]);
      mirror.remove(clientId);
      tab.post({ type: 'changed' });
    },
    flush,
    stop() {
      stopped.abort();
      retryTimer.cancel();
      tab.close();
    },
  };
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { status: 0, code: 'unknown', findings: [] };
  return { status: error.status, code: error.code, findings: error.findings };
}
