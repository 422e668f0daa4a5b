import { endpoints } from '@wardline/contract/endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { authFeature, describeUser, type PasswordCost } from '#/features/auth/index.ts';
import { type CensusFeature, censusFeature } from '#/features/census/index.ts';
import { chatFeature } from '#/features/chat/index.ts';
import { contactFeature } from '#/features/contact/index.ts';
import { facilitiesFeature } from '#/features/facilities/index.ts';
import { iconsFeature } from '#/features/icons/index.ts';
import { invitationsFeature } from '#/features/invitations/index.ts';
import { mediaFeature } from '#/features/media/index.ts';
import { deriveKey } from '#/platform/config/derive-key.ts';
import type { Config } from '#/platform/config/read-config.ts';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { refuseUnknown } from '#/platform/http/answer-errors.ts';
import { type Binding, bindRoutes, whoAsks } from '#/platform/http/bind-routes.ts';
import { clientAddress } from '#/platform/http/client-address.ts';
import { allowClientOrigins, isAllowedOrigin } from '#/platform/http/cors.ts';
import { createHttpServer } from '#/platform/http/create-http-server.ts';
import { acceptFiles, acceptForms } from '#/platform/http/read-file.ts';
import type { Route } from '#/platform/http/route.ts';
import { createLinkCookie, createSessionCookies } from '#/platform/http/session-cookie.ts';
import { serveStaticFiles } from '#/platform/http/static-files.ts';
import { createImageWorkers } from '#/platform/images/image-workers.ts';
import { createJobs, type Jobs } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import { addMailboxRoutes } from '#/platform/mail/mailbox-routes.ts';
import type { MailParts } from '#/platform/mail/open-mailer.ts';
import { createGateway, type Gateway } from '#/platform/realtime/connections/gateway.ts';
import { signChannel, signUser } from '#/platform/realtime/protocol/signature.ts';
import { type ClientSettings, clientConfig, REALTIME_KEY } from './client-config.ts';
import { listeningOrigin } from './listen.ts';
import { addOperationsRoutes } from './operations-routes.ts';

const PURGE_EVERY_MS = 15 * 60_000;

export type ServerSettings = ClientSettings &
  Pick<Config, 'publicUrl' | 'clientOrigins' | 'trustedProxyHops' | 'iconService'>;

export interface ServerParts extends MailParts {
  readonly db: Database;
  readonly log: Log;
  readonly settings: ServerSettings;
  readonly appKey: string;
  readonly realtimeSecret: string;
  /** Where pictures are kept. */
  readonly files: FileStore;
  /** The built client's folder; null serves the API alone. */
  readonly webRoot: string | null;
  /** Cheaper password hashing, for tests. */
  readonly passwordCost?: PasswordCost;
}

export interface WardlineServer {
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  readonly routes: readonly Route[];
  /** To be started when the server listens, since mails carry its address. */
  readonly jobs: Jobs;
  /** What the census does by the clock; to be started with the jobs. */
  readonly clock: CensusFeature['clock'];
  /** For a listener beside HTTP: takes a message of the patient system. */
  readonly receiveHl7: CensusFeature['receiveHl7'];
  /** The origin people use: the configured one, else the one it listens on. */
  publicUrl(): string;
  /** Stops being ready, closes the sockets spread over `drainMs`, finishes the requests and jobs under way. */
  close(drainMs: number): Promise<void>;
}

