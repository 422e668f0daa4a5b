import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readDatabaseAddress } from '#/platform/config/database-address.ts';
import { ConfigError } from '#/platform/config/read-config.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { keepPlaceNote, placeNoteFile, readPlaceNote } from './place-note.ts';

/** The embedded database of a data folder. */
export const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres');

/** What a DATABASE_URL names, for the operator to read. */
export function nameOf(databaseUrl: string): string {
  const { hostname, port, pathname, searchParams } = readDatabaseAddress(databaseUrl);
  return `${searchParams.get('host') ?? (hostname || 'localhost')}:${port || '5432'}${pathname}`;
}

/** Keeps in the data folder that its installation has its database by DATABASE_URL from now on. */
export function notePlace(dataDir: string, databaseUrl: string): void {
  keepPlaceNote(dataDir, 'database', nameOf(databaseUrl));
}

export function forgetPlace(dataDir: string): void {
  rmSync(placeNoteFile(dataDir, 'database'), { force: true });
}

/**
 * Refuses the embedded database of a folder whose installation has one by DATABASE_URL: it is missing from the settings, and people
 * would go on with what was there before. Throws a ConfigError.
 */
export function refuseEmbeddedOnceLeft(dataDir: string): void {
  const place = readPlaceNote(dataDir, 'database');
  if (place === null) return;
  const left = existsSync(clusterOf(dataDir)) ? `, and ${clusterOf(dataDir)} holds what was there before` : '';
  throw new ConfigError(
    `DATABASE_URL is not set. The database of this installation has been at ${place.at} since ${place.since}${left}.\n` +
      'Set it as it was. To go on with the embedded database, without what came since, remove first\n' +
      `  ${placeNoteFile(dataDir, 'database')}`,
  );
}

/** Refuses a DATABASE_URL without anybody in it beside an embedded database: a hospital would begin anew by mistake. Throws a ConfigError. */
export async function refuseNewBesideEmbedded(dataDir: string, databaseUrl: string): Promise<void> {
  if (!existsSync(clusterOf(dataDir)) || (await hasPeople(databaseUrl))) return;
  throw new ConfigError(
    `Nobody has an account in the database of DATABASE_URL (${nameOf(databaseUrl)}), and ${clusterOf(dataDir)} holds an embedded database.\n` +
      'To move it there: npm run database -- move (docs/deployment.md). To begin anew without it, move that folder away, or set\n' +
      'another WARDLINE_DATA.',
  );
}

async function hasPeople(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const made = await client.query<{ is_made: boolean }>(`select to_regclass('public.users') is not null as is_made`);
    if (!made.rows[0]?.is_made) return false;
    const { rowCount } = await client.query('select from users where disabled_at is null limit 1');
    return rowCount === 1;
  });
}
