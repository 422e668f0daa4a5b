import { type OpenTabChannel, openTabChannel, type TabChannel } from '#/browser/tab-channel.ts';
import { tabLock, type WithTabLock } from '#/browser/tab-lock.ts';
import { createEngine, createRequests, type EffectHandlers, type Requests, runBy } from '#/engine.ts';
import { ApiError, isTemporary } from '#/http/api-error.ts';
import type { Log } from '#/log.ts';
import { createSource, type Observable } from '#/observable.ts';
import { createTimer } from '#/schedule.ts';
import type { DeviceStore, StoreChange } from '#/store/device-store.ts';
import type { OutboxEffect, OutboxEvent, OutboxTabMessage, SendFailure } from './outbox-events.ts';
import { type OutboxItem, type Refusal, toRow } from './outbox-item.ts';
import { emptyOutbox, reduceOutbox } from './outbox-reducer.ts';

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

/** Runs {@link reduceOutbox} over the device, the server, the other tabs and the page's timers. */
export function createOutbox<Payload, Reply>(deps: OutboxDeps<Payload, Reply>): Outbox<Payload> {
  const { store, userId, log, openTab = openTabChannel, now = Date.now, random = Math.random } = deps;
  const items = createSource<readonly OutboxItem<Payload>[]>([]);
  const requests = createRequests();
  const engine = createEngine({
    initial: emptyOutbox<Payload>(userId),
    reduce: reduceOutbox<Payload, Reply>,
    onState: (state) => items.set(state.items),
    run: (effect: OutboxEffect<Payload, Reply>) => run(effect),
    onError: (error) => log.error('The outbox could not do a step of its work', error),
  });
  const dispatch: Dispatch<Payload, Reply> = (event) => engine.dispatch({ ...event, now: now(), random: random() });
  const name = `${store.prefix}-outbox-${userId}`;
  const tab = openTab<OutboxTabMessage<Reply>>(name, (message) => dispatch({ type: 'tab-message', message }));
  const run = runBy<OutboxEffect<Payload, Reply>>(createHandlers({ deps, name, tab, requests, dispatch }));

  const request = (toEvent: (requestId: number) => Parameters<Dispatch<Payload, Reply>>[0]): Promise<void> => {
    const { requestId, done } = requests.open();
    dispatch(toEvent(requestId));
    return done;
  };
  return {
    get: items.get,
    subscribe: items.subscribe,
    isDurable: store.isDurable,
    open: () => request((requestId) => ({ type: 'open', requestId })),
    add: ({ kind = '', ...added }) =>
      request((requestId) => {
        const fresh = { order: 0, attempts: 0, state: 'waiting' as const, reason: null, refusal: null };
        return { type: 'add', requestId, item: { ...added, ...fresh, kind, userId } };
      }),
    retry: (clientId) => request((requestId) => ({ type: 'retry', requestId, clientId })),
    discard: (clientId) => request((requestId) => ({ type: 'discard', requestId, clientId })),
    flush: () => dispatch({ type: 'flush' }),
    stop: () => dispatch({ type: 'stop' }),
  };
}

type Unstamped<Event> = Event extends unknown ? Omit<Event, 'now' | 'random'> : never;
type Dispatch<Payload, Reply> = (event: Unstamped<OutboxEvent<Payload, Reply>>) => void;

interface RunnerDeps<Payload, Reply> {
  readonly deps: OutboxDeps<Payload, Reply>;
  readonly name: string;
  readonly tab: TabChannel<OutboxTabMessage<Reply>>;
  readonly requests: Requests;
  readonly dispatch: Dispatch<Payload, Reply>;
}

type Handlers<Payload, Reply> = EffectHandlers<OutboxEffect<Payload, Reply>>;

