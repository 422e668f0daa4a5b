import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSilentLog } from '#/testing/silent-log.ts';
import { openDatabase } from './database.ts';
import { CACHE_LIFE_MS, type StoreChange } from './device-store.ts';
import { endOtherCopies } from './end-device-copy.ts';
import { openDeviceStore, openKeptDeviceStore } from './open-device-store.ts';

const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
const MARKER = 'Frau Klabautermann';
const fill: readonly StoreChange[] = [
  { type: 'put-chat', chatId: 'c1', facilityId: 'f1', value: { title: MARKER } },
  { type: 'put-chat', chatId: 'c2', facilityId: 'f2', value: { title: MARKER } },
  { type: 'put-message', chatId: 'c1', seq: 1, id: 'm1', value: { body: MARKER, seq: 1 } },
  { type: 'put-message', chatId: 'c1', seq: 2, id: 'm2', value: { body: MARKER, seq: 2 } },
  { type: 'put-message', chatId: 'c2', seq: 1, id: 'm3', value: { body: MARKER, seq: 1 } },
  { type: 'put-meta', name: 'identity', value: { name: MARKER }, isCache: true },
  { type: 'put-meta', name: 'thread/c1', chatId: 'c1', value: { cursor: 2 }, isCache: true },
];
const unsent = {
  clientId: 'x1',
  userId: 'u1',
  lane: 'c1',
  writtenAt: '2026-01-01T00:00:00Z',
  content: { body: MARKER },
};
const log = createSilentLog();

function open(userId: string, change: Partial<Parameters<typeof openDeviceStore>[0]> = {}) {
  return openDeviceStore({ userId, log, isOwnDevice: true, fetchKey: async () => key, ...change });
}

/** Everything a person with the browser's tools could read: all rows of all stores, bytes as text. */
async function everything(userId: string): Promise<{ text: string; rows: Record<string, number>; hasKey: boolean }> {
  const database = await openDatabase({ userId });
  const rows: Record<string, number> = {};
  let text = '';
  let hasKey = false;
  for (const name of ['outbox', 'chats', 'messages', 'files', 'meta'] as const) {
    const all: object[] = await database.getAll(name);
    rows[name] = all.length;
    for (const row of all) {
      if ('key' in row) hasKey = true;
      text += JSON.stringify(row);
      if ('sealed' in row) text += new TextDecoder().decode((row.sealed as { data: ArrayBuffer }).data);
    }
  }
  database.close();
  return { text, rows, hasKey };
}

