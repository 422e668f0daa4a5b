import { setTimeout as sleep } from 'node:timers/promises';
import { makeSetUpLink } from '#/features/auth/index.ts';
import { openCluster } from '#/platform/cluster/open-cluster.ts';
import { type Config, ConfigError, isLoopback, readConfig } from '#/platform/config/read-config.ts';
import { readOrMakeSecret } from '#/platform/config/secrets.ts';
import { MigrationError } from '#/platform/db/migration-error.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { type MllpServer, startMllpServer } from '#/platform/hl7/mllp-server.ts';
import { createLog, type Log } from '#/platform/log.ts';
import { openMailer } from '#/platform/mail/open-mailer.ts';
import { EMBEDDED_RELEASE } from '#/platform/postgres/fixes.ts';
import { BackupError } from './backup/backup-error.ts';
import { buildServer, type WardlineServer } from './build-server.ts';
import { asksForHelp, findCommand, readServerFlags, sayUsage } from './commands/run-command.ts';
import { DEMO_SIGN_INS, hasDemoAccounts, loadDemo } from './demo.ts';
import { listen, listeningOrigin } from './listen.ts';
import { serveMetrics } from './metrics/serve-metrics.ts';
import { readAppKey } from './start/app-key.ts';
import { type OpenedDatabase, openDatabase } from './start/open-database.ts';
import { openServedFiles } from './start/open-file-store.ts';
import { WEB_ROOT } from './start/places.ts';
import { watchServers } from './start/watch-servers.ts';

const DRAIN_MS = 10_000;
const LOOPBACK = '127.0.0.1';

/**
 * Runs the server until it is told to stop. `--demo` loads the demo hospital into an empty database; `--api-only` leaves
 * the client to somebody else (its dev server, a static host). The name of an operator's command runs that instead.
 */
async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const command = findCommand(args[0] ?? '');
  if (command) return command(args.slice(1));
  if (asksForHelp(args)) return sayUsage();
  const { isDemo, isApiOnly } = readServerFlags(args);
  const config = readConfig({ LOG_LEVEL: isDemo ? 'warn' : 'info', ...process.env });
  const log = createLog(config.logLevel);
  const { promise: taken, resolve } = promiseOf<'taken'>();
  const database = await openDatabase(config, log, () => resolve('taken'));
  const stopped = Promise.race([untilStopped(), taken]);
  const start = { config, log, database, isDemo, isApiOnly };
  try {
    let server = await serve(start);
    if ((await Promise.race([stopped, server.movesOn])) === 'set up') {
      // Somebody administers it now: from here on it is where HOST says.
      await stop(server, 0);
      server = await serve(start);
    }
    const isTaken = (await stopped) === 'taken';
    await stop(server, isDemo ? 200 : DRAIN_MS);
    return isTaken ? 1 : 0;
  } finally {
    await database.close();
  }
}

interface Start {
  readonly config: Config;
  readonly log: Log;
  readonly database: OpenedDatabase;
  readonly isDemo: boolean;
  readonly isApiOnly: boolean;
}

interface RunningServer extends WardlineServer {
  /** Resolves where it listens on the loopback only until it is set up, and now is. */
  readonly movesOn: Promise<'set up'>;
}

async function serve({ config, log, database, isDemo, isApiOnly }: Start): Promise<RunningServer> {
  if (!isLoopback(config.host) && (await asSystem('start', () => hasDemoAccounts(database.db)))) {
    throw new ConfigError(
      `The database holds the demo accounts, whose password is printed at start: refusing to listen on ${config.host}.\n` +
        'Use HOST=127.0.0.1, or an empty database without --demo.',
    );
  }
  const secret = (given: string | null, name: string) => given ?? readOrMakeSecret(config.dataDir, name);
  const appKey = await asSystem('start', () => readAppKey(config, database.db));
  const demoPassword = isDemo && isLoopback(config.host) ? secret(config.demoPassword, 'demo-password') : null;
  if (demoPassword !== null) await asSystem('start', () => loadDemo(database.db, { appKey, password: demoPassword }));
  // Whoever finds an installation without an administrator could become it: until then only this machine finds it (A51).
  const setUpPath = await asSystem('start', () => makeSetUpLink(database.db));
  const movesLater = setUpPath !== null && (!isLoopback(config.host) || config.publicUrl !== null);
  const settings = movesLater ? { ...config, host: LOOPBACK, publicUrl: null } : config;
  const { promise: movesOn, resolve: moveOn } = promiseOf<'set up'>();
  const mail = openMailer(settings);
  const realtimeSecret = secret(config.realtimeSecret, 'realtime-secret');
  const cluster = config.redisUrl === null ? null : openCluster(config.redisUrl, { realtimeSecret, log });
  const server = await buildServer({
    ...mail,
    db: database.db,
    log,
    settings,
    appKey,
    files: await openServedFiles(config, database.db, log),
    realtimeSecret,
    cluster,
    installation: {
      embeddedDatabase: config.databaseUrl === null ? EMBEDDED_RELEASE : null,
      hasBucket: config.s3 !== null,
      dataDir: config.dataDir,
    },
    isMeasured: config.metrics !== null,
    webRoot: isApiOnly ? null : WEB_ROOT,
    onSetUp() {
      if (movesLater) moveOn('set up');
      return addressAfterSetUp(config);
    },
  });
  await listen(server.app, { host: settings.host, port: config.port, mayMove: isDemo });
  server.jobs.start();
  server.clock.start();
  server.escalations.start();
  server.roleClock.start();
  server.auditClock.start();
  const endWatch = cluster && watchServers({ db: database.db, bus: cluster.bus, log });
  const feed = config.mllp && (await takeMessages(config.mllp, server, log));
  const watched =
    config.metrics && server.metrics && (await serveMetrics({ ...config.metrics, ...server.metrics, log }));
  if (watched) log.info({ host: config.metrics?.host, port: watched.port }, 'the metrics are served');
  if (mail.operatorEmail === null) log.warn('the contact form reaches nobody: see WARDLINE_MAIL_URL');
  const url = server.publicUrl();
  const mails = mail.mailbox ? `${url}/mailbox` : mail.mailer.description;
  announce({
    url,
    database: database.description,
    mails,
    demoPassword,
    setUpUrl: setUpPath && listeningOrigin(server.app.server) + setUpPath,
    hostAfterSetUp: settings.host === config.host ? null : config.host,
  });
  const close = async (drainMs: number) => {
    endWatch?.();
    await Promise.all([feed?.close(), watched?.close(), server.close(drainMs)]);
  };
  return { ...server, movesOn, close };
}

