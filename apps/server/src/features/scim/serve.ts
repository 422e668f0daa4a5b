import { SCIM_ROOT } from '@wardline/contract/account/scim.ts';
import { Id } from '@wardline/contract/values.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asActor, asSystem } from '#/platform/db/stated-actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { placeOf } from '#/platform/http/edge/client-address.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import { parseFilter } from './filter.ts';
import { getGroup, replaceGroup, updateGroup } from './groups.ts';
import { type Resource, toGroup, toList, toUser } from './resources.ts';
import { notFound, type ScimContext } from './scim-context.ts';
import type { ScimDeps } from './scim-deps.ts';
import { errorBody, invalid, ScimError, toScimError } from './scim-error.ts';
import { findGroups, findUsers, type Page } from './scim-queries.ts';
import { findCaller } from './scim-tokens.ts';
import { MOST_RESULTS, resourceTypes, schemas, serviceConfig } from './service-config.ts';
import { createUser, deleteUser, getUser, replaceUser, updateUser } from './users.ts';

const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
/** Wrong tokens from one place; a directory has one that is right. */
const REFUSALS = { points: 60, duration: 60 };

type Verb = (ctx: ScimContext, request: FastifyRequest, reply: FastifyReply) => unknown;

/** SCIM 2.0 for the directory of a facility. It has shapes, errors and a media type of its own, so its addresses are no operations of the contract. */
export function serveScim(app: FastifyInstance, deps: ScimDeps): void {
  const refusals = deps.createCounter('scim refusals', REFUSALS);

  void app.register(async (scope) => {
    const parse = scope.getDefaultJsonParser('error', 'error');
    scope.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (request, body, done) =>
      parse(request, String(body), done),
    );
    scope.setErrorHandler((error, request, reply) => {
      const said = toScimError(error);
      if (said.status === 500) deps.log.error({ err: error, request: request.id }, 'SCIM failed');
      if (said.status === 401) reply.header('www-authenticate', 'Bearer');
      const waitS = error instanceof AppError ? error.retryAfterS : undefined;
      if (waitS !== undefined) reply.header('retry-after', String(waitS));
      return reply.code(said.status).type(MEDIA_TYPE).send(errorBody(said));
    });

    const at = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, verb: Verb) =>
      scope.route({
        ...{ method, url: `${SCIM_ROOT}${path}` },
        async handler(request, reply) {
          const ctx = await identify(deps, request, () => refusals.take(placeOf(request.ip)));
          const end = deps.limits.begin('feed', ctx.tokenId);
          try {
            return await worksFor(ctx, method, async () => verb(ctx, request, reply.type(MEDIA_TYPE)));
          } finally {
            end();
          }
        },
      });

    at('GET', '/ServiceProviderConfig', ({ origin }) => serviceConfig(origin));
    at('GET', '/ResourceTypes', ({ origin }) => listOf(resourceTypes(origin)));
    at('GET', '/ResourceTypes/:id', ({ origin }, request) => oneOf(resourceTypes(origin), request));
    at('GET', '/Schemas', ({ origin }) => listOf(schemas(origin)));
    at('GET', '/Schemas/:id', ({ origin }, request) => oneOf(schemas(origin), request));

    at('GET', '/Users', async (ctx, request) => {
      const page = readPage(request);
      const { total, rows } = await findUsers(ctx.db, ctx.maker.facilityId, page);
      return toList(
        rows.map((row) => toUser(row, ctx.origin)),
        { total, startIndex: page.startIndex },
      );
    });
    at('POST', '/Users', async (ctx, request, reply) => {
      const made = await createUser(deps, ctx, request.body);
      reply.code(201).header('location', made.meta.location);
      return give(reply, made);
    });
    at('GET', '/Users/:id', async (ctx, request, reply) =>
      giveUnlessSame(request, reply, await getUser(ctx, idOf(request))),
    );
    at('PUT', '/Users/:id', async (ctx, request, reply) =>
      give(reply, await replaceUser(deps, ctx, idOf(request), request.body)),
    );
    at('PATCH', '/Users/:id', async (ctx, request, reply) =>
      give(reply, await updateUser(deps, ctx, idOf(request), request.body)),
    );
    at('DELETE', '/Users/:id', async (ctx, request, reply) => {
      await deleteUser(deps, ctx, idOf(request));
      return reply.code(204).send();
    });

    at('GET', '/Groups', async (ctx, request) => {
      const page = readPage(request);
      const { total, rows } = await findGroups(ctx.db, ctx.maker.facilityId, page);
      return toList(
        rows.map((row) => toGroup(row, ctx.origin, wantsMembers(request))),
        { total, startIndex: page.startIndex },
      );
    });
    at('GET', '/Groups/:id', async (ctx, request, reply) =>
      giveUnlessSame(request, reply, await getGroup(ctx, idOf(request), wantsMembers(request))),
    );
    at('PUT', '/Groups/:id', async (ctx, request, reply) =>
      give(reply, await replaceGroup(deps, ctx, idOf(request), request.body)),
    );
    at('PATCH', '/Groups/:id', async (ctx, request, reply) =>
      give(reply, await updateGroup(deps, ctx, idOf(request), request.body)),
    );
    at('POST', '/Groups', refuseRole);
    at('DELETE', '/Groups/:id', refuseRole);
  });
}

