import { endpoints } from '@wardline/contract/endpoints.ts';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { AuditFeature } from '#/features/audit/index.ts';
import type { PasswordCost } from '#/features/auth/index.ts';
import type { CensusFeature } from '#/features/census/index.ts';
import type { RoleClock } from '#/features/chat/index.ts';
import type { Installation } from '#/features/system/index.ts';
import type { Cluster } from '#/platform/cluster/open-cluster.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { type Database, poolState } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { EscalationClock } from '#/platform/escalation/escalation-clock.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { type Binding, bindRoutes, renewCookies } from '#/platform/http/binding/bind-routes.ts';
import { acceptFiles, acceptForms, acceptStream } from '#/platform/http/binding/read-file.ts';
import { readSite, serveStaticFiles } from '#/platform/http/edge/static-files.ts';
import { createRefuseUnknown } from '#/platform/http/edge/unknown-address.ts';
import type { OutboundWorld } from '#/platform/http/outbound.ts';
import type { Route } from '#/platform/http/route.ts';
import type { Jobs } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import { addMailboxRoutes } from '#/platform/mail/mailbox-routes.ts';
import type { MailDeps } from '#/platform/mail/open-mailer.ts';
import { createClamd } from '#/platform/malware/clamd.ts';
import { createVapid, readVapidKey } from '#/platform/push/vapid.ts';
import type { ChannelRules } from '#/platform/realtime/channels/channel-rule.ts';
import type { Gateway } from '#/platform/realtime/connections/gateway.ts';
import { type ClientSettings, clientConfig } from './client-config.ts';
import { createFeatures } from './features.ts';
import { createMetrics, measureRequests, watchClock } from './metrics/create-metrics.ts';
import { addStateMetrics } from './metrics/database-metrics.ts';
import { addOperationsRoutes } from './operations-routes.ts';
import type { Plugin } from './plugin.ts';
import { createReadiness } from './readiness.ts';
import { createServices, type Services } from './services.ts';

const PURGE_EVERY_MS = 15 * 60_000;

export type ServerSettings = ClientSettings &
  Pick<
    Config,
    | 'host'
    | 'publicUrl'
    | 'clientOrigins'
    | 'trustedProxyHops'
    | 'writesPerSecond'
    | 'strangerSockets'
    | 'pusherApp'
    | 'iconService'
    | 'securityContact'
    | 'attachments'
    | 'clamd'
    | 'auditYears'
    | 'backupDays'
    | 'pushHosts'
    | 'vapidPrivateKey'
  >;

export interface ServerDeps extends MailDeps {
  readonly db: Database;
  readonly log: Log;
  readonly settings: ServerSettings;
  readonly appKey: string;
  readonly realtimeSecret: string;
  /** What it has in common with other servers; left out where there is one. It is closed with the server. */
  readonly cluster?: Cluster | null;
  /** Where pictures are kept. */
  readonly files: FileStore;
  /** The built client's folder; null serves the API alone. */
  readonly webRoot: string | null;
  /** Cheaper password hashing, for tests. */
  readonly passwordCost?: PasswordCost;
  /** The installation has its first administrator. Says where they go on, if not at the address they are at. */
  readonly onSetUp?: () => string | null;
  /** Where push services are, for tests. */
  readonly pushWorld?: OutboundWorld;
  /** Where the webhooks of the Pusher application go, for tests. */
  readonly webhookWorld?: OutboundWorld;
  /** What it stands on, for the system administration. */
  readonly installation: Installation;
  /** Whether it measures itself, for who watches the installation. */
  readonly isMeasured?: boolean;
}

/** What it measures of itself, and how that is brought up to date. */
export interface Metrics {
  readonly register: Registry;
  readonly refresh: () => Promise<void>;
}

export interface WardlineServer {
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  readonly routes: readonly Route[];
  /** Which channels there are, and who may join them. */
  readonly channelRules: ChannelRules;
  /** To be started when the server listens, since mails carry its address. */
  readonly jobs: Jobs;
  /** What the census does by the clock; to be started with the jobs. */
  readonly clock: CensusFeature['clock'];
  /** Chains the entries of the audit; to be started with the jobs. */
  readonly auditClock: AuditFeature['clock'];
  /** Calls on by the ladders of what is urgent; to be started with the jobs. */
  readonly escalations: EscalationClock;
  /** Lets in and out of chats who holds their roles; to be started with the jobs. */
  readonly roleClock: RoleClock;
  /** For a listener beside HTTP: takes a message of the patient system. */
  readonly receiveHl7: CensusFeature['receiveHl7'];
  readonly whyNoHl7: CensusFeature['whyNoHl7'];
  /** Null where it is not measured. */
  readonly metrics: Metrics | null;
  /** The origin people use: the configured one, else the one it listens on. */
  publicUrl(): string;
  /** Stops being ready, closes the sockets spread over `drainMs`, finishes the requests and jobs under way. */
  close(drainMs: number): Promise<void>;
}

