import { startEmbeddedPostgres } from '../embedded.ts';

/** A product that can be killed: starts the database, says so in one line of JSON, and stays until SIGTERM. */
const [dataDir = ''] = process.argv.slice(2);
const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } });
const { pid, port, adopted, connectionString } = postgres;
process.stdout.write(`${JSON.stringify({ pid, port, adopted, connectionString, uid: process.getuid?.() })}\n`);
const alive = setInterval(() => {}, 1000);
process.once('SIGTERM', () => {
  clearInterval(alive);
  void postgres.stop();
});