/** What a role allows is decided by people, in the settings of the facility. */
function refuseRole(): never {
  throw new ScimError(403, null, 'Roles are made and removed in the settings of the facility.');
}

/**
 * Reads are made for who made the token, in its facility alone. What is changed is the system's: who joins is no member before it and who leaves
 * none after it, and that may be the maker.
 */
function worksFor({ maker, elsewhere }: ScimContext, method: string, run: () => Promise<unknown>): Promise<unknown> {
  return method === 'GET' ? asActor(maker.userId, elsewhere, run) : asSystem('membership', run);
}

async function identify(
  { db, log, publish, publicUrl }: ScimDeps,
  request: FastifyRequest,
  noteRefusal: () => Promise<unknown>,
): Promise<ScimContext> {
  const caller = await asSystem('identity', () => findCaller(db, request.headers.authorization));
  if (caller === null) {
    await noteRefusal();
    throw new ScimError(
      401,
      null,
      'This token is not known, has expired, or its maker may not manage members any more.',
    );
  }
  const http = { ip: request.ip, requestId: request.id, socketId: null };
  const write = createWrite({ actor: null, db, log, http }, publish);
  return { db, write, ...caller, origin: publicUrl(), ifMatch: request.headers['if-match'] ?? null };
}

function idOf(request: FastifyRequest): string {
  const id = Id.safeParse(String((request.params as Record<string, unknown>)['id']).toLowerCase());
  if (!id.success) throw notFound();
  return id.data;
}

function give(reply: FastifyReply, resource: Resource): Resource {
  reply.header('etag', resource.meta.version);
  return resource;
}

function giveUnlessSame(request: FastifyRequest, reply: FastifyReply, resource: Resource): Resource | FastifyReply {
  const known = request.headers['if-none-match']?.split(/\s*,\s*/) ?? [];
  const given = give(reply, resource);
  return known.includes(resource.meta.version) ? reply.code(304).send() : given;
}

function listOf(resources: readonly object[]) {
  return toList(resources as Resource[], { total: resources.length, startIndex: 1 });
}

function oneOf<Of extends { readonly id: string }>(all: readonly Of[], request: FastifyRequest): Of {
  const { id: wanted } = request.params as { id: string };
  const found = all.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  if (!found) throw notFound();
  return found;
}

const LARGEST_INDEX = 1_000_000;

/** An index below 1 is 1, a negative count is 0 (RFC 7644, section 3.4.2.4). */
function readPage({ query }: FastifyRequest): Page {
  const { filter, startIndex = '1', count = '100' } = query as Record<string, unknown>;
  if (filter !== undefined && (typeof filter !== 'string' || filter.length > 500)) {
    throw invalid('invalidFilter', 'One filter of at most 500 characters.');
  }
  return {
    filter: filter === undefined ? [] : parseFilter(filter),
    startIndex: Math.min(Math.max(1, wholeNumber(startIndex)), LARGEST_INDEX),
    count: Math.min(Math.max(0, wholeNumber(count)), MOST_RESULTS),
  };
}

function wholeNumber(value: unknown): number {
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) {
    throw invalid('invalidValue', 'startIndex and count are whole numbers.');
  }
  return Number(value);
}

/** Entra asks for groups without their members. */
function wantsMembers({ query }: FastifyRequest): boolean {
  const { excludedAttributes = '' } = query as Record<string, unknown>;
  return !String(excludedAttributes)
    .toLowerCase()
    .split(/\s*,\s*/)
    .includes('members');
}
