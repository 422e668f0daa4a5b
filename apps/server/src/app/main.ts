import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, isLoopback, readConfig } from '#/platform/config/read-config.ts';
import { createLog } from '#/platform/log/log.ts';
import { readOrMakeSecret } from '#/platform/postgres/secrets.ts';
import { buildServer, type WardlineServer } from './build-server.ts';
import { DEMO_SIGN_INS, hasDemoAccounts, loadDemo } from './demo.ts';
import { listen } from './listen.ts';
import { openDatabase } from './open-database.ts';
import { WEB_ROOT } from './places.ts';

const DRAIN_MS = 10_000;

/** Runs the server until it is told to stop. `--demo` loads the demo hospital into an empty database. */
async function main(): Promise<void> {
  const isDemo = process.argv.includes('--demo');
  const config = readConfig({ LOG_LEVEL: isDemo ? 'warn' : 'info', ...process.env });
  const log = createLog(config.logLevel);
  const database = await openDatabase(config, log);
  try {
    if (!isLoopback(config.host) && (await hasDemoAccounts(database.db))) {
      throw new ConfigError(
        `The database holds the demo accounts, whose password is printed at start: refusing to listen on ${config.host}.\n` +
          'Use HOST=127.0.0.1, or an empty database without --demo.',
      );
    }
    const secret = (given: string | null, name: string) => given ?? readOrMakeSecret(config.dataDir, name);
    const appKey = secret(config.appKey, 'app-key');
    const demoPassword = isDemo && isLoopback(config.host) ? secret(config.demoPassword, 'demo-password') : null;
    if (demoPassword !== null) await loadDemo(database.db, { appKey, password: demoPassword });
    const server = await buildServer({
      db: database.db,
      log,
      settings: config,
      appKey,
      realtimeSecret: secret(config.realtimeSecret, 'realtime-secret'),
      webRoot: WEB_ROOT,
    });
    const port = await listen(server.app, { host: config.host, port: config.port, mayMove: isDemo });
    announce({
      url: config.publicUrl ?? `http://${config.host}:${port}`,
      database: database.description,
      demoPassword,
    });
    await untilStopped();
    await stop(server, isDemo ? 200 : DRAIN_MS);
  } finally {
    await database.close();
  }
}

/** Not ready any more, sockets closed spread over the time, requests finished, then gone. */
async function stop(server: WardlineServer, drainMs: number): Promise<void> {
  const limit = sleep(drainMs + 15_000, undefined, { ref: false });
  await Promise.race([server.close(drainMs), limit]);
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // Started by npm start, which was killed: nobody would stop this process any more.
    process.once('disconnect', () => resolve());
  });
}

function announce({
  url,
  database,
  demoPassword,
}: {
  url: string;
  database: string;
  demoPassword: string | null;
}): void {
  const lines = [`Wardline is at ${url}`, `Database: ${database}`];
  if (demoPassword !== null) {
    lines.push('', 'Demo hospital (no person and no patient in it is real). Sign in as', '');
    for (const { email, who } of DEMO_SIGN_INS) lines.push(`  ${email.padEnd(22)} ${who}`);
    lines.push('', `  password: ${demoPassword}`);
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const text = error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error);
    process.stderr.write(`Wardline did not start.\n${text}\n`);
    process.exit(1);
  },
);
