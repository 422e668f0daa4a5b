import { endpoints } from '@wardline/contract/endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { authFeature, type PasswordCost } from '#/features/auth/index.ts';
import { chatFeature } from '#/features/chat/index.ts';
import { facilitiesFeature } from '#/features/facilities/index.ts';
import type { Database } from '#/platform/db/database.ts';
import { refuseUnknown } from '#/platform/http/answer-errors.ts';
import { type Binding, bindRoutes } from '#/platform/http/bind-routes.ts';
import { clientAddress } from '#/platform/http/client-address.ts';
import { createHttpServer } from '#/platform/http/create-http-server.ts';
import { acceptForms } from '#/platform/http/form-parser.ts';
import { isAllowedOrigin } from '#/platform/http/origin.ts';
import type { Route } from '#/platform/http/route.ts';
import { createSessionCookies } from '#/platform/http/session-cookie.ts';
import { serveStaticFiles } from '#/platform/http/static-files.ts';
import type { Log } from '#/platform/log/log.ts';
import { createGateway, type Gateway } from '#/platform/realtime/gateway.ts';
import { signChannel, signUser } from '#/platform/realtime/signature.ts';
import { clientConfig, REALTIME_KEY } from './client-config.ts';
import { addOperationsRoutes } from './operations-routes.ts';

const PURGE_EVERY_MS = 15 * 60_000;

export interface ServerParts {
  readonly db: Database;
  readonly log: Log;
  readonly settings: {
    readonly publicUrl: string | null;
    readonly trustedProxyHops: number;
    readonly productName: string;
  };
  readonly appKey: string;
  readonly realtimeSecret: string;
  /** The built client's folder; null serves the API alone. */
  readonly webRoot: string | null;
  /** Cheaper password hashing, for tests. */
  readonly passwordCost?: PasswordCost;
}

export interface WardlineServer {
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  readonly routes: readonly Route[];
  /** Stops being ready, closes the sockets spread over `drainMs`, finishes the requests under way. */
  close(drainMs: number): Promise<void>;
}

/** Puts the product together: each feature's routes and channels, bound once, over one gateway. */
export async function buildServer(parts: ServerParts): Promise<WardlineServer> {
  const { db, log, settings } = parts;
  const secure = settings.publicUrl?.startsWith('https:') ?? false;
  let isDraining = false;

  const gateway = createGateway({
    key: REALTIME_KEY,
    secret: parts.realtimeSecret,
    isAllowedOrigin: (origin, host) =>
      origin === undefined || isAllowedOrigin(origin, { host, publicUrl: settings.publicUrl }),
    authorise: (identity, channel) => auth.mayJoin(identity, channel),
    liveSessions: (keys) => auth.identify.liveKeys(keys),
    snapshot: (channel) => auth.snapshot(channel),
    clientAddress: (request) => clientAddress(request, settings.trustedProxyHops),
    onError: (error, doing) => log.error({ err: error, doing }, 'the realtime gateway met an error'),
  });
  const app = createHttpServer({ log, secure, trustedProxyHops: settings.trustedProxyHops });
  gateway.attach(app.server);

  const signing = { key: REALTIME_KEY, secret: parts.realtimeSecret };
  const auth = authFeature({
    db,
    log,
    appKey: Buffer.from(parts.appKey),
    channelRules: () => channels,
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
  /** A right has ended: nothing in this process goes on under it. */
  const rightsChanged = (userId: string) => {
    auth.identify.forget({ userId });
    return gateway.recheck({ userId });
  };
  const facilities = facilitiesFeature({ rightsChanged });
  const chat = chatFeature({ rightsChanged });
  const channels = [...auth.channels, ...facilities.channels, ...chat.channels];
  const routes = [...auth.routes, ...facilities.routes, ...chat.routes];
  assertComplete(routes);

  const binding: Binding = {
    db,
    log,
    cookies: createSessionCookies(Buffer.from(parts.appKey), secure),
    identify: auth.identify,
    isAllowedOrigin: (origin, host) => isAllowedOrigin(origin, { host, publicUrl: settings.publicUrl }),
    publish(publications, except) {
      for (const { channel, event, data } of publications) {
        const outcome = gateway.publish(channel, event, data, { except });
        // Nobody loses anything by it: clients find what they were not told by its seq.
        if (outcome !== 'queued') log.error({ event, outcome }, 'an event could not be published');
      }
    },
  };
  const isBroadcasting = (route: Route) => route.endpoint.path.startsWith('/broadcasting/');
  bindRoutes(
    app,
    routes.filter((route) => !isBroadcasting(route)),
    binding,
  );
  await app.register(async (scope) => {
    acceptForms(scope);
    bindRoutes(scope, routes.filter(isBroadcasting), binding);
  });
  addOperationsRoutes(app, {
    db,
    log,
    clientConfig: clientConfig(settings.productName),
    isDraining: () => isDraining,
  });
  if (parts.webRoot === null) app.setNotFoundHandler(refuseUnknown);
  else serveStaticFiles(app, parts.webRoot);

  const purging = setInterval(() => {
    auth.purgeExpired().catch((error: unknown) => log.warn({ err: error }, 'expired sessions could not be removed'));
  }, PURGE_EVERY_MS).unref();

  return {
    app,
    gateway,
    routes,
    async close(drainMs) {
      isDraining = true;
      clearInterval(purging);
      await gateway.drain(drainMs);
      gateway.close();
      await app.close();
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
