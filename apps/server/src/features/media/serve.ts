import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { mustSeeAvatar } from './avatars.ts';
import { readModifiers } from './image-modifiers.ts';
import { readImagePath } from './image-path.ts';
import { etagOf, type ImageProxy, type ImageProxyDeps, readAvatar, type ServedImage } from './image-proxy.ts';

export interface ServeDeps extends Pick<ImageProxyDeps, 'db' | 'files'> {
  readonly proxy: ImageProxy;
  readonly resolveActor: (request: FastifyRequest) => Promise<Actor | null>;
}

const PROXY = '/_img/';

/** Pictures, for people who are signed in. They are no operations of the contract, since a browser asks for them itself. */
export function serveMedia(app: FastifyInstance, deps: ServeDeps): void {
  app.get<{ Params: { key: string } }>('/storage/avatars/:key', async (request, reply) => {
    const actor = await mustBeSomebody(deps, request);
    const { key } = request.params;
    await mustSeeAvatar(deps.db, actor, key);
    const bytes = await readAvatar(deps.files, key);
    return send({ bytes, format: 'webp', etag: etagOf(bytes) }, { request, reply });
  });

  app.get(`${PROXY}*`, async (request, reply) => {
    const actor = await mustBeSomebody(deps, request);
    // As it came over the wire: an encoded slash must not become one.
    const raw = (request.raw.url ?? '').slice(PROXY.length);
    const [modifiers = '', ...path] = raw.split('/');
    const wanted = readModifiers(modifiers);
    const segments = readImagePath(path.join('/'));
    return send(await deps.proxy({ actor, wanted, segments }), { request, reply });
  });
}

async function mustBeSomebody({ resolveActor }: ServeDeps, request: FastifyRequest): Promise<Actor> {
  const actor = await resolveActor(request);
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
