// Pictures: a person's own, and the proxy through which a page shows any picture in the size that it needs.
// What other features attach to their things is theirs; they ask who may see it.
import type { User } from '@wardline/contract/account/auth.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { createOutbound, type Outbound } from '#/platform/http/outbound.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';
import type { Route } from '#/platform/http/route.ts';
import { createAddressSignatures } from '#/platform/http/signed-addresses.ts';
import type { ImageWorkers } from '#/platform/images/image-workers.ts';
import { removeStrayAvatars } from './avatars.ts';
import { createImageProxy } from './image-proxy.ts';
import { routes } from './routes.ts';
import { serveMedia } from './serve.ts';

export { avatarFile } from './avatars.ts';

export interface MediaDeps {
  readonly db: RequestContext['db'];
  readonly files: FileStore;
  readonly images: ImageWorkers;
  readonly appKey: Buffer;
  readonly createCounter: CreateCounter;
  readonly mediaHost: string | null;
  readonly siteFile: (path: string) => Buffer | null;
  readonly resolveActor: (request: FastifyRequest) => Promise<Actor | null>;
  readonly resolveKey: (key: string) => Promise<Actor | null>;
  readonly resourcePolicy: 'same-origin' | 'same-site';
  readonly describeUser: (actor: Actor) => User;
  readonly identityChanged: (userId: string) => void;
  /** In place of the Internet, for tests. */
  readonly outbound?: Pick<Outbound, 'get'>;
}

export interface MediaFeature {
  readonly routes: Route[];
  serve(app: FastifyInstance): void;
  /** Removes stored pictures that nobody has; to be called now and then. */
  purge(): Promise<void>;
}

const REMOTE_LIMITS = { maxBytes: 10 * 1024 * 1024, timeoutMs: 5_000, atOnce: 8, waiting: 64 };

export function mediaFeature(deps: MediaDeps): MediaFeature {
  const { createCounter } = deps;
  const uploads = createCounter('avatars', { points: 60, duration: 3600 });
  const counters = {
    making: createCounter('images', { points: 120, duration: 60 }),
    makingForStrangers: createCounter('images for strangers', { points: 30, duration: 60 }),
    makingForAllStrangers: createCounter('images for all strangers', { points: 120, duration: 60 }),
  };
  const proxy = createImageProxy({ ...deps, ...counters, outbound: deps.outbound ?? createOutbound(REMOTE_LIMITS) });
  const signatures = createAddressSignatures(deps.appKey, 'image address');
  return {
    routes: routes({ ...deps, uploads, proxy, signatures }),
    serve: (app) => serveMedia(app, { ...deps, proxy, signatures }),
    purge: () => removeStrayAvatars(deps),
  };
}
