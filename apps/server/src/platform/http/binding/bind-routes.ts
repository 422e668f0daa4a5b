import { Readable } from 'node:stream';
import { type Finding, RuleCode } from '@wardline/contract/census/census.ts';
import type { AnyEndpoint, Method } from '@wardline/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { requireConfirmedPassword } from '#/platform/http/authorization/password-confirmation.ts';
import { requireAbility, requireFiles } from '#/platform/http/authorization/token-abilities.ts';
import type { Gate } from '#/platform/http/concurrency-gate.ts';
import type { HttpExchange, Quota, RequestContext } from '#/platform/http/context.ts';
import type { NoteReads } from '#/platform/http/note-reads.ts';
import type { PersonLimits } from '#/platform/http/person-limits.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { type Download, type InputOf, type Route, sendDownload } from '#/platform/http/route.ts';
import { type NoteCookie, newSessionId, type SessionCookies } from '#/platform/http/session-cookie.ts';
import { reasonUnseen, workAs } from '#/platform/http/work-as.ts';
import { createWrite, recordRefusal } from '#/platform/http/writes/write.ts';
import type { Log } from '#/platform/log.ts';
import { fieldErrors, messageOf } from './field-errors.ts';
import { isFromHere } from './from-here.ts';
import { readBody, readFile, readForm } from './read-file.ts';

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
  readonly noteReads: NoteReads;
  readonly limits: PersonLimits;
  /** Who of the signed-in is served now, and who waits or comes again. */
  readonly admission: Gate;
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
    const url = route.endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const method = methodsOf(route.endpoint);
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      takesTurns(route)
        ? binding.admission.run(() => answer(route, binding, { request, reply }))
        : answer(route, binding, { request, reply });
    // As Laravel does, also with a slash at its end.
    for (const spelling of [url, `${url}/`]) app.route({ method, url: spelling, handler });
  }
}

/**
 * What a slow line or a stranger could draw out holds no place: what comes or goes as a file, and what is for anybody, which has limits of
 * its own.
 */
function takesTurns({ endpoint }: Route): boolean {
  const { access, stream, file, isDownload } = endpoint;
  return access === 'signed-in' && stream === undefined && file === undefined && isDownload !== true;
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
  const { request } = exchange;
  const { endpoint } = route;
  const credential = readCredential(request, binding);
  const isSafe = endpoint.method === 'GET';
  const http = new HttpContext(exchange, binding, credential);
  try {
    const isForgeable = !isSafe && credential?.kind !== 'token';
    if (isForgeable) refuseForeignPages(request, binding);
    const identity = credential && (await binding.identify(credential));
    http.noteIdentity(identity, { asksForCookies: endpoint.name === 'getCsrfCookie' });
    if (isForgeable) requireCsrfToken(endpoint, { request, binding, sessionId: http.sessionId });
    if (identity === null && endpoint.access === 'signed-in') throw new AppError('unauthenticated');
    if (identity !== null && isMeantForAnother(request, identity.actor)) throw new AppError('unauthenticated');
    const actor = identity?.actor ?? null;
    // What is for anybody asks for nothing that is somebody's.
    const worksFor = endpoint.access === 'signed-in' ? actor : null;
    return await workAs(worksFor, () => answerAs(actor, route, { binding, exchange, http }));
  } finally {
    http.setCookies();
  }
}

interface Asked {
  readonly binding: Binding;
  readonly exchange: Exchange;
  readonly http: HttpContext;
}

async function answerAs(actor: Actor | null, route: Route, { binding, exchange, http }: Asked): Promise<unknown> {
  const { request, reply } = exchange;
  const { endpoint } = route;
  const ctx = createContext(binding, http, actor);
  try {
    requireAbility(endpoint, actor);
    if (actor !== null && route.signedInGoTo !== null) return leadTo(reply, route.signedInGoTo);
    if (actor !== null && endpoint.asksPassword) await requireConfirmedPassword(binding.db, actor);
    if (actor !== null && route.limit !== null) {
      endWithAnswer(reply, binding.limits.begin(route.limit, actor.userId));
    }
    const result = await route.run(ctx, await readInput(route, request));
    return giveReply(endpoint, result, reply);
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') {
      recordRefusal(ctx, { endpoint: endpoint.name, params: request.params as Record<string, string> });
    }
    const isMissing = error instanceof AppError && error.code === 'not_found' && actor !== null;
    const reason = isMissing && (await reasonUnseen(binding.db, actor, Object.values(request.params as object)));
    throw reason ? new AppError(reason) : error;
  }
}

