import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ATTACHMENT_KINDS } from '@wardline/contract/chat/attachments.ts';
import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';
import { buildServer, type Metrics, type ServerSettings, type WardlineServer } from '#/app/build-server.ts';
import type { Cluster } from '#/platform/cluster/open-cluster.ts';
import type { OidcProvider } from '#/platform/config/oidc-settings.ts';
import type { Database } from '#/platform/db/database.ts';
import { createDiskStore, type FileStore } from '#/platform/files/file-store.ts';
import type { OutboundWorld } from '#/platform/http/outbound.ts';
import type { Route } from '#/platform/http/route.ts';
import { createLog, type Log } from '#/platform/log.ts';
import type { Mail, Mailer } from '#/platform/mail/mailer.ts';
import type { ChannelRules } from '#/platform/realtime/channels/channel-rule.ts';
import type { Gateway } from '#/platform/realtime/connections/gateway.ts';
import { CHEAP_PASSWORD_COST } from './factories/users.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';

export interface TestServer {
  /** As the owner, whom no policy narrows. */
  readonly db: Database;
  /** As the server works. */
  readonly walled: Database;
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  readonly routes: readonly Route[];
  readonly channelRules: ChannelRules;
  /** Takes an HL7 v2 message as the listener beside HTTP hands it in. */
  readonly receiveHl7: WardlineServer['receiveHl7'];
  /** Where it really listens. */
  readonly baseUrl: string;
  /** What was mailed, the oldest first. */
  readonly mails: readonly Mail[];
  /** The folder of its stored files. */
  readonly filesRoot: string;
  /** Runs the jobs that are due; nothing else runs them. Resolves to the number of tries. */
  runJobs(): Promise<number>;
  readonly metrics: Metrics | null;
  /** Carries changes of shifts out in chats; nothing else does. Resolves to the number of roles. */
  runRoles(): Promise<number>;
  /** Does the steps of urgent messages that are due, as if it were `now`; nothing else does them. */
  runEscalations(now?: Date): Promise<number>;
  /** Gives the entries of the audit that wait their place in the chain; nothing else does. */
  runAudit(): Promise<void>;
  /** Its sockets are sent away over `drainMs`, which is no time if it is not said. */
  close(drainMs?: number): Promise<void>;
}

export const TEST_APP_KEY = 'an app key that is only for tests, 32+';
export const TEST_REALTIME_SECRET = 'a realtime secret that is only for tests';

/** At which nothing listens. */
export const SAMPLE_PROVIDER: OidcProvider = {
  ...{ id: 'hospital', label: 'Hospital account', issuer: 'http://127.0.0.1:9', client_id: 'wardline' },
  ...{ scopes: 'openid email profile', email_verified_claim: 'email_verified', groups_claim: 'groups', groups: {} },
  ...{ create_accounts: false, second_factor_amr: [], second_factor_acr: [] },
};

const SETTINGS: ServerSettings = {
  host: '127.0.0.1',
  publicUrl: null,
  clientOrigins: [],
  trustedProxyHops: 0,
  // A test writes as fast as it can; what limits a person is asked for by the tests of that.
  writesPerSecond: 10_000,
  strangerSockets: 500,
  pusherApp: null,
  attachments: { maxBytes: 1024 * 1024, kinds: ATTACHMENT_KINDS },
  clamd: null,
  productName: 'Wardline',
  signUp: 'invitation',
  oidc: [SAMPLE_PROVIDER],
  contactEmail: null,
  securityContact: null,
  location: null,
  mediaHost: null,
  iconService: null,
  auditYears: null,
  backupDays: 2,
  pushHosts: [],
  vapidPrivateKey: null,
  buildCheckIntervalS: 3600,
};

export interface TestServerOptions extends Partial<ServerSettings> {
  /** Null where no mail would reach anybody. */
  readonly operatorEmail?: string | null;
  /** Where push services are. */
  readonly pushWorld?: OutboundWorld;
  /** Where webhooks of the Pusher application go. */
  readonly webhookWorld?: OutboundWorld;
  /** In the place of the list of mails. */
  readonly mailer?: Mailer;
  /** True where mails reach nobody. */
  readonly keepsMails?: boolean;
  /** Where files are kept, if not in a folder of its own. */
  readonly files?: FileStore;
  readonly isMeasured?: boolean;
  /** One of today, of which no fix is missing, unless said otherwise. */
  readonly embeddedDatabase?: { readonly releasedOn: string } | null;
  /** Told when the installation is set up. */
  readonly onSetUp?: () => string | null;
  /** Takes what is logged as an error or a warning, by its message and cause. */
  readonly logTo?: string[];
  /** False where the gateway does not look at its sockets by itself: one that closes was closed by what was done. */
  readonly looksAfterSockets?: boolean;
  /** What it has in common with other servers of the same database. */
  readonly cluster?: Cluster;
  /** One that is there already, and the key of the server that filled it; dropped on close. */
  readonly kept?: { readonly database: TestDatabase; readonly appKey: string };
}

/** The whole server over a database of its own, listening on a free port of the loopback. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {
    operatorEmail = 'operator@ward.test',
    looksAfterSockets = true,
    kept,
    logTo,
    onSetUp,
    pushWorld,
    webhookWorld,
    mailer,
    keepsMails = false,
    files,
    isMeasured = false,
    embeddedDatabase = { releasedOn: new Date().toISOString().slice(0, 10) },
    cluster,
    ...settings
  } = options;
  const database = kept?.database ?? (await testDatabase());
  const mails: Mail[] = [];
  const filesRoot = await mkdtemp(path.join(os.tmpdir(), 'wardline-files-'));
  if (!looksAfterSockets) vi.useFakeTimers({ toFake: ['setInterval'] });
  const server = await buildServer({
    db: database.walled,
    log: logTo ? listingLog(logTo) : createLog('silent'),
    settings: { ...SETTINGS, ...settings },
    mailer: mailer ?? { description: 'a list', send: async (mail) => void mails.push(mail) },
    keepsMails,
    mailbox: null,
    installation: { embeddedDatabase, hasBucket: false, dataDir: filesRoot },
    operatorEmail,
    appKey: kept?.appKey ?? TEST_APP_KEY,
    files: files ?? createDiskStore(filesRoot),
    realtimeSecret: TEST_REALTIME_SECRET,
    isMeasured,
    webRoot: null,
    passwordCost: CHEAP_PASSWORD_COST,
    ...(pushWorld && { pushWorld }),
    ...(webhookWorld && { webhookWorld }),
    ...(cluster && { cluster }),
    ...(onSetUp && { onSetUp }),
  });
  if (!looksAfterSockets) vi.useRealTimers();
  const baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    db: database.db,
    walled: database.walled,
    app: server.app,
    gateway: server.gateway,
    routes: server.routes,
    channelRules: server.channelRules,
    receiveHl7: server.receiveHl7,
    baseUrl,
    mails,
    filesRoot,
    runJobs: () => server.jobs.runDue(),
    runAudit: server.auditClock.runDue,
    metrics: server.metrics,
    runRoles: server.roleClock.runDue,
    runEscalations: (now) => server.escalations.runDue(now),
    async close(drainMs = 0) {
      await server.close(drainMs);
      await database.close();
      await rm(filesRoot, { recursive: true, force: true });
    },
  };
}

/** A log whose errors and warnings are put into a list. */
function listingLog(lines: string[]): Log {
  const log = createLog('silent');
  const error = (about: unknown, text: string) => void lines.push(`${text} ${JSON.stringify(about)}`);
  return Object.assign(log, { error, warn: error, child: () => log });
}