/** Does what the reducer asks for; what comes of it goes back as an event. */
function createHandlers<Payload, Reply>(runner: RunnerDeps<Payload, Reply>): Handlers<Payload, Reply> {
  const { deps, tab, requests, dispatch } = runner;
  const stopped = new AbortController();
  const timer = createTimer(() => dispatch({ type: 'retry-due' }));
  return {
    ...createStoreHandlers(runner),
    ...createLockHandlers(runner, stopped.signal),
    send({ item }) {
      const { lane, clientId, kind } = item;
      deps.send(item, stopped.signal).then(
        (reply) => dispatch({ type: 'sent', lane, clientId, reply }),
        (error) => dispatch({ type: 'send-failed', lane, clientId, failure: toSendFailure(error, kind, deps) }),
      );
    },
    deliver({ delivery }) {
      const { reply, item, kind, clientId, isOwn } = delivery;
      try {
        dispatch({ type: 'delivered', delivery, changes: deps.deliver(reply, item, kind) });
      } catch (error) {
        if (!isOwn || item === null) throw error;
        dispatch({ type: 'send-failed', lane: item.lane, clientId, failure: toSendFailure(error, kind, deps) });
      }
    },
    'tell-tabs': ({ message }) => tab.post(message),
    'set-timer': ({ delayMs }) => timer.set(delayMs),
    'clear-timer': () => timer.clear(),
    'stop-sending'() {
      stopped.abort();
      tab.close();
    },
    answer: ({ requestId, failure }) => requests.answer(requestId, failure),
    warn: ({ line, error }) => deps.log.warn(line, error),
  };
}

type StoreEffect = 'read-rows' | 'add-row' | 'put-row' | 'remove-row' | 'discard-row';

function createStoreHandlers<Payload, Reply>({
  deps: { store },
  dispatch,
}: RunnerDeps<Payload, Reply>): Pick<Handlers<Payload, Reply>, StoreEffect> {
  return {
    'read-rows'() {
      store.outbox().then(
        (rows) => dispatch({ type: 'rows-read', rows }),
        (error) => dispatch({ type: 'rows-unreadable', error }),
      );
    },
    'add-row'({ item }) {
      const { order: _none, ...unplaced } = toRow(item);
      store.addOutbox(unplaced).then(
        (order) => dispatch({ type: 'row-added', order }),
        (error) => dispatch({ type: 'row-not-added', error }),
      );
    },
    'put-row'({ put }) {
      store.write([{ type: 'put-outbox', row: toRow(put.item) }]).then(
        () => dispatch({ type: 'row-put', put, failure: null }),
        (error) => dispatch({ type: 'row-put', put, failure: { error } }),
      );
    },
    'remove-row'({ removal }) {
      store.write([{ type: 'remove-outbox', order: removal.item.order }, ...removal.changes]).then(
        () => dispatch({ type: 'row-removed', removal, failure: null }),
        (error) => dispatch({ type: 'row-removed', removal, failure: { error } }),
      );
    },
    'discard-row'({ requestId, clientId, order }) {
      store.write([{ type: 'remove-outbox', order }]).then(
        () => dispatch({ type: 'row-discarded', requestId, clientId, failure: null }),
        (error) => dispatch({ type: 'row-discarded', requestId, clientId, failure: { error } }),
      );
    },
  };
}

function createLockHandlers<Payload, Reply>(
  { deps, name, dispatch }: RunnerDeps<Payload, Reply>,
  stopped: AbortSignal,
): Pick<Handlers<Payload, Reply>, 'take-lock' | 'release-lock'> {
  const { withLock = tabLock() } = deps;
  let release: () => void = () => undefined;
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      release = resolve;
      dispatch({ type: 'lock-granted' });
    });
  return {
    'take-lock': () => void withLock(name, stopped, hold).catch((error) => dispatch({ type: 'lock-lost', error })),
    'release-lock': () => release(),
  };
}

/** What the failure of a send means, its reason in words for the author. */
function toSendFailure(
  error: unknown,
  kind: string,
  { describeFailure }: Pick<OutboxDeps<never, never>, 'describeFailure'>,
): SendFailure {
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : null;
  if (isTemporary(error)) return { isTemporary: true, retryAfterMs, reason: null, refusal: null };
  return { isTemporary: false, retryAfterMs, reason: describeFailure(error, kind), refusal: toRefusal(error) };
}

function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { status: 0, code: 'unknown', findings: [] };
  return { status: error.status, code: error.code, findings: error.findings };
}