function endWithAnswer({ raw }: FastifyReply, end: () => void): void {
  // Who has gone by now is told to nobody any more.
  if (raw.destroyed) end();
  else raw.once('close', end).once('finish', end);
}

/** 204 says nothing, 302 leads on, everything else is the reply as the contract states it. */
function giveReply(endpoint: AnyEndpoint, result: unknown, reply: FastifyReply): unknown {
  reply.code(endpoint.status);
  if (endpoint.status === 204) return null;
  if (endpoint.isDownload) return sendDownload(reply, result as Download);
  const answered = endpoint.reply.parse(result);
  return endpoint.status === 302 ? leadTo(reply, answered.location) : answered;
}

function leadTo(reply: FastifyReply, location: string): string {
  reply.code(302).header('location', location);
  return '';
}

/** Who sends a request that is no operation of the contract, such as a browser's for a picture. */
export async function resolveActor(request: FastifyRequest, binding: Binding): Promise<Actor | null> {
  const credential = readCredential(request, binding);
  return requireFiles((credential && (await binding.identify(credential)))?.actor ?? null);
}

/** Gives a browser its cookies again with an answer that no route gives. */
export async function renewCookies(exchange: Exchange, binding: Binding): Promise<void> {
  const credential = readCredential(exchange.request, binding);
  if (credential?.kind !== 'session') return;
  const http = new HttpContext(exchange, binding, credential);
  http.noteIdentity(await binding.identify(credential), { asksForCookies: false });
  http.setCookies();
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
  const noteReads: RequestContext['noteReads'] = async (action, subjects) => {
    if (actor !== null) await binding.noteReads({ actor, http }, action, subjects);
  };
  return { ...context, noteReads, write: createWrite(context, publish) };
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

/** Refuses what the page of another site made the browser send (403). */
function refuseForeignPages({ headers }: FastifyRequest, binding: Binding): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site === 'cross-site' && !binding.isClientOrigin(origin)) throw new AppError('forbidden');
  if (origin !== undefined && !binding.isAllowedOrigin(origin, host)) throw new AppError('forbidden');
}

/** Refuses a missing or wrong token (419), there where a cookie could give the request force. */
function requireCsrfToken(
  endpoint: AnyEndpoint,
  { request, binding, sessionId }: { request: FastifyRequest; binding: Binding; sessionId: string | null },
): void {
  const { origin, referer, 'x-xsrf-token': given } = request.headers;
  // Sanctum knows its own pages by these two; who sends neither and no session is asked who they are: 401.
  const isOfPage = origin !== undefined || referer !== undefined;
  if (sessionId === null && (endpoint.cookieless || (endpoint.access === 'signed-in' && !isOfPage))) return;
  const isToken = sessionId !== null && typeof given === 'string' && binding.cookies.isCsrfToken(sessionId, given);
  if (!isToken) throw new AppError('csrf_mismatch');
}

/** A file takes the place of a body. */
async function readInput(route: Route, request: FastifyRequest): Promise<InputOf<AnyEndpoint>> {
  const { file, method, stream } = route.endpoint;
  if (stream !== undefined) return { ...parseInput(route, request, {}), stream: readStream(request, stream) };
  if (file === undefined) return parseInput(route, request, isForm(request) ? await readForm(request) : request.body);
  return { ...parseInput(route, request, {}), file: await readFile(request, { field: file, method }) };
}

/** What the parser of this media type has left as it arrives. */
function readStream({ body }: FastifyRequest, mediaType: string): Readable {
  if (body instanceof Readable) return body;
  throw new AppError('unsupported_media_type', { message: `Send ${mediaType}.` });
}

function isForm(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers['content-type'] ?? '');
}

