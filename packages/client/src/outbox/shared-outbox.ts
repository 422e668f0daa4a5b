import { transportError } from '#/http/api-error.ts';
import { createSource, type Observable } from '#/observable.ts';
import type { StoreChange } from '#/store/device-store.ts';
import { createOutbox, type OutboxDeps, type UnsentWork } from './outbox.ts';
import { countOutbox, type OutboxCount, type OutboxItem } from './outbox-item.ts';

/** How work of one sort leaves the device; what its feature registers. */
export interface OutboxKind<Payload, Reply> {
  /** Makes of what an earlier build kept what this one understands. */
  readonly read?: (payload: unknown) => Payload;
  /** Hands an item to the server, which treats a repeat with the same client id as the same. */
  readonly send: (item: OutboxItem<Payload>, signal: AbortSignal) => Promise<Reply>;
  /** As `deliver` of {@link createOutbox}. */
  readonly deliver: (reply: Reply, item: OutboxItem<Payload> | null) => readonly StoreChange[];
  /** A final failure in words for the author. */
  readonly describeFailure: (error: unknown) => string;
  /** What an item is, for a list of all that waits; without it there are only its kind and its time. */
  readonly describe?: (item: OutboxItem<Payload>) => UnsentTexts;
}

/** What a piece of unsent work is, in words for its author. */
export interface UnsentTexts {
  readonly title: string;
  readonly text: string;
  /** Where it can be seen and changed. */
  readonly href: string | null;
}

/** One piece of unsent work in a list of all of them. */
export interface UnsentEntry extends Pick<OutboxItem<unknown>, 'clientId' | 'writtenAt' | 'state' | 'reason'> {
  readonly kind: string;
  readonly text: UnsentTexts | null;
}

/** What waits, counted over all kinds. */
export interface UnsentCount extends OutboxCount {
  /** The kinds of what waits or failed, each once. */
  readonly kinds: readonly string[];
  /** False when unsent work dies with this tab: the person should be told. */
  readonly isDurable: boolean;
}

/** One person's unsent work of every kind, in one order. */
export interface SharedOutbox extends Pick<UnsentWork<unknown>, 'retry' | 'discard'> {
  readonly count: Observable<UnsentCount>;
  /** All of it, in order. */
  entries(): readonly UnsentEntry[];
  /** The part of it that is of one kind. Registers how that kind is sent; items of a kind that nobody registered wait. */
  of<Payload, Reply>(kind: string, ways: OutboxKind<Payload, Reply>): UnsentWork<Payload>;
  /** Reads what waits on the device and begins to send. */
  open(): Promise<void>;
  flush(): void;
  /** Sends what waits; answers whether nothing waits any more when the time is over (A33). */
  drain(timeoutMs: number): Promise<boolean>;
  stop(): void;
}

export interface SharedOutboxDeps extends Omit<OutboxDeps<unknown, unknown>, 'send' | 'deliver' | 'describeFailure'> {
  /** The kind of items that were kept before there were kinds. */
  readonly firstKind: string;
}

/** One outbox for several features, none of which knows the others. */
export function createSharedOutbox({ firstKind, ...deps }: SharedOutboxDeps): SharedOutbox {
  const kinds = new Map<string, OutboxKind<unknown, unknown>>();
  const nameOf = (kind: string | undefined): string => kind || firstKind;
  const { now = Date.now } = deps;
  const readItem = createReading((kind) => kinds.get(nameOf(kind)));
  const outbox = createOutbox<unknown, unknown>({
    ...deps,
    async send(item, signal) {
      const ways = kinds.get(nameOf(item.kind));
      if (ways === undefined) throw transportError('cancelled', 'Nobody sends work of this kind yet.');
      return await ways.send(readItem(item), signal);
    },
    deliver: (reply, item, kind) => kinds.get(nameOf(kind))?.deliver(reply, item && readItem(item)) ?? [],
    describeFailure: (error, kind) => kinds.get(nameOf(kind))?.describeFailure(error) ?? 'This could not be sent.',
  });

  const countNow = (): UnsentCount => ({
    ...countOutbox(outbox.get(), now()),
    kinds: [...new Set(outbox.get().map((item) => nameOf(item.kind)))],
    isDurable: outbox.isDurable,
  });
  const count = createSource(countNow());
  outbox.subscribe(() => count.set(countNow()));

  return {
    count,
    entries: () =>
      outbox.get().map((item) => {
        const { clientId, writtenAt, state, reason } = item;
        const kind = nameOf(item.kind);
        return { clientId, writtenAt, state, reason, kind, text: kinds.get(kind)?.describe?.(readItem(item)) ?? null };
      }),
    retry: outbox.retry,
    discard: outbox.discard,
    of<Payload, Reply>(kind: string, ways: OutboxKind<Payload, Reply>): UnsentWork<Payload> {
      // What a kind has stored comes back to that kind alone.
      kinds.set(kind, ways as unknown as OutboxKind<unknown, unknown>);
      return partOf<Payload>(outbox, (item) => nameOf(item.kind) === kind, { kind, readItem });
    },
    open: outbox.open,
    flush: outbox.flush,
    drain: (timeoutMs) => drain(outbox, timeoutMs),
    stop: outbox.stop,
  };
}

/** Items as their kind reads them: each once, so that what did not change stays the same. */
function createReading(kindOf: (kind: string) => OutboxKind<unknown, unknown> | undefined) {
  const known = new WeakMap<OutboxItem<unknown>, OutboxItem<unknown>>();
  return (item: OutboxItem<unknown>): OutboxItem<unknown> => {
    const read = kindOf(item.kind)?.read;
    if (read === undefined) return item;
    const made = known.get(item) ?? { ...item, payload: read(item.payload) };
    known.set(item, made);
    return made;
  };
}

interface Part {
  readonly kind: string;
  readonly readItem: (item: OutboxItem<unknown>) => OutboxItem<unknown>;
}

function partOf<Payload>(
  outbox: UnsentWork<unknown>,
  isOfPart: (item: OutboxItem<unknown>) => boolean,
  { kind, readItem }: Part,
): UnsentWork<Payload> {
  const read = () => outbox.get().filter(isOfPart).map(readItem) as readonly OutboxItem<Payload>[];
  const part = createSource(read());
  outbox.subscribe(() => {
    const before = part.get();
    const items = read();
    const isSame = items.length === before.length && items.every((item, index) => item === before[index]);
    if (!isSame) part.set(items);
  });
  return {
    get: part.get,
    subscribe: part.subscribe,
    isDurable: outbox.isDurable,
    add: (item) => outbox.add({ ...item, kind }),
    retry: outbox.retry,
    discard: outbox.discard,
    flush: outbox.flush,
  };
}

function drain(outbox: UnsentWork<unknown>, timeoutMs: number): Promise<boolean> {
  const isEmpty = (): boolean => outbox.get().length === 0;
  if (isEmpty()) return Promise.resolve(true);
  outbox.flush();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      end();
      resolve(isEmpty());
    };
    const timer = setTimeout(finish, timeoutMs);
    const end = outbox.subscribe(() => isEmpty() && finish());
  });
}
