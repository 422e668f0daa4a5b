import { createHash } from 'node:crypto';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { type Outbound, OutboundError } from '#/platform/http/outbound.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import { checkImage, ImageError } from '#/platform/images/check-image.ts';
import type { ImageFormat } from '#/platform/images/image-header.ts';
import type { ImageWorkers } from '#/platform/images/image-workers.ts';
import { avatarFile, isAvatarKey, mustSeeAvatar } from './avatars.ts';
import { ByteCache } from './byte-cache.ts';
import type { Wanted } from './image-modifiers.ts';
import { forbiddenHost, type ImagePath, mediaUrl } from './image-path.ts';

export interface ImageProxyDeps {
  readonly db: RequestContext['db'];
  readonly files: FileStore;
  readonly images: ImageWorkers;
  readonly outbound: Pick<Outbound, 'get'>;
  /** The one other server whose pictures are shown; null for none. */
  readonly mediaHost: string | null;
  /** A file of this site itself, which anybody may have; null where there is none. */
  readonly siteFile: (path: string) => Buffer | null;
  /** Counts, per person, the pictures that had to be made; and those for strangers, per address and all together. */
  readonly making: Counter;
  readonly makingForStrangers: Counter;
  readonly makingForAllStrangers: Counter;
  readonly now?: () => number;
}

export interface ServedImage {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
  readonly etag: string;
}

export interface ImageRequest {
  /** Null for a stranger, who sees pictures of this site alone. */
  readonly actor: Actor | null;
  /** From where a stranger asks. */
  readonly address: string;
  readonly wanted: Wanted;
  readonly path: ImagePath;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const REMOTE_FRESH_MS = 5 * 60_000;

/** Gives pictures of ours, of this site and of the media host, in the size that was asked for. */
export interface ImageProxy {
  (request: ImageRequest): Promise<ServedImage>;
  /** Throws what a request for it would be refused with, as far as that can be said without reading the picture. */
  mustSee(request: Pick<ImageRequest, 'actor' | 'path'>): Promise<void>;
}

interface Source {
  /** Names what it shows; where that may change, only for `freshMs`. */
  readonly name: string;
  readonly freshMs: number;
  read(): Promise<Buffer>;
}

export function createImageProxy(deps: ImageProxyDeps): ImageProxy {
  const { images, making, now = () => performance.now() } = deps;
  const cache = new ByteCache<ServedImage & { readonly freshUntil: number }>(CACHE_BYTES);
  const underWay = new Map<string, Promise<ServedImage>>();

  async function make(name: string, source: Source, wanted: Wanted): Promise<ServedImage> {
    const bytes = await source.read();
    const format = wanted.format ?? checkImage(bytes).format;
    const made = await images.make(bytes, { ...wanted, format, enlarge: false });
    const image = { bytes: made, format, etag: etagOf(made) };
    cache.set(name, { ...image, freshUntil: now() + source.freshMs });
    return image;
  }

  async function countMaking({ actor, address }: ImageRequest): Promise<void> {
    if (actor !== null) return void (await making.take(actor.userId));
    await deps.makingForStrangers.take(placeOf(address));
    await deps.makingForAllStrangers.take('all');
  }

  const serve = async (request: ImageRequest): Promise<ServedImage> => {
    const { actor, wanted, path } = request;
    const source = await findSource(deps, actor, path);
    const name = `${source.name} ${JSON.stringify(wanted)}`;
    const known = cache.get(name);
    if (known && now() < known.freshUntil) return known;
    await countMaking(request);
    // Many who open one page at the same moment cause one fetch.
    const running = underWay.get(name) ?? make(name, source, wanted).finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running.catch(sayWhatFailed);
  };
  return Object.assign(serve, {
    mustSee: async ({ actor, path }: Pick<ImageRequest, 'actor' | 'path'>) =>
      void (await findSource(deps, actor, path)),
  });
}

/** Our own pictures stay ours where a media host is configured. */
async function findSource(deps: ImageProxyDeps, actor: Actor | null, { place, segments }: ImagePath): Promise<Source> {
  if (place === 'site') return findSiteFile(deps, segments);
  if (actor === null) throw new AppError('unauthenticated');
  const [folder, key = ''] = segments;
  if (folder === 'avatars' && segments.length === 2 && isAvatarKey(key)) {
    await mustSeeAvatar(deps.db, actor, key);
    return { name: `avatar ${key}`, freshMs: Number.POSITIVE_INFINITY, read: () => readAvatar(deps.files, key) };
  }
  if (deps.mediaHost === null) throw new AppError('not_found');
  const url = mediaUrl(deps.mediaHost, segments);
  return { name: url.href, freshMs: REMOTE_FRESH_MS, read: () => readRemote(deps.outbound, url) };
}

const PICTURE = /[.](png|jpe?g|webp)$/i;

/** A file of the build: it changes with the next start only. */
function findSiteFile({ siteFile }: ImageProxyDeps, segments: readonly string[]): Source {
  const path = `/${segments.join('/')}`;
  const bytes = PICTURE.test(path) ? siteFile(path) : null;
  if (bytes === null) throw new AppError('not_found');
  return { name: `site ${path}`, freshMs: Number.POSITIVE_INFINITY, read: async () => bytes };
}

export async function readAvatar(files: FileStore, key: string): Promise<Buffer> {
  const bytes = await files.get(avatarFile(key));
  if (bytes === null) throw new AppError('not_found');
  return bytes;
}

/** A redirect inside the media host is followed; one that leads elsewhere is a host that is not allowed. */
async function readRemote(outbound: Pick<Outbound, 'get'>, url: URL): Promise<Buffer> {
  const { status, body } = await outbound.get(url, (to) => to.origin === url.origin);
  if (status === 404 || status === 410) throw new AppError('not_found');
  if (status !== 200) throw new AppError('bad_gateway');
  return body;
}

function sayWhatFailed(error: unknown): never {
  if (error instanceof OutboundError && error.failure === 'forbidden') throw forbiddenHost();
  if (error instanceof OutboundError) throw new AppError('bad_gateway', { cause: error });
  if (!(error instanceof ImageError)) throw error;
  if (error.fault === 'too_large') throw new AppError('bad_request', { message: 'This picture has too many pixels.' });
  throw new AppError('bad_gateway', { message: 'This is not a picture that can be shown.', cause: error });
}

export function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
