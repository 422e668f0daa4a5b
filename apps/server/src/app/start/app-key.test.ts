import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeUser } from '#/testing/factories/users.ts';
import { type TestDatabase, testDatabase } from '#/testing/test-database.ts';
import { readAppKey } from './app-key.ts';

let database: TestDatabase;
let dataDir: string;
let file: string;
beforeEach(async () => {
  database = await testDatabase();
  dataDir = mkdtempSync(path.join(tmpdir(), 'wardline-key-'));
  file = path.join(dataDir, 'secrets/app-key');
});
afterEach(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const read = (appKey: string | null = null) => readAppKey({ appKey, dataDir }, database.db);

it('F-S6 the app key is made once, where nobody has an account', async () => {
  const key = await read();
  expect(key.length).toBeGreaterThanOrEqual(43);
  await makeUser(database.db);
  expect(await read()).toBe(key);
});

it('F-S6 a lost app key is not replaced over accounts, and the data folder stays as it is', async () => {
  await makeUser(database.db);
  await expect(read()).rejects.toThrow('The app key is lost');
  expect(existsSync(file)).toBe(false);
});

it('F-S6 a key that is given, restored or put there on purpose is taken over accounts', async () => {
  await makeUser(database.db);
  expect(await read('an app key that was kept elsewhere')).toBe('an app key that was kept elsewhere');
  mkdirSync(path.dirname(file), { mode: 0o700 });
  writeFileSync(file, `${'k'.repeat(44)}\n`, { mode: 0o600 });
  expect(await read()).toBe('k'.repeat(44));
});

it('F-S6 the demo, whose accounts get their password at every start, may lose its key', async () => {
  await makeUser(database.db, { isDemo: true });
  expect((await read()).length).toBeGreaterThanOrEqual(43);
});
