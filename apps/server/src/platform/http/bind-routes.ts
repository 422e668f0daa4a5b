import type { AnyEndpoint, Method } from '@wardline/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Database } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import type { HttpExchange, RequestContext } from './context.ts';
import type { PersonLimits } from './person-limits.ts';
import type { Publish } from './publish.ts';
import { readBody, readFile } from './read-file.ts';
import { type Download, type InputOf, type Route, sendDownload } from './route.ts';
import { type NoteCookie, newSessionId, type SessionCookies } from './session-cookie.ts';
import { createWrite, recordRefusal } from './write.ts';

/** What came with a request to say who sends it. A bearer token excludes the cookie: it never falls back to it. */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'token'; readonly token: string };

export interface Identity {
  readonly actor: Actor;
  /** How long the browser keeps the session cookie; null until it closes. */
  readonly cookieMaxAgeS: number | null;
}

export interface Binding {
  readonly db: Database;
  readonly log: Log;
  readonly cookies: SessionCookies;
  readonly linkCookie: NoteCookie;
  readonly deviceCookie: NoteCookie;
  readonly publish: Publish;
  readonly limits: PersonLimits;
  readonly identify: (credential: Credential) => Promise<Identity | null>;
  readonly isAllowedOrigin: (origin: string, host: string | undefined) => boolean;
  /** True for another site that serves our client (OPS-6). */
  readonly isClientOrigin: (origin: string | undefined) => boolean;
}

const SOCKET_ID = /^\d{1,20}\.\d{1,20}$/;
const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i;

/** Binds every route once: CSRF, identity, parsing, the verb, the reply, the cookies. */
export function bindRoutes(app: FastifyInstance, routes: readonly Route[], binding: Binding): void {
  for (const route of routes) {
    app.route({
      method: methodsOf(route.endpoint),
      url: route.endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => answer(route, binding, { request, reply }),
    });
  }
}

/** PHP reads no files of a PUT, so clients made for Laravel send a POST that says it stands for one. */
function methodsOf({ method, file }: AnyEndpoint): Method[] {
  return file !== undefined && method === 'PUT' ? ['PUT', 'POST'] : [method];
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function answer(route: Route, binding: Binding, exchange: Exchange): Promise<unknown> {
  const { request, reply } = exchange;
  const { endpoint } = route;
  const credential = readCredential(request, binding);
  const isSafe = endpoint.method === 'GET';
  const http = new HttpContext(exchange, binding, credential);
  try {
    if (!isSafe && credential?.kind !== 'token')
      guardAgainstForgery(endpoint, { request, binding, sessionId: http.sessionId });
    const identity = credential && (await binding.identify(credential));
    http.noteIdentity(identity, { issueToGuest: !isSafe || endpoint.name === 'getCsrfCookie' });
    if (identity === null && endpoint.access === 'signed-in') throw new AppError('unauthenticated');
    if (identity !== null && isMeantForAnother(request, identity.actor)) throw new AppError('unauthenticated');
    const ctx = createContext(binding, http, identity?.actor ?? null);
    if (identity && route.limit) {
      const end = binding.limits.begin(route.limit, identity.actor.userId);
      // Who has gone by now is told to nobody any more.
      if (reply.raw.destroyed) end();
      else reply.raw.once('close', end).once('finish', end);
    }
    try {
      const result = await route.run(ctx, await readInput(route, request));
      return giveReply(endpoint, result, reply);
    } catch (error) {
      if (error instanceof AppError && error.code === 'forbidden') {
        recordRefusal(ctx, { endpoint: endpoint.name, params: request.params as Record<string, string> });
      }
      throw error;
    }
  } finally {
    http.setCookies();
  }
}

/** 204 says nothing, 302 leads on, everything else is the reply as the contract states it. */
function giveReply(endpoint: AnyEndpoint, result: unknown, reply: FastifyReply): unknown {
  reply.code(endpoint.status);
  if (endpoint.status === 204) return null;
  if (endpoint.isDownload) return sendDownload(reply, result as Download);
  const answered = endpoint.reply.parse(result);
  if (endpoint.status !== 302) return answered;
  reply.header('location', answered.location);
  return '';
}

/** Who sends a request that is no operation of the contract, such as a browser's for a picture. */
export async function resolveActor(request: FastifyRequest, binding: Binding): Promise<Actor | null> {
  const credential = readCredential(request, binding);
  return (credential && (await binding.identify(credential)))?.actor ?? null;
}

/**
 * What one person wrote on a device must never be sent in the session of the next: the outbox names its author, and for
 * him nobody is signed in here.
 */
function isMeantForAnother(request: FastifyRequest, actor: Actor): boolean {
  const author = request.headers['x-wardline-user'];
  return author !== undefined && author !== actor.userId;
}

function createContext(binding: Binding, http: HttpContext, actor: Actor | null): RequestContext<Actor | null> {
  const { db, log, publish } = binding;
  const context = { actor, db, http, log: log.child({ request: http.requestId }) };
  return { ...context, write: createWrite(context, publish) };
}

function readCredential(request: FastifyRequest, { cookies }: Binding): Credential | null {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) {
    const token = BEARER.exec(authorization)?.[1];
    return { kind: 'token', token: token ?? '' };
  }
  const id = cookies.read(cookie);
  return id === null ? null : { kind: 'session', id };
}

