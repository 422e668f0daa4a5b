import { createHash } from 'node:crypto';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { type Outbound, OutboundError } from '#/platform/http/outbound.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import { checkImage, ImageError } from '#/platform/images/check-image.ts';
import type { ImageFormat } from '#/platform/images/image-header.ts';
import type { ImageWorkers } from '#/platform/images/image-workers.ts';
import { avatarFile, isAvatarKey, mustSeeAvatar } from './avatars.ts';
import { ByteCache } from './byte-cache.ts';
import type { Wanted } from './image-modifiers.ts';
import { mediaUrl } from './image-path.ts';

export interface ImageProxyDeps {
  readonly db: RequestContext['db'];
  readonly files: FileStore;
  readonly images: ImageWorkers;
  readonly outbound: Outbound;
  /** The one other server whose pictures are shown; null for none. */
  readonly mediaHost: string | null;
  /** Counts, per person, the pictures that had to be made. */
  readonly making: Counter;
  readonly now?: () => number;
}

export interface ServedImage {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
  readonly etag: string;
}

export interface ImageRequest {
  readonly actor: Actor;
  readonly wanted: Wanted;
  readonly segments: readonly string[];
}

const CACHE_BYTES = 64 * 1024 * 1024;
const REMOTE_FRESH_MS = 5 * 60_000;

/** Gives pictures of ours and of the media host, in the size that was asked for. */
export type ImageProxy = (request: ImageRequest) => Promise<ServedImage>;

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

  return async ({ actor, wanted, segments }) => {
    const source = await findSource(deps, actor, segments);
    const name = `${source.name} ${JSON.stringify(wanted)}`;
    const known = cache.get(name);
    if (known && now() < known.freshUntil) return known;
    await making.take(actor.userId);
    // Many who open one page at the same moment cause one fetch.
    const running = underWay.get(name) ?? make(name, source, wanted).finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running.catch(sayWhatFailed);
  };
}

/** Our own pictures stay ours where a media host is configured. */
async function findSource(deps: ImageProxyDeps, actor: Actor, segments: readonly string[]): Promise<Source> {
  const [folder, key = ''] = segments;
  if (folder === 'avatars' && segments.length === 2 && isAvatarKey(key)) {
    await mustSeeAvatar(deps.db, actor, key);
    return { name: `avatar ${key}`, freshMs: Number.POSITIVE_INFINITY, read: () => readAvatar(deps.files, key) };
  }
  if (deps.mediaHost === null) throw new AppError('not_found');
  const url = mediaUrl(deps.mediaHost, segments);
  return { name: url.href, freshMs: REMOTE_FRESH_MS, read: () => readRemote(deps.outbound, url) };
}

export async function readAvatar(files: FileStore, key: string): Promise<Buffer> {
  const bytes = await files.get(avatarFile(key));
  if (bytes === null) throw new AppError('not_found');
  return bytes;
}

async function readRemote(outbound: Outbound, url: URL): Promise<Buffer> {
  const { status, body } = await outbound.get(url);
  if (status === 404 || status === 410) throw new AppError('not_found');
  if (status !== 200) throw new AppError('bad_gateway');
  return body;
}

function sayWhatFailed(error: unknown): never {
  if (error instanceof OutboundError) throw new AppError('bad_gateway', { cause: error });
  if (!(error instanceof ImageError)) throw error;
  if (error.fault === 'too_large') throw new AppError('bad_request', { message: 'This picture has too many pixels.' });
  throw new AppError('bad_gateway', { message: 'This is not a picture that can be shown.', cause: error });
}

export function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