describe('the device store', () => {
  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory();
  });

  it('A32 R6 keeps content only as ciphertext, under a key that cannot be read out', async () => {
    const store = await open('u1');
    await store.write(fill);
    await store.addOutbox(unsent);
    const found = await everything('u1');
    expect(found.rows).toEqual({ outbox: 1, chats: 2, messages: 3, files: 0, meta: 4 });
    expect(found.text).not.toContain('Klabautermann');
    const row = await (await openDatabase({ userId: 'u1' })).get('meta', 'key');
    expect(row !== undefined && 'key' in row && row.key.extractable).toBe(false);
    expect(await store.messages('c1', { limit: 1 })).toEqual([{ body: MARKER, seq: 2 }]);
    expect(await store.messages('c1', { before: 2, limit: 5 })).toEqual([{ body: MARKER, seq: 1 }]);
  });

  it('A32 A33 sign-out leaves no key, no cache and nothing readable; unsent work is back after the next sign-in', async () => {
    const store = await open('u1');
    await store.write(fill);
    await store.addOutbox(unsent);
    await store.wipe({ discardTyped: true });
    const found = await everything('u1');
    expect(found).toMatchObject({ rows: { outbox: 1, chats: 0, messages: 0, files: 0, meta: 0 }, hasKey: false });
    expect(found.text).not.toContain('Klabautermann');
    await expect(store.write(fill)).rejects.toMatchObject({ failure: 'closed' });
    expect(await (await open('u1')).outbox()).toMatchObject([{ clientId: 'x1', content: { body: MARKER } }]);
  });

  it('AUTH-2 A33 what was typed and stored nowhere else is back after a session that ended, unreadable meanwhile', async () => {
    const typed = { name: 'handover/c1', chatId: 'c1', value: MARKER, isCache: false };
    const store = await open('u1', { isOwnDevice: false });
    await store.write([{ type: 'put-meta', ...typed }]);
    await store.wipe();
    const found = await everything('u1');
    expect(found).toMatchObject({ rows: { chats: 0, messages: 0, meta: 1 }, hasKey: false });
    expect(found.text).not.toContain('Klabautermann');
    const again = await open('u1', { isOwnDevice: false });
    expect(await again.meta('handover/c1')).toBe(MARKER);
    await again.wipe({ discardTyped: true });
    expect((await everything('u1')).rows['meta']).toBe(0);
  });

  it('A33 what was typed into something that waits to be sent stays with it when its person signs out', async () => {
    const store = await open('u1');
    await store.addOutbox({ ...unsent, lane: 'examination/e1' });
    for (const name of ['examination/e1', 'examination/e2']) {
      await store.write([{ type: 'put-meta', name, value: name, isCache: false }]);
    }
    await store.wipe({ discardTyped: true });
    const again = await open('u1');
    expect([await again.meta('examination/e1'), await again.meta('examination/e2')]).toEqual([
      'examination/e1',
      undefined,
    ]);
    await again.wipe({ discardUnsent: true });
    expect((await everything('u1')).rows['meta']).toBe(0);
  });

  it('PWA-5 a connection that is lost and cannot be opened again at once is tried anew by the next use', async () => {
    const store = await open('u1');
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('closed', 'InvalidStateError');
    });
    // Of a version that is older than the database: refused.
    const openOlder = indexedDB.open.bind(indexedDB);
    vi.spyOn(indexedDB, 'open').mockImplementationOnce((name) => openOlder(name, 1));
    await expect(store.write(fill)).rejects.toThrow();
    await store.write(fill);
    expect(await store.chats()).toHaveLength(2);
    vi.restoreAllMocks();
  });

  it('A33 discards unsent work only when told to', async () => {
    const store = await open('u1');
    await store.addOutbox(unsent);
    await store.wipe({ discardUnsent: true });
    expect((await everything('u1')).rows['outbox']).toBe(0);
  });

  it('A32 a shared device keeps unsent work and nothing that was read', async () => {
    const store = await open('u1', { isOwnDevice: false });
    await store.write(fill);
    await store.addOutbox(unsent);
    expect((await everything('u1')).rows).toEqual({ outbox: 1, chats: 0, messages: 0, files: 0, meta: 2 });
    store.close();
    expect(await openKeptDeviceStore({ userId: 'u1', log })).toBeNull();
  });

  it('PWA-5 the copy opens without the server on a person’s own device, for 7 days', async () => {
    await (await open('u1')).write(fill);
    const kept = await openKeptDeviceStore({ userId: 'u1', log });
    expect(await kept?.meta('identity')).toEqual({ name: MARKER });
    kept?.close();
    const now = () => Date.now() + CACHE_LIFE_MS + 1;
    expect(await openKeptDeviceStore({ userId: 'u1', log, now })).toBeNull();
    expect((await everything('u1')).rows).toMatchObject({ chats: 0, messages: 0 });
  });

  it('A34 a user switch ends the copy of the one before and leaves their unsent work to them', async () => {
    const first = await open('u1');
    await first.write(fill);
    await first.addOutbox(unsent);
    await endOtherCopies({ userId: 'u2' });
    const second = await open('u2');
    expect(await second.outbox()).toEqual([]);
    expect(await everything('u1')).toMatchObject({ rows: { outbox: 1, chats: 0, messages: 0 }, hasKey: false });
  });

  it('CHAT-6 wipes a chat or a facility with everything beside it, and no other', async () => {
    const store = await open('u1');
    await store.write(fill);
    await store.wipeChat('c1');
    expect(await store.messages('c1', { limit: 9 })).toEqual([]);
    expect(await store.meta('thread/c1')).toBeUndefined();
    expect(await store.chats()).toHaveLength(1);
    await store.wipeFacility('f2');
    expect((await everything('u1')).rows).toMatchObject({ chats: 0, messages: 0 });
  });

  it('CHAT-4 CHAT-14 where all chats are read anew, what was written there and not sent stays: typed values, files, their uploads', async () => {
    const store = await open('u1');
    await store.write(fill);
    const meta = { type: 'put-meta', chatId: 'c1', value: 'K 6.8' } as const;
    await store.write([
      { ...meta, name: 'examination/e1', isCache: false },
      { ...meta, name: 'upload/draft', isCache: false },
    ]);
    await store.keepFile({ id: 'draft', chatId: 'c1', clientId: null, keptAt: '' }, new ArrayBuffer(1));
    await store.write([{ type: 'wipe-chats' }]);
    expect((await everything('u1')).rows).toMatchObject({ chats: 0, messages: 0, files: 1 });
    const kept = ['thread/c1', 'examination/e1', 'upload/draft'].map((name) => store.meta(name));
    expect(await Promise.all(kept)).toEqual([undefined, 'K 6.8', 'K 6.8']);
    await store.wipeChat('c1');
    expect([await store.meta('examination/e1'), await store.files()]).toEqual([undefined, []]);
  });

  it('CHAT-4 rows and cursor are written together or not at all', async () => {
    const store = await open('u1');
    const bad = { type: 'put-message', chatId: 'c1', seq: Number.NaN, id: 'm9', value: 1 } as const;
    const cursor = { type: 'put-meta', name: 'thread/c1', chatId: 'c1', value: { cursor: 9 }, isCache: true } as const;
    await expect(store.write([cursor, bad])).rejects.toThrow();
    expect(await store.meta('thread/c1')).toBeUndefined();
    await store.write([cursor]);
    expect(await store.meta('thread/c1')).toEqual({ cursor: 9 });
  });

  it('CHAT-3 a row that was sent meanwhile is not brought back by news of it', async () => {
    const store = await open('u1');
    const order = await store.addOutbox(unsent);
    await store.write([{ type: 'remove-outbox', order }]);
    await store.write([{ type: 'put-outbox', row: { ...unsent, order } }]);
    expect(await store.outbox()).toEqual([]);
  });

  it('A32 CHAT-14 files that wait are ciphertext, go with a chat or at sign-out, and stay with their unsent message', async () => {
    const store = await open('u1');
    await store.addOutbox(unsent);
    const bytes = () => new TextEncoder().encode(MARKER).buffer as ArrayBuffer;
    const keep = (id: string, chatId: string) =>
      store.keepFile({ id, chatId, clientId: null, keptAt: '2026-01-01T00:00:00Z' }, bytes());
    await Promise.all([keep('sent', 'c1'), keep('draft', 'c1'), keep('other', 'c2')]);
    await store.assignFiles(['sent'], unsent.clientId);
    expect((await everything('u1')).text).not.toContain('Klabautermann');
    expect(new TextDecoder().decode((await store.file('draft')) ?? undefined)).toBe(MARKER);
    const ids = async (of = store) => (await of.files()).map(({ id }) => id);
    await store.wipeChat('c1');
    expect(await ids()).toEqual(['other', 'sent']);
    await store.wipe();
    const again = await open('u1');
    expect(await ids(again)).toEqual(['sent']);
    expect(new TextDecoder().decode((await again.file('sent')) ?? undefined)).toBe(MARKER);
    await again.dropFiles(['sent']);
    expect(await again.file('sent')).toBeNull();
    await keepAndDiscard(again);
  });

  async function keepAndDiscard(store: Awaited<ReturnType<typeof open>>): Promise<void> {
    await store.keepFile({ id: 'x', chatId: 'c1', clientId: unsent.clientId, keptAt: '' }, new ArrayBuffer(1));
    await store.wipe({ discardUnsent: true });
    expect((await everything('u1')).rows).toMatchObject({ files: 0, outbox: 0 });
  }

  it('OPS-10 a copy of a build that knew no files is taken over with what waits in it', async () => {
    const old = await openDB('wardline-u1', 1, {
      upgrade(database) {
        database.createObjectStore('outbox', { keyPath: 'order', autoIncrement: true });
        database.createObjectStore('chats', { keyPath: 'chatId' }).createIndex('facilityId', 'facilityId');
        database.createObjectStore('messages', { keyPath: ['chatId', 'seq'] });
        database.createObjectStore('meta', { keyPath: 'name' }).createIndex('chatId', 'chatId');
      },
    });
    old.close();
    const store = await open('u1');
    await store.addOutbox(unsent);
    expect([store.isDurable, await store.files(), await store.outbox()]).toMatchObject([
      true,
      [],
      [{ clientId: 'x1' }],
    ]);
  });

  it('A33 without a key from the back end a random one stays with unsent work and goes with none', async () => {
    const store = await open('u1', { fetchKey: async () => null });
    await store.addOutbox(unsent);
    await store.wipe();
    expect((await everything('u1')).hasKey).toBe(true);
    const again = await open('u1', { fetchKey: async () => null });
    expect(await again.outbox()).toMatchObject([{ content: { body: MARKER } }]);
    await again.write([{ type: 'remove-outbox', order: 1 }]);
    await again.wipe();
    expect((await everything('u1')).hasKey).toBe(false);
  });

  it('CHAT-3 without a database or a key it works in memory and says so', async () => {
    const failing = await open('u1', { fetchKey: () => Promise.reject(new Error('no network')) });
    expect(failing.isDurable).toBe(false);
    await failing.addOutbox(unsent);
    expect(await failing.outbox()).toHaveLength(1);
  });
});
