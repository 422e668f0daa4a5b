import { Readable } from 'node:stream';
import type { AnyEndpoint, BodyOf, HeadersOf, ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { keepStated } from '#/platform/db/stated-actor.ts';
import type { Actor } from './actor.ts';
import type { RequestContext } from './context.ts';
import type { LimitKind } from './person-limits.ts';

interface PartsOf<E extends AnyEndpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** There where the endpoint takes a file. */
  readonly file?: Buffer;
  /** There where the endpoint takes a stream. */
  readonly stream?: Readable;
}

/** What a verb is given of a request; the headers there where the endpoint states them. */
export type InputOf<E extends AnyEndpoint> = PartsOf<E> &
  (unknown extends HeadersOf<E> ? object : { readonly headers: HeadersOf<E> });

/** An endpoint of the contract with the verb that answers it. */
export interface Route {
  readonly endpoint: AnyEndpoint;
  /** What one person may do of it, counted with all else of this kind; null for reading. */
  readonly limit: LimitKind | null;
  readonly run: (ctx: RequestContext<Actor | null>, input: InputOf<AnyEndpoint>) => Promise<unknown>;
  /** Where somebody who is signed in is led instead; null for what is not for guests only. */
  readonly signedInGoTo: string | null;
  /** Makes what the contract states of a body that clients of Laravel write otherwise. */
  readonly prepare?: (body: unknown) => unknown;
}

type PublicRouteOptions = Partial<Pick<Route, 'signedInGoTo' | 'prepare'>>;

type Verb<E extends AnyEndpoint, Who extends Actor | null> = (
  ctx: RequestContext<Who>,
  input: InputOf<E>,
) => Promise<ReplyOf<E>>;

interface RouteOptions {
  readonly limit?: LimitKind;
}

/** Everything that changes something and every file is limited; only reading is not. */
function limitOf({ method, file, isDownload }: AnyEndpoint): LimitKind | null {
  if (isDownload) return 'export';
  if (method === 'GET') return null;
  return file === undefined ? 'write' : 'import';
}

/** Binds a verb that needs somebody signed in. */
export function route<E extends AnyEndpoint>(endpoint: E, verb: Verb<E, Actor>, options: RouteOptions = {}): Route {
  if (endpoint.access !== 'signed-in') throw new Error(`${endpoint.name} is public: bind it with publicRoute`);
  // The binder answers 401 before it runs a signed-in route without an actor.
  const limit = options.limit ?? limitOf(endpoint);
  const run: Route['run'] = (ctx, input) => verb(ctx as RequestContext<Actor>, input as InputOf<E>);
  return { endpoint, limit, signedInGoTo: null, run };
}

/** Binds a verb that anybody may call; `ctx.actor` may be null. */
export function publicRoute<E extends AnyEndpoint>(
  endpoint: E,
  verb: Verb<E, Actor | null>,
  { signedInGoTo = null, prepare }: PublicRouteOptions = {},
): Route {
  if (endpoint.access !== 'public') throw new Error(`${endpoint.name} is for people who are signed in`);
  const run: Route['run'] = (ctx, input) => verb(ctx, input as InputOf<E>);
  return { endpoint, limit: limitOf(endpoint), signedInGoTo, run, ...(prepare && { prepare }) };
}

/** Binds a verb that takes the endpoint's one file and needs somebody signed in. */
export function fileRoute<E extends AnyEndpoint>(
  endpoint: E,
  verb: (ctx: RequestContext<Actor>, file: Buffer, input: InputOf<E>) => Promise<ReplyOf<E>>,
): Route {
  if (endpoint.file === undefined || endpoint.access !== 'signed-in') throw new Error(`${endpoint.name} takes no file`);
  // The binder reads the file before it runs such a route.
  const run: Route['run'] = (ctx, input) =>
    verb(ctx as RequestContext<Actor>, input.file as Buffer, input as InputOf<E>);
  return { endpoint, limit: limitOf(endpoint), signedInGoTo: null, run };
}

/** Binds a verb that takes the endpoint's stream and needs somebody signed in. */
export function streamRoute<E extends AnyEndpoint>(
  endpoint: E,
  verb: (ctx: RequestContext<Actor>, stream: Readable, input: InputOf<E>) => Promise<ReplyOf<E>>,
  options: RouteOptions = {},
): Route {
  if (endpoint.stream === undefined) throw new Error(`${endpoint.name} takes no stream`);
  // The binder refuses what is no such stream before it runs such a route.
  return route(endpoint, (ctx, input) => verb(ctx, input.stream as Readable, input), options);
}

/** A file that a verb answers with. */
export interface Download {
  /** Letters, digits, dots, dashes. */
  readonly fileName: string;
  readonly contentType: string;
  /** Whole, or in parts as they are read from the database. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
}

/** Sends a file to be kept, never to be shown inside the page. */
export function sendDownload(reply: FastifyReply, { fileName, contentType, body }: Download): FastifyReply {
  reply.header('content-type', contentType);
  reply.header('content-disposition', `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`);
  return reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(keepStated(body)));
}
