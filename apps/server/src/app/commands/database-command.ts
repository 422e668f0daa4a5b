import { existsSync } from 'node:fs';
import { counted } from '@wardline/format/counts.ts';
import { type Moved, moveDatabase } from '#/app/backup/move-database.ts';
import { claimDataFolder } from '#/app/start/claim-data-folder.ts';
import { claimDatabase } from '#/app/start/claim-database.ts';
import { clusterOf, forgetPlace, nameOf, notePlace } from '#/app/start/database-place.ts';
import { refuseUnlessFit } from '#/app/start/open-database.ts';
import { SCHEMA } from '#/app/start/places.ts';
import { type Config, ConfigError } from '#/platform/config/read-config.ts';
import type { Log } from '#/platform/log.ts';
import { startEmbeddedPostgres } from '#/platform/postgres/embedded.ts';
import { untilTold } from './until-told.ts';
import { readVerb, refuseMore } from './usage-error.ts';

export const USAGE = `npm run database -- move   copies the embedded database of the data folder into the empty one of DATABASE_URL and
                           compares every row; with the server stopped`;

/** The operator's commands over the database itself. Resolves to the exit code. */
export async function runDatabaseCommand(args: readonly string[], config: Config, log: Log): Promise<number> {
  const [given, ...rest] = args;
  readVerb(given, ['move'], USAGE);
  refuseMore(rest, USAGE);
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === null) throw new ConfigError('DATABASE_URL does not say where to. See docs/deployment.md.');
  if (!existsSync(clusterOf(dataDir))) {
    throw new ConfigError(`There is no embedded database in ${dataDir}. WARDLINE_DATA names the data folder.`);
  }
  const stopped = 'It was told to stop before its end: nothing was moved.';
  const moved = await untilTold(stopped, (signal) => move({ databaseUrl, dataDir, log, signal }));
  process.stdout.write(`${formatMoved(moved, { databaseUrl, dataDir }).join('\n')}\n`);
  return 0;
}

interface Order {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Nobody works on either of them meanwhile. */
async function move({ databaseUrl, dataDir, log, signal }: Order): Promise<Moved> {
  const letGoOfFolder = await claimDataFolder(dataDir);
  try {
    await refuseUnlessFit(databaseUrl);
    const onTaken = () => undefined;
    const letGoOfDatabase = await claimDatabase(databaseUrl, {
      hearsOthers: false,
      print: null,
      filesPrint: null,
      log,
      onTaken,
      tries: 1,
    });
    try {
      const postgres = await startEmbeddedPostgres({ dataDir, log });
      let isNoted = false;
      const onCompared = () => {
        // Before the rows are there for good: killed between the two, neither database starts by mistake.
        notePlace(dataDir, databaseUrl);
        isNoted = true;
      };
      const deps = { from: postgres.connectionString, to: databaseUrl, schema: SCHEMA, onCompared, signal };
      try {
        return await moveDatabase(deps);
      } catch (error) {
        if (isNoted) forgetPlace(dataDir);
        throw error;
      } finally {
        await postgres.stop();
      }
    } finally {
      await letGoOfDatabase();
    }
  } finally {
    letGoOfFolder();
  }
}

function formatMoved({ tables, leftOut }: Moved, { databaseUrl, dataDir }: Pick<Order, 'databaseUrl' | 'dataDir'>) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `${counted(tables.length, 'table')} with ${counted(rows, 'row')} are in ${nameOf(databaseUrl)}, and were compared row by row.`,
    ...leftOut.map((name) => `Table ${name} is none of Wardline's and was left out.`),
    'Start the server with the same DATABASE_URL. Everybody stays signed in; files and keys stay where they are.',
    `The embedded database is as it was, in ${clusterOf(dataDir)}, and is not started any more. Remove it once a backup`,
    'of the new one was made.',
  ];
}
