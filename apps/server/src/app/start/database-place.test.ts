import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '#/platform/config/read-config.ts';
import { createLog } from '#/platform/log.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { emptyDatabase, testDatabase } from '#/testing/test-database.ts';
import { nameOf, notePlace, refuseEmbeddedOnceLeft, refuseNewBesideEmbedded } from './database-place.ts';
import { openInstallation } from './open-as-owner.ts';
import { openDatabase } from './open-database.ts';

const URL_OF_HOSPITAL = 'postgres://wardline:top-secret@db.hospital.example/wardline?sslmode=verify-full';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'wardline-place-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const log = createLog('silent');

it('OPS-5 a data folder whose installation has its database by DATABASE_URL starts no embedded one, and no command does', async () => {
  refuseEmbeddedOnceLeft(dataDir);
  notePlace(dataDir, URL_OF_HOSPITAL);
  mkdirSync(path.join(dataDir, 'postgres'));
  const said =
    /^DATABASE_URL is not set\. The database of this installation has been at db\.hospital\.example:5432\/wardline since 20.*postgres holds what was there before/;
  const config = readConfig({ WARDLINE_DATA: dataDir });
  await expect(openDatabase(config, log, () => undefined)).rejects.toThrow(said);
  await expect(openInstallation(config, log)).rejects.toThrow(said);
});

it('OPS-5 where the database is stands in the data folder without the password, and follows DATABASE_URL', () => {
  const file = path.join(dataDir, 'database.json');
  notePlace(dataDir, URL_OF_HOSPITAL);
  const first = readFileSync(file, 'utf8');
  expect(first).not.toContain('secret');
  notePlace(dataDir, URL_OF_HOSPITAL);
  expect(readFileSync(file, 'utf8')).toBe(first);
  notePlace(dataDir, 'postgres://wardline@other:5433/wardline');
  expect(() => refuseEmbeddedOnceLeft(dataDir)).toThrow('has been at other:5433/wardline since');
  writeFileSync(file, '{');
  expect(() => refuseEmbeddedOnceLeft(dataDir)).toThrow('DATABASE_URL is not set.');
  for (const who of ['', 'owner@']) {
    const socket = `postgres://${who}/wardline?host=/var/run/postgresql`;
    expect(nameOf(readConfig({ DATABASE_URL: socket }).databaseUrl ?? '')).toBe('/var/run/postgresql:5432/wardline');
  }
});

it('OPS-5 a DATABASE_URL without anybody in it does not begin anew beside an embedded database', async () => {
  const empty = await emptyDatabase();
  const made = await testDatabase(1);
  try {
    await refuseNewBesideEmbedded(dataDir, empty.connectionString);
    mkdirSync(path.join(dataDir, 'postgres'));
    const said = /Nobody has an account in the database of DATABASE_URL \(.*postgres holds an embedded database/;
    await expect(refuseNewBesideEmbedded(dataDir, empty.connectionString)).rejects.toThrow(said);
    await expect(refuseNewBesideEmbedded(dataDir, made.connectionString)).rejects.toThrow(said);
    await makeUser(made.db);
    await refuseNewBesideEmbedded(dataDir, made.connectionString);
  } finally {
    await empty.close();
    await made.close();
  }
});
