import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, transportError } from '#/http/api-error.ts';
import { type DeviceStore, StoreError } from '#/store/device-store.ts';
import { openDeviceStore } from '#/store/open-device-store.ts';
import { createFakeTabs, type FakeTabs } from '#/testing/fake-tabs.ts';
import { fakeTime, settle, until } from '#/testing/settle.ts';
import { createSilentLog } from '#/testing/silent-log.ts';
import { createOutbox, type OutboxDeps } from './outbox.ts';

const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
const refused = new ApiError('no', { status: 422, code: 'unprocessable' });
interface Payload {
  readonly text: string;
}
type Send = OutboxDeps<Payload, string>['send'];

async function openOutbox(send: Send, tabs: FakeTabs, userId = 'u1') {
  const log = createSilentLog();
  const store = await openDeviceStore({ userId, log, isOwnDevice: false, fetchKey: async () => key });
  const delivered: string[] = [];
  const outbox = createOutbox<Payload, string>({
    store,
    userId,
    log,
    send,
    deliver(reply) {
      delivered.push(reply);
      return [];
    },
    describeFailure: () => 'Refused.',
    openTab: tabs.openTab,
    withLock: tabs.withLock,
    random: () => 1,
  });
  await outbox.open();
  const add = (text: string, lane = 'c1') =>
    outbox.add({ clientId: text, lane, payload: { text }, writtenAt: new Date().toISOString() });
  const shown = () => outbox.get().map((item) => `${item.payload.text} ${item.state}`);
  return { outbox, store, delivered, add, shown };
}

