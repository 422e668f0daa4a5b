import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import {
  createChannelAccess,
  createIdentify,
  createKnownDevices,
  createRelayLive,
  type Identify,
  type RealtimeAccess,
} from '#/features/auth/index.ts';
import type { Bus } from '#/platform/cluster/bus.ts';
import type { Cluster } from '#/platform/cluster/open-cluster.ts';
import { createShareNumbers } from '#/platform/cluster/share-numbers.ts';
import { type SharedGateway, shareGateway } from '#/platform/cluster/shared-gateway.ts';
import { deriveKey } from '#/platform/config/derive-key.ts';
import type { Config } from '#/platform/config/read-config.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Binding } from '#/platform/http/binding/bind-routes.ts';
import { createGate } from '#/platform/http/concurrency-gate.ts';
import { createHostCheck } from '#/platform/http/edge/allowed-hosts.ts';
import { clientAddress } from '#/platform/http/edge/client-address.ts';
import { allowClientOrigins, isAllowedOrigin } from '#/platform/http/edge/cors.ts';
import { createHttpServer } from '#/platform/http/edge/create-http-server.ts';
import { createNoteReads } from '#/platform/http/note-reads.ts';
import type { OutboundWorld } from '#/platform/http/outbound.ts';
import { createPersonLimits, ratesFor } from '#/platform/http/person-limits.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { type CreateCounter, createCounter, type ShareNumbers, shareWithNobody } from '#/platform/http/rate-limit.ts';
import { createDeviceCookie, createLinkCookie, createSessionCookies } from '#/platform/http/session-cookie.ts';
import { createJobs, type Jobs } from '#/platform/jobs/jobs.ts';
import type { Log } from '#/platform/log.ts';
import { type ChannelRules, createChannelRules } from '#/platform/realtime/channels/channel-rule.ts';
import { createGateway, type Gateway } from '#/platform/realtime/connections/gateway.ts';
import { channelSecret } from '#/platform/realtime/protocol/encryption.ts';
import { signChannel, signUser } from '#/platform/realtime/protocol/signature.ts';
import { REALTIME_KEY } from './client-config.ts';
import { listeningOrigin } from './listen.ts';
import { createPusherApp, type PusherAppServer } from './pusher-app.ts';

/** More at once would wait for each other in the database and in the event loop, each for longer than the one before (R10). */
const ADMISSION = { atOnce: 64, longestWaitMs: 2_000 };

interface ServiceDeps {
  readonly db: Database;
  readonly log: Log;
  readonly settings: Pick<
    Config,
    'host' | 'publicUrl' | 'clientOrigins' | 'trustedProxyHops' | 'writesPerSecond' | 'strangerSockets' | 'pusherApp'
  >;
  readonly appKey: string;
  readonly realtimeSecret: string;
  /** What it has in common with the other servers; null where there is one. */
  readonly cluster: Cluster | null;
  /** Where webhooks go, for tests. */
  readonly webhookWorld?: OutboundWorld;
}

/** What every feature stands on; made before them, and knowing none of them but who is asking. */
export interface Services {
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  /** Null where no application uses this server as its Pusher. */
  readonly pusherApp: PusherAppServer | null;
  readonly jobs: Jobs;
  readonly channelRules: ChannelRules;
  readonly identify: Identify;
  readonly realtime: RealtimeAccess;
  readonly createCounter: CreateCounter;
  readonly shareNumbers: ShareNumbers;
  /** What every route is bound with. */
  readonly binding: Binding;
  /** The origin people use: the configured one, else the one it listens on. */
  readonly publicUrl: () => string;
  /** Whether a request came through a proxy that nobody has declared, or said so, since the start (F-S3). */
  readonly hasUnknownProxy: () => boolean;
  /** A right has ended or begun: nothing goes on under what was, on no server. */
  readonly rightsChanged: (userId: string) => Promise<void>;
}