/** Puts the product together: each feature's routes and channels, bound once, over one gateway. */
export async function buildServer(parts: ServerParts): Promise<WardlineServer> {
  const { db, log, settings } = parts;
  const secure = settings.publicUrl?.startsWith('https:') ?? false;
  let isDraining = false;
  const isClientOrigin = (origin: string | undefined) =>
    origin !== undefined && settings.clientOrigins.includes(origin);
  const isOurOrigin = (origin: string, host: string | undefined) =>
    isAllowedOrigin(origin, { host, publicUrl: settings.publicUrl }) || isClientOrigin(origin);

  const gateway = createGateway({
    key: REALTIME_KEY,
    secret: parts.realtimeSecret,
    isAllowedOrigin: (origin, host) => origin === undefined || isOurOrigin(origin, host),
    authorise: (identity, channel) => auth.mayJoin(identity, channel),
    liveSessions: (keys) => auth.identify.liveKeys(keys),
    snapshot: (channel) => auth.snapshot(channel),
    clientAddress: (request) => clientAddress(request, settings.trustedProxyHops),
    onError: (error, doing) => log.error({ err: error, doing }, 'the realtime gateway met an error'),
  });
  const app = createHttpServer({ log, secure, trustedProxyHops: settings.trustedProxyHops });
  allowClientOrigins(app, settings.clientOrigins);
  gateway.attach(app.server);
  const publicUrl = () => settings.publicUrl ?? listeningOrigin(app.server);

  const signing = { key: REALTIME_KEY, secret: parts.realtimeSecret };
  /** A right has ended or begun: nothing in this process goes on under what was. */
  const rightsChanged = (userId: string) => {
    auth.identify.forget({ userId });
    return gateway.recheck({ userId });
  };
  const invitations = invitationsFeature({ rightsChanged });
  const appKey = Buffer.from(parts.appKey);
  const auth = authFeature({
    db,
    log,
    appKey,
    channelRules: () => channels,
    invitations,
    mailer: parts.mailer,
    nudgeJobs: () => jobs.nudge(),
    publicUrl,
    productName: settings.productName,
    signUp: settings.signUp,
    realtime: {
      isConnected: (socketId) => gateway.isConnected(socketId),
      identify: (socketId, identity) => gateway.identify(socketId, identity),
      signChannel: (socketId, channel, data) => signChannel(signing, socketId, channel, data),
      signUser: (socketId, userData) => signUser(signing, socketId, userData),
      endSession: (key) => gateway.endSession(key),
      endUser: (userId) => gateway.endUser(userId),
      recheck: (filter) => gateway.recheck(filter),
    },
    ...(parts.passwordCost && { passwordCost: parts.passwordCost }),
  });
  const facilities = facilitiesFeature({ rightsChanged });
  const chat = chatFeature({ rightsChanged });
  const census = censusFeature({
    db,
    log,
    threads: chat,
    feedSecret: deriveKey(appKey, 'census feed'),
    publish: (publications) => binding.publish(publications),
    mailer: parts.mailer,
    publicUrl,
    productName: settings.productName,
    nudgeJobs: () => jobs.nudge(),
  });
  const contact = contactFeature({
    mailer: parts.mailer,
    operatorEmail: parts.operatorEmail,
    productName: settings.productName,
    nudgeJobs: () => jobs.nudge(),
  });
  const images = createImageWorkers({ log });
  const media = mediaFeature({
    db,
    files: parts.files,
    images,
    mediaHost: settings.mediaHost,
    whoAsks: (request) => whoAsks(request, binding),
    describeUser,
    identityChanged: (userId) => auth.identify.forget({ userId }),
  });
  const icons = iconsFeature({ iconService: settings.iconService });
  const jobs = createJobs({
    db,
    log,
    handlers: { ...auth.jobHandlers, ...census.jobHandlers, ...contact.jobHandlers },
  });
  const channels = [...auth.channels, ...facilities.channels, ...chat.channels, ...census.channels];
  const routes = [
    ...auth.routes,
    ...facilities.routes,
    ...invitations.routes,
    ...chat.routes,
    ...census.routes,
    ...contact.routes,
    ...media.routes,
  ];
  assertComplete(routes);

  const binding: Binding = {
    db,
    log,
    cookies: createSessionCookies(appKey, secure),
    linkCookie: createLinkCookie(secure),
    identify: auth.identify,
    isAllowedOrigin: isOurOrigin,
    isClientOrigin,
    publish(publications, except) {
      for (const { channel, event, data } of publications) {
        const outcome = gateway.publish(channel, event, data, { except });
        // Nobody loses anything by it: clients find what they were not told by its seq.
        if (outcome !== 'queued') log.error({ event, outcome }, 'an event could not be published');
      }
    },
  };
  const isBroadcasting = (route: Route) => route.endpoint.path.startsWith('/broadcasting/');
  const takesFile = ({ endpoint }: Route) => endpoint.file !== undefined;
  bindRoutes(
    app,
    routes.filter((route) => !isBroadcasting(route) && !takesFile(route)),
    binding,
  );
  await app.register(async (scope) => {
    acceptForms(scope);
    bindRoutes(scope, routes.filter(isBroadcasting), binding);
  });
  await app.register(async (scope) => {
    await acceptFiles(scope);
    bindRoutes(scope, routes.filter(takesFile), binding);
  });
  media.serve(app);
  icons.serve(app);
  addOperationsRoutes(app, {
    db,
    log,
    clientConfig: clientConfig(settings),
    isDraining: () => isDraining,
  });
  if (parts.mailbox) addMailboxRoutes(app, parts.mailbox);
  if (parts.webRoot === null) app.setNotFoundHandler(refuseUnknown);
  else serveStaticFiles(app, parts.webRoot);

  const purging = setInterval(() => {
    media.purge().catch((error: unknown) => log.warn({ err: error }, 'pictures that nobody has could not be removed'));
    auth.purgeExpired().catch((error: unknown) => log.warn({ err: error }, 'expired sessions could not be removed'));
  }, PURGE_EVERY_MS).unref();

  return {
    app,
    gateway,
    routes,
    jobs,
    clock: census.clock,
    receiveHl7: census.receiveHl7,
    publicUrl,
    async close(drainMs) {
      isDraining = true;
      const stopped = Promise.all([jobs.stop(), census.clock.stop()]);
      clearInterval(purging);
      await gateway.drain(drainMs);
      gateway.close();
      await app.close();
      await stopped;
      images.close();
      census.close();
    },
  };
}

/** The contract and the server say the same, or there is no server. */
function assertComplete(routes: readonly Route[]): void {
  const bound = new Set(routes.map((route) => route.endpoint.name));
  const missing = endpoints.filter((endpoint) => !bound.has(endpoint.name)).map((endpoint) => endpoint.name);
  if (missing.length > 0 || bound.size !== endpoints.length) {
    throw new Error(`Endpoints without a verb, or bound twice: ${missing.join(', ')}`);
  }
}