/** Listens for a patient system's HL7 v2 messages. */
async function takeMessages(
  { host, port, facilityCode }: NonNullable<Config['mllp']>,
  server: WardlineServer,
  log: Log,
): Promise<MllpServer> {
  const onMessage = (text: string, ip: string | null) => server.receiveHl7({ facilityCode, text, ip });
  const feed = await startMllpServer({ host, port, log, onMessage });
  log.info({ host, port: feed.port, facility: facilityCode }, 'HL7 v2 messages are taken');
  const why = await server.whyNoHl7(facilityCode);
  if (why !== null) log.warn(why);
  return feed;
}

/** Not ready any more, sockets closed spread over the time, requests finished, then gone. */
async function stop(server: WardlineServer, drainMs: number): Promise<void> {
  const limit = sleep(drainMs + 15_000, undefined, { ref: false });
  await Promise.race([server.close(drainMs), limit]);
}

/** Where the first administrator goes on, if not at the address of this machine that they have set it up at. */
function addressAfterSetUp({ host, port, publicUrl }: Config): string | null {
  if (publicUrl !== null) return publicUrl;
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return null;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function promiseOf<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // Started by npm start, which was killed: nobody would stop this process any more.
    process.once('disconnect', () => resolve());
  });
}

interface Announcement {
  readonly url: string;
  readonly database: string;
  readonly mails: string;
  readonly demoPassword: string | null;
  /** Leads to the set-up, once; null where somebody administers the installation already. */
  readonly setUpUrl: string | null;
  /** Where it will listen then, if not where it does now. */
  readonly hostAfterSetUp: string | null;
}

function announce({ url, database, mails, demoPassword, setUpUrl, hostAfterSetUp }: Announcement): void {
  const lines = [`Wardline is at ${url}`, `Database: ${database}`, `Mails: ${mails}`];
  if (demoPassword !== null) {
    lines.push('', 'Demo hospital (no person and no patient in it is real). Sign in as', '');
    for (const { email, who } of DEMO_SIGN_INS) lines.push(`  ${email.padEnd(22)} ${who}`);
    lines.push('', `  password: ${demoPassword}`);
  }
  if (setUpUrl !== null) {
    lines.push(
      '',
      'Nobody administers this installation yet. Open this link on this machine, once:',
      '',
      `  ${setUpUrl}`,
    );
    if (hostAfterSetUp !== null)
      lines.push('', `Until then it listens on ${LOOPBACK} only; after that on ${hostAfterSetUp}.`);
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/** What the system says of a disk, a file or a connection: where in the program it did says nothing more. */
function isOfSystem(error: unknown): boolean {
  const { syscall, code } = Object(error) as { readonly syscall?: unknown; readonly code?: unknown };
  return typeof syscall === 'string' || /^(08|53|57)[0-9A-Z]{3}$/.test(String(code));
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isPlain =
      [BackupError, ConfigError, MigrationError].some((kind) => error instanceof kind) || isOfSystem(error);
    const text =
      isPlain && error instanceof Error ? error.message : String(error instanceof Error ? error.stack : error);
    const isCommand = findCommand(process.argv[2] ?? '') !== undefined;
    process.stderr.write(`${isCommand ? '' : 'Wardline did not start.\n'}${text}\n`);
    process.exit(1);
  },
);
