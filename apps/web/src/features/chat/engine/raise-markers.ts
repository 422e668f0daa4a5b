import { isTemporary } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { Log } from '@wardline/client/log.ts';
import { createRetryTimer } from '@wardline/client/retry-timer.ts';
import { type DeviceStore, StoreError } from '@wardline/client/store/device-store.ts';
import { raiseMarkers as endpoint, Markers } from '@wardline/contract/chat/chat.ts';
import * as z from 'zod/mini';

export const MARKERS_DEBOUNCE_MS = 400;
const PREFIX = 'markers/';

interface MarkerDeps {
  readonly call: Call;
  readonly store: DeviceStore;
  readonly log: Log;
  readonly random?: () => number;
}

/** My markers on their way to the server: they only rise, wait while there is no network, and outlive the chat. */
export interface MarkerSender {
  /** Takes up what an earlier run of the page left behind. */
  open(): Promise<void>;
  /** `known` is what the server has of me already. */
  raise(chatId: string, to: Partial<Markers>, known: Markers): void;
  flush(): void;
  forget(chatId: string): void;
  stop(): void;
}

export function createMarkerSender({ call, store, log, random }: MarkerDeps): MarkerSender {
  const owed = createOwedMarkers(store, log);
  const confirmed = new Map<string, Markers>();
  const stopped = new AbortController();
  const retryTimer = createRetryTimer(() => flush(), random);
  let debounce: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;

  const settle = (chatId: string, sent: Markers): void => {
    const now = owed.get(chatId);
    if (now === undefined) return;
    if (now.delivered_seq > sent.delivered_seq || now.read_seq > sent.read_seq) schedule();
    else owed.remove(chatId);
  };
  /** Answers whether to go on with the other chats. */
  const sendOne = async (chatId: string, markers: Markers): Promise<boolean> => {
    try {
      const now = await call(endpoint, { params: { chat: chatId }, body: markers, signal: stopped.signal });
      confirmed.set(chatId, highest(confirmed.get(chatId), now));
      settle(chatId, markers);
    } catch (error) {
      if (stopped.signal.aborted) return false;
      if (isTemporary(error)) {
        retryTimer.plan();
        return false;
      }
      // Not mine to raise any more: the chat finds out by itself.
      owed.remove(chatId);
    }
    return true;
  };
  const send = async (): Promise<void> => {
    for (const [chatId, markers] of owed.all()) {
      if (stopped.signal.aborted || !(await sendOne(chatId, markers))) return;
    }
    retryTimer.succeed();
  };
  const flush = (): void => {
    clearTimeout(debounce);
    debounce = undefined;
    retryTimer.cancel();
    if (isSending || owed.all().length === 0 || stopped.signal.aborted) return;
    isSending = true;
    void send().finally(() => {
      isSending = false;
    });
  };
  const schedule = (): void => {
    debounce ??= setTimeout(() => {
      debounce = undefined;
      if (isSending) schedule();
      else flush();
    }, MARKERS_DEBOUNCE_MS);
  };

  return {
    async open() {
      await owed.load();
      flush();
    },
    raise(chatId, to, known) {
      const has = highest(highest(confirmed.get(chatId), known), owed.get(chatId));
      const raised = raisedTo(has, to);
      if (raised.read_seq === has.read_seq && raised.delivered_seq === has.delivered_seq) return;
      owed.put(chatId, raised);
      schedule();
    },
    flush,
    forget(chatId) {
      confirmed.delete(chatId);
      owed.remove(chatId);
    },
    stop() {
      stopped.abort();
      clearTimeout(debounce);
      retryTimer.cancel();
    },
  };
}

/** What the server does not have yet, kept on the device as well. */
function createOwedMarkers(store: DeviceStore, log: Log) {
  const owed = new Map<string, Markers>();
  const keep = (chatId: string): void => {
    const markers = owed.get(chatId);
    const name = `${PREFIX}${chatId}`;
    const change =
      markers === undefined
        ? ({ type: 'remove-meta', name } as const)
        : ({ type: 'put-meta', name, chatId, value: markers, isCache: false } as const);
    store.write([change]).catch((error) => {
      // The session has ended: there is nothing left to keep them in.
      if (error instanceof StoreError && error.failure === 'closed') return;
      log.warn('Markers could not be kept on this device', error);
    });
  };
  return {
    all: (): readonly (readonly [chatId: string, markers: Markers])[] => [...owed],
    get: (chatId: string) => owed.get(chatId),
    async load(): Promise<void> {
      for (const [name, value] of await store.metaWithPrefix(PREFIX)) {
        const parsed = z.safeParse(Markers, value);
        const chatId = name.slice(PREFIX.length);
        if (parsed.success) owed.set(chatId, highest(owed.get(chatId), parsed.data));
      }
    },
    put(chatId: string, markers: Markers): void {
      owed.set(chatId, markers);
      keep(chatId);
    },
    remove(chatId: string): void {
      if (owed.delete(chatId)) keep(chatId);
    },
  };
}

/** What was read was delivered. */
function raisedTo(has: Markers, to: Partial<Markers>): Markers {
  const read_seq = Math.max(has.read_seq, to.read_seq ?? 0);
  return { read_seq, delivered_seq: Math.max(has.delivered_seq, to.delivered_seq ?? 0, read_seq) };
}

function highest(a: Markers | undefined, b: Markers | undefined): Markers {
  return {
    delivered_seq: Math.max(a?.delivered_seq ?? 0, b?.delivered_seq ?? 0),
    read_seq: Math.max(a?.read_seq ?? 0, b?.read_seq ?? 0),
  };
}