describe('the outbox', () => {
  let tabs: FakeTabs;
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    tabs = createFakeTabs();
  });
  afterEach(() => void vi.useRealTimers());

  it('CHAT-1 an item is on the device before the first byte is sent', async () => {
    const onDevice: number[] = [];
    const { add, store } = await openOutbox(async () => {
      onDevice.push((await store.outbox()).length);
      return 'ok';
    }, tabs);
    await add('a');
    await until(() => onDevice.length === 1);
    expect(onDevice).toEqual([1]);
  });

  it('CHAT-3 sends in the order of writing, one after the other per lane, and keeps nothing that was acknowledged', async () => {
    const sent: string[] = [];
    let inFlight = 0;
    const { add, outbox, store, delivered } = await openOutbox(async (item) => {
      inFlight += 1;
      expect(inFlight).toBe(1);
      await Promise.resolve();
      inFlight -= 1;
      sent.push(item.payload.text);
      return item.clientId;
    }, tabs);
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(`m${index}`)));
    await until(() => outbox.get().length === 0);
    expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`));
    expect(delivered).toEqual(sent);
    await until(async () => (await store.outbox()).length === 0, 'the emptied device');
  });

  it('CHAT-3 a temporary failure keeps the item and rests its lane; other lanes go on; it goes again by itself', async () => {
    let isDown = true;
    const tries: string[] = [];
    const { add, outbox, shown } = await openOutbox(async (item) => {
      tries.push(item.payload.text);
      if (isDown && item.lane === 'c1') throw transportError('network', 'gone');
      return item.clientId;
    }, tabs);
    await add('a');
    await add('b');
    await add('x', 'c2');
    await until(() => outbox.get().length === 2);
    expect(shown()).toEqual(['a waiting', 'b waiting']);
    expect(tries.filter((text) => text === 'b')).toEqual([]);
    isDown = false;
    await until(() => outbox.get().length === 0);
    expect(tries.filter((text) => text === 'b')).toHaveLength(1);
  });

  it('CHAT-3 a final failure is said and does not block what follows; retry sends it, discard removes it', async () => {
    let isRefusing = true;
    const sent: string[] = [];
    const { add, outbox, shown, store } = await openOutbox(async (item) => {
      if (isRefusing && item.payload.text !== 'b') throw refused;
      sent.push(item.payload.text);
      return item.clientId;
    }, tabs);
    for (const text of ['a', 'b', 'c']) await add(text);
    await until(() => sent.length === 1 && shown().join() === 'a failed,c failed');
    expect(outbox.get()[0]?.reason).toBe('Refused.');
    isRefusing = false;
    await outbox.retry('a');
    await outbox.discard('c');
    await until(() => outbox.get().length === 0);
    expect(sent).toEqual(['b', 'a']);
    await until(async () => (await store.outbox()).length === 0, 'the emptied device');
  });

  it('RTA-6 waits for Retry-After even when it is woken before', async () => {
    let tries = 0;
    const { add, outbox } = await openOutbox(async () => {
      tries += 1;
      if (tries === 1) throw new ApiError('slow', { status: 429, code: 'too_many_requests', retryAfterMs: 20_000 });
      return 'ok';
    }, tabs);
    await add('a');
    await until(() => tries === 1 && outbox.get()[0]?.state === 'waiting');
    outbox.flush();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tries).toBe(1);
    await until(() => outbox.get().length === 0);
  });

  it('F-S5 40 messages past a limit of the server wait for Retry-After and all go out in order, none as failed', async () => {
    const sent: string[] = [];
    let left = 30;
    const { add, outbox } = await openOutbox(async ({ payload }) => {
      if (left === 0) {
        left = 5;
        throw new ApiError('Too many requests.', { status: 429, code: 'too_many_requests', retryAfterMs: 1_000 });
      }
      left -= 1;
      sent.push(payload.text);
      return 'ok';
    }, tabs);
    const states = new Set<string>();
    outbox.subscribe(() => {
      for (const item of outbox.get()) states.add(item.state);
    });
    const written = Array.from({ length: 40 }, (_, index) => `m${index}`);
    for (const text of written) await add(text);
    await until(() => sent.length === 40 && outbox.get().length === 0);
    expect(sent).toEqual(written);
    expect(states).toEqual(new Set(['waiting', 'sending']));
  });

  it('R6 20 items written offline survive a killed tab and are sent once each, in order', async () => {
    const first = await openOutbox(() => Promise.reject(transportError('network', 'offline')), tabs);
    for (let index = 0; index < 20; index += 1) await first.add(`m${index}`);
    tabs.killHolders();
    first.outbox.stop();
    const sent: string[] = [];
    const second = await openOutbox(async (item) => {
      sent.push(item.payload.text);
      return item.clientId;
    }, tabs);
    await until(() => sent.length >= 20 && second.outbox.get().length === 0);
    expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`));
  });

  it('CHAT-3 of two tabs one sends; both show the same, and both deliver', async () => {
    const sent: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const send =
      (tab: string): Send =>
      async (item) => {
        sent.push(`${tab} ${item.payload.text}`);
        await gate;
        return item.clientId;
      };
    const one = await openOutbox(send('one'), tabs);
    const two = await openOutbox(send('two'), tabs);
    await one.add('a');
    await until(() => sent.length === 1);
    await two.add('b');
    await until(() => one.outbox.get().length === 2 && two.outbox.get().length === 2);
    release();
    await until(() => one.outbox.get().length === 0 && two.outbox.get().length === 0);
    expect(sent.map((line) => line.slice(4))).toEqual(['a', 'b']);
    expect([one.delivered.toSorted(), two.delivered.toSorted()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('CHAT-3 another tab takes over when the sending one is killed', async () => {
    const one = await openOutbox(() => new Promise<string>(() => undefined), tabs);
    const two = await openOutbox(async (item) => item.clientId, tabs);
    await one.add('a');
    await until(() => one.shown()[0] === 'a sending' && two.outbox.get().length === 1);
    tabs.killHolders();
    one.outbox.stop();
    await until(() => two.delivered.includes('a'));
  });

  it('A34 the outbox of one person is never sent as another', async () => {
    const first = await openOutbox(() => Promise.reject(transportError('network', 'offline')), tabs, 'u1');
    await first.add('secret');
    first.outbox.stop();
    const sent: string[] = [];
    const second = await openOutbox(
      async (item) => {
        sent.push(item.userId);
        return item.clientId;
      },
      tabs,
      'u2',
    );
    await second.add('own');
    await until(() => second.outbox.get().length === 0);
    second.outbox.flush();
    await vi.advanceTimersByTimeAsync(60_000);
    await settle();
    expect(sent).toEqual(['u2']);
  });

  it('CHAT-3 what the device refuses to keep is refused to the person, not lost later', async () => {
    const { add, store, outbox } = await openOutbox(async () => 'ok', tabs);
    store.close();
    await expect(add('a')).rejects.toMatchObject({ failure: 'closed' });
    expect(outbox.get()).toEqual([]);
  });
});

/** A promise that a test keeps. */
function gate() {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
}

/** A tab over a device that does some things otherwise. */
async function openOn(
  tabs: FakeTabs,
  send: Send,
  otherwise: (device: DeviceStore) => Partial<DeviceStore> = () => ({}),
) {
  const log = createSilentLog();
  const device = await openDeviceStore({ userId: 'u1', log, isOwnDevice: false, fetchKey: async () => key });
  const outbox = createOutbox<Payload, string>({
    store: { ...device, ...otherwise(device) },
    userId: 'u1',
    log,
    send,
    deliver: (reply) => [{ type: 'put-meta', name: reply, value: reply, isCache: false }],
    describeFailure: () => 'Refused.',
    random: () => 1,
    ...tabs,
  });
  await outbox.open();
  const add = (text: string, lane = 'c1') =>
    outbox.add({ clientId: text, lane, payload: { text }, writtenAt: new Date().toISOString() });
  const shown = () => outbox.get().map((item) => `${item.payload.text} ${item.state}`);
  return { outbox, device, add, shown };
}

describe('the outbox on a full device', () => {
  let tabs: FakeTabs;
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    tabs = createFakeTabs();
  });
  afterEach(() => void vi.useRealTimers());

  it('CHAT-1 what the device has no room for is refused to the person, and neither shown nor sent; the next goes', async () => {
    const sent: string[] = [];
    let isFull = true;
    const { add, outbox, device } = await openOn(
      tabs,
      async ({ clientId }) => {
        sent.push(clientId);
        return clientId;
      },
      ({ addOutbox }) => ({
        addOutbox: (row) => (isFull ? Promise.reject(new StoreError('quota')) : addOutbox(row)),
      }),
    );
    await expect(add('a')).rejects.toMatchObject({ failure: 'quota' });
    expect(outbox.get()).toEqual([]);
    isFull = false;
    await add('b');
    await until(() => sent.length > 0 && outbox.get().length === 0);
    await until(async () => (await device.outbox()).length === 0, 'the emptied device');
    expect(sent).toEqual(['b']);
  });

  it('CHAT-1 what was sent leaves the device also where there is no room for what came of it', async () => {
    const sent: string[] = [];
    const full = ({ write }: DeviceStore): Partial<DeviceStore> => ({
      write: (changes) =>
        changes.every(({ type }) => type === 'remove-outbox')
          ? write(changes)
          : Promise.reject(new StoreError('quota')),
    });
    const { add, outbox, device } = await openOn(
      tabs,
      async ({ clientId }) => {
        sent.push(clientId);
        return clientId;
      },
      full,
    );
    await add('a');
    await until(() => sent.length > 0 && outbox.get().length === 0);
    await until(async () => (await device.outbox()).length === 0, 'the emptied device');
    expect(await device.meta('a')).toBeUndefined();
    expect(sent).toEqual(['a']);
  });

  it.each([
    ['temporary', transportError('network', 'gone'), 'a waiting'],
    ['final', refused, 'a failed'],
  ])('CHAT-3 a %s failure that the device has no room to note is shown all the same', async (_kind, error, state) => {
    let isFailing = true;
    const { add, outbox, shown } = await openOn(
      tabs,
      async ({ clientId }) => {
        if (isFailing) throw error;
        return clientId;
      },
      ({ write }) => ({
        write: (changes) =>
          changes.some(({ type }) => type === 'put-outbox') ? Promise.reject(new StoreError('quota')) : write(changes),
      }),
    );
    await add('a');
    await until(() => outbox.get()[0]?.attempts === 1 && shown()[0] === state);
    isFailing = false;
    await outbox.retry('a');
    await until(() => outbox.get().length === 0);
  });
});

