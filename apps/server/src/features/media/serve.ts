import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type AddressSignatures, readSignature } from '#/platform/http/signed-addresses.ts';
import { workAs } from '#/platform/http/work-as.ts';
import { mustSeeAvatar } from './avatars.ts';
import { readModifiers, type Wanted } from './image-modifiers.ts';
import { type ImagePath, readImagePath } from './image-path.ts';
import { etagOf, type ImageProxy, type ImageProxyDeps, readAvatar, type ServedImage } from './image-proxy.ts';

export interface ServeDeps extends Pick<ImageProxyDeps, 'db' | 'files'> {
  readonly proxy: ImageProxy;
  readonly signatures: AddressSignatures;
  readonly resolveActor: (request: FastifyRequest) => Promise<Actor | null>;
  /** Who a session or token belongs to now, by the key that names it. */
  readonly resolveKey: (key: string) => Promise<Actor | null>;
  /** Whose pages may show what a cookie brought: this origin's, or those of other origins of this site as well. */
  readonly resourcePolicy: 'same-origin' | 'same-site';
}

const PROXY = '/_img/';

/** Pictures, for people who are signed in; those of this site for all. They are no operations of the contract, since a browser asks for them itself. */
export function serveMedia(app: FastifyInstance, deps: ServeDeps): void {
  app.get<{ Params: { key: string } }>('/storage/avatars/:key', async (request, reply) => {
    const actor = mustBeThere(await deps.resolveActor(request));
    const { key } = request.params;
    await workAs(actor, () => mustSeeAvatar(deps.db, actor, key));
    const bytes = await readAvatar(deps.files, key);
    reply.header('cross-origin-resource-policy', deps.resourcePolicy);
    return send({ bytes, format: 'webp', etag: etagOf(bytes) }, { request, reply });
  });

  app.get(`${PROXY}*`, async (request, reply) => {
    // As it came over the wire: an encoded slash must not become one.
    const [address = '', ...query] = (request.raw.url ?? '').split('?');
    const signed = query.length === 0 ? null : readSignature(query.join('?'));
    const actor =
      signed === null
        ? await deps.resolveActor(request)
        : mustBeThere(await deps.resolveKey(deps.signatures.keyOf(address, signed)));
    const asked = { actor, address: request.ip, ...readImageAddress(address) };
    const image = await workAs(actor, () => deps.proxy(asked));
    // Its page may be of another site: whoever has the address was given it a minute ago.
    reply.header('cross-origin-resource-policy', signed === null ? deps.resourcePolicy : 'cross-origin');
    return send(image, { request, reply });
  });
}

/** What an address of the proxy, as it comes over the wire without a query, asks for. */
export function readImageAddress(address: string): { readonly wanted: Wanted; readonly path: ImagePath } {
  if (!address.startsWith(PROXY)) throw new AppError('bad_request', { message: 'This is no address of a picture.' });
  const [modifiers = '', ...path] = address.slice(PROXY.length).split('/');
  return { wanted: readModifiers(modifiers), path: readImagePath(path.join('/')) };
}

function mustBeThere(actor: Actor | null): Actor {
  if (actor === null) throw new AppError('unauthenticated');
  return actor;
}

/** Kept by the one browser for a while, then asked for again, so that an ended right ends there as well. */
function send(
  { bytes, format, etag }: ServedImage,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  reply.headers({ 'cache-control': 'private, max-age=300', etag, vary: 'cookie, authorization' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.headers({ 'content-type': `image/${format}`, 'content-disposition': 'inline' }).send(bytes);
}