/** Refuses what another site could have made the browser send: a foreign origin (403), a missing or wrong token (419). */
function guardAgainstForgery(
  endpoint: AnyEndpoint,
  { request, binding, sessionId }: { request: FastifyRequest; binding: Binding; sessionId: string | null },
): void {
  const { origin, host, 'sec-fetch-site': site, 'x-xsrf-token': given } = request.headers;
  if (site === 'cross-site' && !binding.isClientOrigin(origin)) throw new AppError('forbidden');
  if (origin !== undefined && !binding.isAllowedOrigin(origin, host)) throw new AppError('forbidden');
  if (endpoint.cookieless && request.headers.cookie === undefined) return;
  const isToken = sessionId !== null && typeof given === 'string' && binding.cookies.isCsrfToken(sessionId, given);
  if (!isToken) throw new AppError('csrf_mismatch');
}

/** A file takes the place of a body. */
async function readInput(route: Route, request: FastifyRequest): Promise<InputOf<AnyEndpoint>> {
  const { file, method } = route.endpoint;
  if (file === undefined) return parseInput(route, request);
  return {
    ...parseInput(route, { params: request.params, query: request.query, body: {} }),
    file: await readFile(request, { field: file, method }),
  };
}

/** An id that cannot be one names nothing: 404. A wrong query or body: 422 with the fields. */
function parseInput(
  { endpoint }: Route,
  request: Pick<FastifyRequest, 'params' | 'query' | 'body'>,
): InputOf<AnyEndpoint> {
  const params = endpoint.params.safeParse(request.params ?? {});
  if (!params.success) throw new AppError('not_found');
  const query = endpoint.query.safeParse({ ...(request.query as object) });
  const body = endpoint.body.safeParse(endpoint.method === 'GET' ? {} : readBody(request.body));
  const fields = { ...fieldErrors(query.error), ...fieldErrors(body.error) };
  const first = Object.values(fields)[0]?.[0];
  if (first !== undefined) throw new AppError('unprocessable', { message: first, fields });
  return { params: params.data, query: query.data, body: body.data };
}

function fieldErrors(error: z.core.$ZodError | undefined): Record<string, string[]> {
  // A map, since whoever sends the request chooses the names: `__proto__` and `toString` are names like any other.
  const fields = new Map<string, string[]>();
  for (const issue of error?.issues ?? []) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    const text = issue.code === 'unrecognized_keys' ? 'This field is not known.' : issue.message;
    for (const path of paths) fields.set(path || 'body', [...(fields.get(path || 'body') ?? []), text]);
  }
  return Object.fromEntries(fields);
}

class HttpContext implements HttpExchange {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly socketId: string | null;
  readonly sessionId: string | null;
  readonly followedLink: string | null;
  readonly device: string | null;
  readonly #exchange: Exchange;
  readonly #binding: Binding;
  readonly #notes = new Map<NoteCookie, string | null>();
  #toIssue: { id: string; maxAgeS: number | null } | null = null;

  constructor(exchange: Exchange, binding: Binding, credential: Credential | null) {
    const { request } = exchange;
    const socketId = request.headers['x-socket-id'];
    this.#exchange = exchange;
    this.#binding = binding;
    const cookie = credential?.kind === 'token' ? undefined : request.headers.cookie;
    this.followedLink = binding.linkCookie.read(cookie);
    this.device = binding.deviceCookie.read(cookie);
    this.requestId = request.id;
    this.ip = request.ip;
    this.userAgent = request.headers['user-agent']?.slice(0, 400) ?? null;
    this.socketId = typeof socketId === 'string' && SOCKET_ID.test(socketId) ? socketId : null;
    this.sessionId = credential?.kind === 'session' ? credential.id : null;
    if (credential === null) this.#toIssue = { id: newSessionId(), maxAgeS: null };
  }

  /**
   * A live session gets its cookies again with every answer. A guest who has one gets it again only where a sign-in
   * cannot be under way in another tab, so that a late answer never takes a fresh session's place.
   */
  noteIdentity(identity: Identity | null, { issueToGuest }: { issueToGuest: boolean }): void {
    if (this.sessionId === null || !(identity || issueToGuest)) return;
    this.#toIssue = { id: this.sessionId, maxAgeS: identity?.cookieMaxAgeS ?? null };
  }

  startSession(id: string, maxAgeS: number | null): void {
    this.#toIssue = { id, maxAgeS };
  }

  noteFollowedLink(value: string | null): void {
    this.#notes.set(this.#binding.linkCookie, value);
  }

  noteDevice(value: string): void {
    this.#notes.set(this.#binding.deviceCookie, value);
  }

  setCookies(): void {
    const lines = this.#toIssue ? this.#binding.cookies.issue(this.#toIssue.id, this.#toIssue.maxAgeS) : [];
    for (const [cookie, value] of this.#notes) lines.push(cookie.issue(value));
    if (lines.length > 0) this.#exchange.reply.header('set-cookie', lines);
  }
}