export function createServices({
  db,
  log,
  settings,
  appKey,
  realtimeSecret,
  cluster,
  webhookWorld,
}: ServiceDeps): Services {
  const { host, publicUrl, clientOrigins, trustedProxyHops, writesPerSecond, strangerSockets } = settings;
  const bus = cluster?.bus ?? null;
  const secure = publicUrl?.startsWith('https:') ?? false;
  const isClientOrigin = (origin: string | undefined) => origin !== undefined && clientOrigins.includes(origin);
  const isOurOrigin = (origin: string, host: string | undefined) =>
    isAllowedOrigin(origin, { host, publicUrl }) || isClientOrigin(origin);

  const isForUs = createHostCheck({ host, publicUrl });

  const known = createIdentify(db, { log });
  const identify = bus === null ? known : forgetEverywhere(known, bus);
  const channelRules = createChannelRules();
  const access = createChannelAccess({ db, identify, channelRules });
  const [linkCookie, deviceCookie] = [createLinkCookie(secure), createDeviceCookie(secure)];
  const devices = createKnownDevices(Buffer.from(appKey));
  const masterKey = deriveKey(Buffer.from(realtimeSecret), 'channel secrets');
  const edge = { isForUs, clientAddress: (request: IncomingMessage) => clientAddress(request, trustedProxyHops) };
  const pusherApp =
    settings.pusherApp &&
    createPusherApp({
      ...{ settings: settings.pusherApp, realtimeSecret, db, log, bus, edge },
      ...(webhookWorld && { webhookWorld }),
    });
  const gateway = createGateway({
    ...edge,
    key: REALTIME_KEY,
    secret: realtimeSecret,
    masterKey,
    isAllowedOrigin: (origin, host) => origin === undefined || isOurOrigin(origin, host),
    authorize: access.mayJoin,
    isPublicChannel: access.isPublic,
    liveSessions: identify.liveKeys,
    relayLive: createRelayLive({ db, identify, channelRules }),
    snapshot: access.snapshot,
    ...(pusherApp && { otherApp: pusherApp.otherApp }),
    knownDevice: (request) => devices.read(deviceCookie.read(request.headers.cookie)),
    limits: { strangersPerAddress: strangerSockets },
    ...(bus && { tellOthers: ({ frame, ...delivery }) => bus.tell({ kind: 'deliver', ...delivery }, frame) }),
    onError: (error, doing) => log.error({ err: error, doing }, 'the realtime gateway met an error'),
  });
  const sockets = shareGateway(gateway, bus, known.forget);
  let hasUnknownProxy = false;
  const app = createHttpServer({
    ...{ log, secure, trustedProxyHops, isForUs },
    onUnknownProxy() {
      hasUnknownProxy = true;
    },
  });
  allowClientOrigins(app, clientOrigins);
  gateway.attach(app.server);
  const publish = createPublish(gateway, log);
  const cookies = createSessionCookies(Buffer.from(appKey), secure);
  const shareNumbers = bus === null ? shareWithNobody : createShareNumbers(bus);
  const limits = createPersonLimits(ratesFor(writesPerSecond), { share: shareNumbers });

  return {
    app,
    gateway,
    pusherApp,
    jobs: createJobs({ db, log }),
    channelRules,
    identify,
    createCounter: cluster?.createCounter ?? createCounter,
    shareNumbers,
    realtime: createRealtimeAccess(sockets, { secret: realtimeSecret, masterKey }),
    binding: {
      db,
      log,
      cookies,
      linkCookie,
      deviceCookie,
      identify,
      isAllowedOrigin: isOurOrigin,
      isClientOrigin,
      publish,
      noteReads: createNoteReads(db, log),
      limits,
      admission: createGate(ADMISSION),
    },
    publicUrl: () => publicUrl ?? listeningOrigin(app.server),
    hasUnknownProxy: () => hasUnknownProxy,
    rightsChanged(userId) {
      identify.forget({ userId });
      return sockets.recheck({ userId });
    },
  };
}

/** What is forgotten here is forgotten by every server. */
function forgetEverywhere(identify: Identify, bus: Bus): Identify {
  const forget: Identify['forget'] = (what) => {
    identify.forget(what);
    bus.tell({ kind: 'forget', ...what });
  };
  const ask = (credential: Parameters<Identify>[0]) => identify(credential);
  return Object.assign(ask, { byKey: identify.byKey, liveKeys: identify.liveKeys, forget });
}

function createPublish(gateway: Gateway, log: Log): Publish {
  return (publications, except) => {
    for (const { channel, event, data, facilityId } of publications) {
      const outcome = gateway.publish(channel, event, data, { except, about: facilityId });
      // Nobody loses anything by it: clients find what they were not told by its seq.
      if (outcome !== 'queued') log.error({ event, outcome }, 'an event could not be published');
    }
  };
}

function createRealtimeAccess(
  sockets: SharedGateway,
  { secret, masterKey }: { readonly secret: string; readonly masterKey: Buffer },
): RealtimeAccess {
  const signing = { key: REALTIME_KEY, secret };
  return {
    bind: sockets.bind,
    signChannel: (socketId, channel, data) => signChannel(signing, socketId, channel, data),
    channelSecret: (channel) => channelSecret(masterKey, channel),
    signUser: (socketId, userData) => signUser(signing, socketId, userData),
    endSession: sockets.endSession,
    endUser: sockets.endUser,
    recheck: sockets.recheck,
  };
}