/** Puts the product together: what features stand on, the features, then all they bring, bound once. */
export async function buildServer(parts: ServerDeps): Promise<WardlineServer> {
  const { db, log, settings, mailbox, webRoot } = parts;
  const services = createServices({ ...parts, cluster: parts.cluster ?? null });
  const site = webRoot === null ? null : readSite(webRoot, settings.oidc.length);
  const { app, gateway, pusherApp, jobs, channelRules, binding, publicUrl } = services;
  const vapid = createVapid(readVapidKey(Buffer.from(parts.appKey), settings.vapidPrivateKey), {
    contact: pushContact(parts),
  });
  const scanner = settings.clamd && createClamd(settings.clamd);
  const readiness = createReadiness({ db, log, files: parts.files, scanner, bus: parts.cluster?.bus ?? null });
  const { plugins, census, escalations, roleClock, auditClock } = createFeatures(
    { ...parts, site, vapid, scanner, readiness },
    services,
  );
  const routes = plugins.flatMap((plugin) => plugin.routes ?? []);
  const metrics = parts.isMeasured ? measure(parts, { services, escalations, roleClock }) : null;
  let isDraining = false;
  // Whoever keeps their connection comes back by another one, to a server that stays.
  app.addHook('onRequest', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });

  for (const plugin of plugins) {
    channelRules.add(plugin.channels ?? []);
    channelRules.addLive(plugin.live ?? []);
    jobs.handle(plugin.jobHandlers ?? {});
  }
  const refuseUnknown = createRefuseUnknown(app, (exchange) => renewCookies(exchange, binding));
  await bindEndpoints(app, routes, binding);
  for (const plugin of plugins) plugin.serve?.(app);
  addOperationsRoutes(app, {
    ...{ log, readiness },
    ...{ publicUrl: settings.publicUrl, securityContact: settings.securityContact },
    clientConfig: clientConfig(settings, {
      pushKey: settings.pushHosts && vapid.publicKey,
      keepsMails: parts.keepsMails,
    }),
    isDraining: () => isDraining,
  });
  pusherApp?.serve(app);
  if (mailbox) addMailboxRoutes(app, mailbox);
  if (site === null) app.setNotFoundHandler(refuseUnknown);
  else serveStaticFiles(app, site, refuseUnknown);
  const purging = setInterval(() => purgeAll(plugins, log), PURGE_EVERY_MS).unref();

  return {
    ...{ app, gateway, routes, channelRules, jobs, publicUrl, metrics },
    clock: census.clock,
    escalations,
    roleClock,
    auditClock,
    receiveHl7: census.receiveHl7,
    whyNoHl7: census.whyNoHl7,
    async close(drainMs) {
      isDraining = true;
      const stopped = Promise.all([jobs.stop(), ...plugins.map((plugin) => plugin.stop?.())]);
      clearInterval(purging);
      await Promise.all([gateway.drain(drainMs), pusherApp?.close(drainMs)]);
      gateway.close();
      await app.close();
      await parts.cluster?.close();
      await stopped;
      for (const plugin of plugins) plugin.close?.();
      metrics?.stop();
    },
  };
}

interface Measured {
  readonly services: Services;
  readonly escalations: EscalationClock;
  readonly roleClock: RoleClock;
}

/** Before the routes are bound, whose requests it measures. */
function measure({ db, installation }: ServerDeps, { services, escalations, roleClock }: Measured) {
  const { app, gateway, jobs } = services;
  const register = createMetrics({
    stats: () => gateway.stats(),
    pool: () => poolState(db),
    heartbeats: { jobs: jobs.lookedAt, escalations: escalations.lookedAt, on_call_turns: roleClock.lookedAt },
  });
  measureRequests(app, register);
  const clock = watchClock(register);
  return { register, refresh: addStateMetrics(register, { db, dataDir: installation.dataDir }), stop: clock.stop };
}

/** Whom a push service writes to; Apple's refuses what is no address of the Internet. */
function pushContact({ settings, operatorEmail }: ServerDeps): string {
  const email = settings.contactEmail ?? operatorEmail;
  if (email !== null && !email.endsWith('@localhost')) return `mailto:${email}`;
  return settings.publicUrl?.startsWith('https:') ? settings.publicUrl : 'https://wardline.example';
}

function purgeAll(plugins: readonly Plugin[], log: Log): void {
  for (const plugin of plugins) {
    asSystem('purge', async () => plugin.purge?.()).catch((error: unknown) =>
      log.warn({ err: error }, 'what nobody needs could not be removed'),
    );
  }
}

/** Binds every endpoint of the contract: most take JSON, those that Laravel has too forms as well, and few a file. */
async function bindEndpoints(app: FastifyInstance, routes: readonly Route[], binding: Binding): Promise<void> {
  assertComplete(routes);
  const takesForms = ({ endpoint }: Route) => !endpoint.path.startsWith('/api/') || endpoint.path === '/api/tokens';
  const takesFile = ({ endpoint }: Route) => endpoint.file !== undefined;
  const takesStream = ({ endpoint }: Route) => endpoint.stream !== undefined;
  const takesJson = (route: Route) => !takesForms(route) && !takesFile(route) && !takesStream(route);
  bindRoutes(app, routes.filter(takesJson), binding);
  await app.register(async (scope) => {
    await acceptForms(scope);
    bindRoutes(scope, routes.filter(takesForms), binding);
  });
  await app.register(async (scope) => {
    await acceptFiles(scope);
    bindRoutes(scope, routes.filter(takesFile), binding);
  });
  await app.register(async (scope) => {
    for (const { endpoint } of routes) acceptStream(scope, endpoint);
    bindRoutes(scope, routes.filter(takesStream), binding);
  });
}

/** The contract and the server say the same, or there is no server. */
function assertComplete(routes: readonly Route[]): void {
  const bound = new Set(routes.map((route) => route.endpoint.name));
  const missing = endpoints.filter((endpoint) => !bound.has(endpoint.name)).map((endpoint) => endpoint.name);
  if (missing.length > 0 || bound.size !== endpoints.length) {
    throw new Error(`Endpoints without a verb, or bound twice: ${missing.join(', ')}`);
  }
}