/** An id that cannot be one names nothing: 404. A wrong query or body: 422 with the fields. */
function parseInput(
  { endpoint, prepare }: Route,
  request: Pick<FastifyRequest, 'params' | 'query' | 'headers'>,
  sent: unknown,
): InputOf<AnyEndpoint> {
  const params = endpoint.params.safeParse(request.params ?? {});
  if (!params.success) throw new AppError('not_found');
  const given = { query: { ...(request.query as object) }, body: endpoint.method === 'GET' ? {} : readBody(sent) };
  const query = endpoint.query.safeParse(given.query);
  const body = endpoint.body.safeParse(prepare ? prepare(given.body) : given.body);
  const headers = endpoint.headers?.safeParse(request.headers);
  const fields = {
    ...fieldErrors(query.error, given.query),
    ...fieldErrors(body.error, given.body),
    ...fieldErrors(headers?.error, request.headers),
  };
  const message = messageOf(fields);
  const input = { params: params.data, query: query.data, body: body.data, headers: headers?.data };
  if (message === null) return input;
  const findings = brokenRules(body.error);
  throw new AppError('unprocessable', { message, fields, ...(findings.length > 0 && { findings }) });
}

/** The rules of the census that the form of a body breaks by itself, named by its schemas. */
function brokenRules(error: z.core.$ZodError | undefined): Finding[] {
  return (error?.issues ?? []).flatMap(({ message, path, ...issue }) => {
    const rule = RuleCode.safeParse(issue.code === 'custom' ? issue.params?.['rule'] : undefined);
    if (!rule.success) return [];
    // The list for what is wrong in one of its rows, else the innermost field.
    const row = path.findIndex((name) => typeof name === 'number');
    const field = path.at(row > 0 ? row - 1 : -1);
    return [{ code: rule.data, field: field === undefined ? null : String(field), message }];
  });
}

class HttpContext implements HttpExchange {
  readonly requestId: string;
  readonly ip: string;
  readonly isFromHere: boolean;
  readonly userAgent: string | null;
  readonly socketId: string | null;
  readonly sessionId: string | null;
  readonly followedLink: string | null;
  readonly device: string | null;
  readonly #exchange: Exchange;
  readonly #binding: Binding;
  readonly #notes = new Map<NoteCookie, string | null>();
  #toIssue: { id: string; maxAgeS: number | null; isGuest: boolean } | null = null;

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
    this.isFromHere = isFromHere(request);
    this.userAgent = request.headers['user-agent']?.slice(0, 400) ?? null;
    this.socketId = typeof socketId === 'string' && SOCKET_ID.test(socketId) ? socketId : null;
    this.sessionId = credential?.kind === 'session' ? credential.id : null;
    if (credential === null) this.#toIssue = { id: newSessionId(), maxAgeS: null, isGuest: true };
  }

  /** Whoever has a session, a guest too, gets its cookies again with every answer. */
  noteIdentity(identity: Identity | null, { asksForCookies }: { asksForCookies: boolean }): void {
    if (this.sessionId === null) return;
    const isStale = asksForCookies && identity === null && this.#binding.cookies.isRetired(this.sessionId);
    this.#toIssue = {
      id: isStale ? newSessionId() : this.sessionId,
      maxAgeS: identity?.cookieMaxAgeS ?? null,
      isGuest: identity === null,
    };
  }

  startSession(id: string, maxAgeS: number | null): void {
    this.#giveSession({ id, maxAgeS, isGuest: false });
  }

  startGuestSession(id: string): void {
    this.#giveSession({ id, maxAgeS: null, isGuest: true });
  }

  #giveSession(session: { id: string; maxAgeS: number | null; isGuest: boolean }): void {
    if (this.sessionId !== null) this.#binding.cookies.retire(this.sessionId);
    this.#toIssue = session;
  }

  isGone(): boolean {
    return this.#exchange.reply.raw.destroyed;
  }

  noteQuota({ limit, remaining }: Quota): void {
    this.#exchange.reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining });
  }

  noteHeaders(headers: Readonly<Record<string, string>>): void {
    this.#exchange.reply.headers(headers);
  }

  noteFollowedLink(value: string | null): void {
    this.#notes.set(this.#binding.linkCookie, value);
  }

  noteDevice(value: string): void {
    this.#notes.set(this.#binding.deviceCookie, value);
  }

  setCookies(): void {
    // Asked only now: a late answer never takes the place of the session that another tab has started meanwhile.
    const isCurrent = this.#toIssue !== null && !this.#binding.cookies.isRetired(this.#toIssue.id);
    const lines = this.#toIssue && isCurrent ? this.#binding.cookies.issue(this.#toIssue.id, this.#toIssue) : [];
    for (const [cookie, value] of this.#notes) lines.push(cookie.issue(value));
    if (lines.length > 0) this.#exchange.reply.header('set-cookie', lines);
  }
}
