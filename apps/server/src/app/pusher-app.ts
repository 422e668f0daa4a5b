import type { FastifyInstance } from 'fastify';
import type { Bus } from '#/platform/cluster/bus.ts';
import { shareApp } from '#/platform/cluster/share-app.ts';
import { type Config, ConfigError } from '#/platform/config/read-config.ts';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { createOutbound, type OutboundWorld } from '#/platform/http/outbound.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import type { Log } from '#/platform/log.ts';
import type { GatewayOptions } from '#/platform/realtime/channels/options.ts';
import { createGateway, type Gateway } from '#/platform/realtime/connections/gateway.ts';
import { serveHttpApi } from '#/platform/realtime/http-api/serve-http-api.ts';
import { watchChannels } from '#/platform/realtime/webhooks/watch-channels.ts';
import { WebhookQueue } from '#/platform/realtime/webhooks/webhook-queue.ts';
import { REALTIME_KEY } from './client-config.ts';

interface PusherAppDeps {
  readonly settings: NonNullable<Config['pusherApp']>;
  readonly realtimeSecret: string;
  readonly db: Database;
  readonly log: Log;
  readonly bus: Bus | null;
  /** Where sockets come from. */
  readonly edge: Pick<GatewayOptions, 'isForUs' | 'clientAddress'>;
  /** Where webhooks go, for tests. */
  readonly webhookWorld?: OutboundWorld;
}

/** The application that the operator lets use this server as its Pusher. It has a gateway of its own: what the product says is on none of its channels. */
export interface PusherAppServer {
  readonly gateway: Gateway;
  readonly otherApp: NonNullable<GatewayOptions['otherApp']>;
  serve(server: FastifyInstance): void;
  /** Sends the sockets away over `drainMs`, and tells what there is to tell of it. */
  close(drainMs: number): Promise<void>;
}

/** Whoever knows the key, which is public, may hold these: less than the product keeps for people, and none of theirs. */
const LIMITS = {
  ...{ connections: 2_000, strangers: 2_000, connectionsPerAddress: 2_000, strangersPerAddress: 2_000 },
  ...{ anonymousMs: Number.POSITIVE_INFINITY, subscriptionsPerConnection: 100, channels: 10_000 },
};
const WEBHOOK = { timeoutMs: 5_000, maxBytes: 0, atOnce: 1, waiting: 0 };
const WEBHOOK_QUEUE_BYTES = 4 * 1024 * 1024;
const WEBHOOK_EVERY_MS = 500;
const GRACE_MS = 3_000;
const MOST_MOVES = 20_000;

export function createPusherApp({
  settings,
  realtimeSecret,
  db,
  log,
  bus,
  edge,
  webhookWorld,
}: PusherAppDeps): PusherAppServer {
  const { id, key, secret } = settings;
  if (key === REALTIME_KEY)
    throw new ConfigError(`WARDLINE_PUSHER_APP_KEY: ${REALTIME_KEY} is the key of the product itself.`);
  if (secret === realtimeSecret)
    throw new ConfigError('WARDLINE_PUSHER_APP_SECRET: must be another than WARDLINE_REALTIME_SECRET.');
  const app = { id, key, secret };
  const queues = settings.webhooks.map((address) => {
    const outbound = createOutbound(WEBHOOK, webhookWorld);
    return new WebhookQueue({ app, url: new URL(address), outbound, log, mostBytes: WEBHOOK_QUEUE_BYTES });
  });
  const watch = watchChannels({
    put(event) {
      for (const queue of queues) queue.put(event);
    },
    look: (asked) => gateway.look(asked),
    askOthers: (channels) => sockets.askOthersForStays(channels),
    graceMs: GRACE_MS,
    mostMoves: MOST_MOVES,
  });
  const gateway = createGateway({
    ...{ key, secret, ...edge, limits: LIMITS },
    authorize: 'by signature',
    liveSessions: async (keys) => new Set(keys),
    isPublicChannel: () => true,
    // No cookie is read here: what a socket may is what was signed for it, from whatever page it comes.
    isAllowedOrigin: () => true,
    subscriptionCount: true,
    ...(queues.length > 0 && { events: watch }),
    ...(bus && {
      tellOthers: ({ channel, except, frame }) => bus.tell({ kind: 'app deliver', channel, except }, frame),
    }),
    onError: (error, doing) => log.error({ err: error, doing }, 'the gateway of the Pusher application met an error'),
  });
  const sockets = shareApp(gateway, bus, watch.stays);
  let telling = Promise.resolve();
  const tell = (all?: boolean) => {
    telling = telling
      .then(() => watch.tell(all))
      .catch((error: unknown) => log.error({ err: error }, 'webhooks could not be made'));
    return telling;
  };
  const clock = setInterval(() => {
    for (const queue of queues) queue.send();
    void tell();
  }, WEBHOOK_EVERY_MS).unref();

  return {
    gateway,
    otherApp: (asked) => (asked === key ? gateway.upgrade : null),
    serve(server) {
      serveHttpApi(server, {
        ...{ app, sockets, log },
        noteTerminated: ({ userId, request }) => {
          const http = { ip: request.ip, requestId: request.id, socketId: null };
          const write = createWrite({ actor: null, db, log, http }, () => undefined);
          const change = async () => ({ result: undefined, audit: { detail: { app_user: userId } } });
          return asSystem('socket', () => write('pusher_app.terminate', change));
        },
      });
    },
    async close(drainMs) {
      await gateway.drain(drainMs);
      gateway.close();
      clearInterval(clock);
      await tell(true);
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