describe('what has left the outbox', () => {
  let tabs: FakeTabs;
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    tabs = createFakeTabs();
  });
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['fails for want of a network', () => Promise.reject(transportError('network', 'gone'))],
    ['is refused', () => Promise.reject(refused)],
    ['arrives', async () => 'ok'],
  ])('CHAT-3 an item discarded while it is under way does not come back when it %s', async (_end, end) => {
    const answer = gate();
    const sent: string[] = [];
    const { add, outbox, shown, device } = await openOn(tabs, async ({ clientId }) => {
      sent.push(clientId);
      await answer.isOpen;
      return end();
    });
    await add('a');
    await until(() => shown()[0] === 'a sending');
    await outbox.discard('a');
    expect(outbox.get()).toEqual([]);
    answer.open();
    await settle();
    outbox.flush();
    await vi.advanceTimersByTimeAsync(120_000);
    await settle();
    expect(outbox.get()).toEqual([]);
    expect(await device.outbox()).toEqual([]);
    expect(sent).toEqual(['a']);
  });

  it('CHAT-3 a sent item does not come back when the device is read before it is taken off it', async () => {
    const sent: string[] = [];
    const removal = gate();
    const send: Send = async ({ clientId }) => {
      sent.push(clientId);
      return clientId;
    };
    const one = await openOn(tabs, send, ({ write }) => ({
      write: async (changes) => {
        await removal.isOpen;
        await write(changes);
      },
    }));
    const two = await openOn(tabs, send);
    await one.add('a');
    await until(() => sent.length === 1 && one.outbox.get().length === 0 && two.outbox.get().length === 0);
    await two.add('b', 'c2');
    await until(() => sent.includes('b'));
    await settle();
    expect([one.shown(), two.shown()]).toEqual([[], []]);
    removal.open();
    await until(async () => (await one.device.outbox()).length === 0, 'the emptied device');
    await vi.advanceTimersByTimeAsync(120_000);
    await settle();
    expect(sent).toEqual(['a', 'b']);
  });

  it.each(['added', 'discarded'] as const)(
    'CHAT-3 an item that is %s while the device is being read is afterwards where it belongs',
    async (change) => {
      const reading = gate();
      let isSlow = false;
      const offline: Send = () => Promise.reject(transportError('network', 'offline'));
      const one = await openOn(tabs, offline, ({ outbox }) => ({
        outbox: async () => {
          const rows = await outbox();
          if (isSlow) await reading.isOpen;
          return rows;
        },
      }));
      const two = await openOn(tabs, offline);
      await one.add('a');
      await until(() => two.outbox.get().length === 1 && one.shown()[0] === 'a waiting');
      isSlow = true;
      await two.add('b');
      await settle();
      if (change === 'added') await one.add('c');
      else await one.outbox.discard('a');
      reading.open();
      const names = () => one.outbox.get().map(({ clientId }) => clientId);
      await until(() => names().includes('b'));
      await settle();
      expect(names()).toEqual(change === 'added' ? ['a', 'b', 'c'] : ['b']);
    },
  );
});
