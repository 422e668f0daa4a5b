import type { Log } from '#/log.ts';
import { STORAGE_PREFIX } from '#/storage-prefix.ts';
import { wipeCache } from './apply-change.ts';
import { type CopyOf, type Database, openDatabase } from './database.ts';
import { CACHE_LIFE_MS, type DeviceStore } from './device-store.ts';
import { createIndexedStore } from './indexed-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { createRowCipher, generateKey, importKey } from './row-cipher.ts';

interface OpenOptions extends CopyOf {
  readonly log: Log;
  /** What the person said at sign-in; undefined on a later start: as said then. */
  readonly isOwnDevice?: boolean | undefined;
  /** The server's key in base64, null where the back end has none to give. Rejects when it cannot be had now. */
  readonly fetchKey: () => Promise<string | null>;
  readonly now?: () => number;
}

/**
 * Opens the copy of a person whom the server has just confirmed. Without a database, without a cipher or without the key
 * it is a store in memory (`isDurable` false), so that work goes on and says so.
 */
export async function openDeviceStore({
  userId,
  prefix = STORAGE_PREFIX,
  log,
  isOwnDevice,
  fetchKey,
  now = Date.now,
}: OpenOptions): Promise<DeviceStore> {
  if (globalThis.indexedDB === undefined || globalThis.crypto?.subtle === undefined)
    return createMemoryStore(userId, prefix);
  try {
    const database = await openDatabase({ prefix, userId });
    const key = (await keptKey(database)) ?? (await newKey(database, fetchKey));
    const before = await database.get('meta', 'device');
    const isOwn = isOwnDevice ?? (before !== undefined && 'isOwn' in before && before.isOwn);
    if (!isOwn || !isFresh(before, now())) await dropCache(database);
    await database.put('meta', { name: 'device', isOwn, confirmedAt: now() });
    return createIndexedStore({ prefix, userId, database, cipher: createRowCipher(key), isCaching: isOwn, log });
  } catch (error) {
    log.error('This device cannot keep anything; unsent work lives as long as this tab', error);
    return createMemoryStore(userId, prefix);
  }
}

/** Opens the copy of a person without the server: only a person's own device, with its key, confirmed in the last 7 days. */
export async function openKeptDeviceStore({
  userId,
  prefix = STORAGE_PREFIX,
  log,
  now = Date.now,
}: Omit<OpenOptions, 'isOwnDevice' | 'fetchKey'>): Promise<DeviceStore | null> {
  if (globalThis.indexedDB === undefined || globalThis.crypto?.subtle === undefined) return null;
  const database = await openDatabase({ prefix, userId });
  const key = await keptKey(database);
  const device = await database.get('meta', 'device');
  if (key !== null && device !== undefined && 'isOwn' in device && device.isOwn && isFresh(device, now())) {
    return createIndexedStore({ prefix, userId, database, cipher: createRowCipher(key), isCaching: true, log });
  }
  if (!isFresh(device, now())) await dropCache(database);
  database.close();
  return null;
}

async function keptKey(database: Database): Promise<CryptoKey | null> {
  const row = await database.get('meta', 'key');
  return row !== undefined && 'key' in row ? row.key : null;
}

async function newKey(database: Database, fetchKey: () => Promise<string | null>): Promise<CryptoKey> {
  const given = await fetchKey();
  const key = given === null ? await generateKey() : await importKey(given);
  await database.put('meta', { name: 'key', key, source: given === null ? 'device' : 'server' });
  return key;
}

/** A device's clock may jump either way, so a time far ahead is as stale as one long past. */
function isFresh(row: object | undefined, now: number): boolean {
  if (row === undefined || !('confirmedAt' in row) || typeof row.confirmedAt !== 'number') return false;
  return Math.abs(now - row.confirmedAt) <= CACHE_LIFE_MS;
}

async function dropCache(database: Database): Promise<void> {
  const tx = database.transaction(['outbox', 'chats', 'messages', 'files', 'meta'], 'readwrite');
  await wipeCache(tx);
  await tx.done;
}
