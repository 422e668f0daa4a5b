import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ClientConfig } from '@wardline/contract/config.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { createAccounts } from './accounts.ts';
import { type Exchange, openExchange } from './exchange.ts';
import type { Fault } from './faults.ts';
import { createHospital, type Hospital } from './hospital.ts';
import { Refusal, refuse } from './refusal.ts';
import { type Reverb, startReverb } from './reverb.ts';
import type { Caller, Route } from './route.ts';
import { broadcastMessage, createRoutes } from './routes.ts';
import { createSessions, type Session } from './sessions.ts';

/** Routes of routes/web.php: they have a session whoever asks. The others have one for the application's own pages. */
const WEB = new Set([
  '/sanctum/csrf-cookie',
  '/login',
  '/two-factor-challenge',
  '/logout',
  '/register',
  '/forgot-password',
  '/reset-password',
]);
const TOKEN_LOGOUT = '/api/logout';
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A Laravel 11 with Sanctum and Reverb in memory: what the wire of a real one looks like, and none of Wardline's extras. */
export interface FakeLaravel {
  /** Under a host name or address of the caller's choice; both lead here. */
  readonly port: number;
  readonly hospital: Hospital;
  readonly reverb: Reverb;
  /** 'GET /api/user', oldest first; preflights left out. */
  readonly asked: string[];
  /** Paths of the links that were mailed, oldest first. */
  readonly links: readonly string[];
  /** The next answers (all, unless `times` says) to what matches go wrong. */
  fault(matching: RegExp, how: Fault, times?: number): void;
  heal(): void;
  /** Every session and token is gone. */
  endSessions(): void;
  /** Bo writes in the chat. */
  hearFromBo(clientId: string, body: string): void;
  stop(): Promise<void>;
}

interface LaravelOptions {
  /** `allowed_origins` of config/cors.php. */
  readonly allowed: readonly string[];
  /** SANCTUM_STATEFUL_DOMAINS: whose pages have a session. */
  readonly stateful: readonly string[];
  /** Where its routes are, as the configuration of its clients says it. */
  readonly endpoints?: Partial<ClientConfig['endpoints']>;
}

export async function startLaravel({ allowed, stateful, endpoints = {} }: LaravelOptions): Promise<FakeLaravel> {
  const reverb = await startReverb();
  const hospital = createHospital();
  const sessions = createSessions();
  const tokens = new Map<string, string>();
  const accounts = createAccounts(hospital.user, endpoints.verify_email ?? '/verify-email');
  const routes = createRoutes({ hospital, reverb, accounts, tokens });
  const asked: string[] = [];
  const usualPath = readAddresses(endpoints);
  let faults: { matching: RegExp; how: Fault; left: number }[] = [];

  const takeFault = (line: string): Fault | null => {
    const found = faults.find(({ matching, left }) => left > 0 && matching.test(line));
    if (found === undefined) return null;
    found.left -= 1;
    return found.how;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    allowOrigin(request, response, allowed);
    const exchange = await openExchange(request, response);
    if (exchange.method === 'OPTIONS') return exchange.empty(204);
    const line = `${exchange.method} ${exchange.path}`;
    asked.push(line);
    const fault = takeFault(line);
    if (fault !== null && (await fault(exchange)) !== 'answer') return;
    try {
      answer({ ...exchange, path: usualPath(exchange.path) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      exchange.json(error.status, error.body, error.headers);
    }
  };

  const answer = (exchange: Exchange): void => {
    const session = isWeb(exchange.path) || isFromFrontend(exchange, stateful) ? sessions.open(exchange) : null;
    if (session !== null && !SAFE.has(exchange.method) && !sessions.hasToken(exchange, session)) {
      // The token's cookie is set behind the check that failed, the session's before it.
      sessions.issue(exchange, session, 'session only');
      throw refuse.csrfMismatch();
    }
    // The guard of guests, RedirectIfAuthenticated.
    if (exchange.path === '/login' && session?.userId != null) {
      sessions.issue(exchange, session);
      exchange.empty(302, { location: '/dashboard' });
      return;
    }
    try {
      const reply = exchange.path === '/sanctum/csrf-cookie' ? { status: 204 } : runRoute(exchange, session);
      if (session !== null) sessions.issue(exchange, session);
      send(exchange, reply);
    } catch (error) {
      if (session !== null) sessions.issue(exchange, session);
      throw error;
    }
  };

  const runRoute = (exchange: Exchange, session: Session | null): { status: number; body?: unknown } => {
    const { route, params } = findRoute(routes, exchange);
    const bearer = /^Bearer (.+)$/.exec(exchange.header('authorization'))?.[1] ?? '';
    const caller: Caller = {
      userId: session?.userId ?? tokens.get(bearer) ?? null,
      socketId: exchange.header('x-socket-id'),
      signIn(userId, remember) {
        if (session === null) return;
        sessions.regenerate(session, userId);
        if (remember) sessions.remember(exchange);
      },
      signOut() {
        tokens.delete(bearer);
        if (session !== null) sessions.regenerate(session, null);
      },
    };
    if (!route.isPublic && caller.userId === null) throw refuse.unauthenticated();
    const { endpoint } = route;
    const reply = route.answer({
      caller,
      ...(route.takesAnything
        ? { params, query: exchange.query, body: exchange.body }
        : {
            params: endpoint.params.parse(params),
            query: validated(endpoint.query, exchange.query),
            body: validated(endpoint.body, exchange.method === 'GET' ? {} : exchange.body),
          }),
    });
    return { status: route.status, body: endpoint.reply.parse(reply) };
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      response.destroy();
      throw error;
    });
  }).listen(0);
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('Laravel has no port.');

  return {
    port: address.port,
    hospital,
    reverb,
    asked,
    links: accounts.links,
    fault: (matching, how, times = Number.POSITIVE_INFINITY) => void faults.push({ matching, how, left: times }),
    heal() {
      faults = [];
    },
    endSessions() {
      sessions.flush();
      tokens.clear();
    },
    hearFromBo: (client_id, body) => broadcastMessage(hospital, reverb, hospital.store('bo', { client_id, body })),
    async stop() {
      server.closeAllConnections();
      server.close();
      await Promise.all([once(server, 'close'), reverb.stop()]);
    },
  };
}

const isWeb = (path: string): boolean => WEB.has(path) || path.startsWith('/verify-email/');

function send(exchange: Exchange, { status, body }: { status: number; body?: unknown }): void {
  if (status === 204) exchange.empty(204);
  else if (status === 302) exchange.empty(302, body as { location: string });
  else exchange.json(status, body);
}

/** Tells a route by its usual address from the one that it has here; what has moved is not found where it usually is. */
function readAddresses(endpoints: Partial<ClientConfig['endpoints']>): (path: string) => string {
  const usual = ClientConfig.parse({ echo: { key: '-' } }).endpoints;
  const moved = Object.entries(endpoints).map(([name, path]) => [path, usual[name as keyof typeof usual]] as const);
  return (path) => {
    const isAt = (place: string) => path === place || path.startsWith(`${place}/`);
    const found = moved.find(([here]) => isAt(here));
    if (found !== undefined) return found[1] + path.slice(found[0].length);
    return moved.some(([, before]) => isAt(before)) ? '/moved' : path;
  };
}

/** config/cors.php: paths *, supports_credentials, allowed_headers *, exposed_headers Retry-After. */
function allowOrigin(request: IncomingMessage, response: ServerResponse, allowed: readonly string[]): void {
  const origin = request.headers.origin ?? '';
  response.setHeader('vary', 'Origin');
  if (!allowed.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-expose-headers', 'Retry-After');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', request.headers['access-control-request-method'] ?? '');
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '');
}

/** As Sanctum's EnsureFrontendRequestsAreStateful asks: by Referer, else by Origin; a request with neither is a stranger's. */
function isFromFrontend(exchange: Exchange, stateful: readonly string[]): boolean {
  const place = exchange.header('referer') || exchange.header('origin');
  return URL.canParse(place) && stateful.includes(new URL(place).origin);
}

function findRoute(routes: readonly Route[], { method, path }: Exchange): { route: Route; params: object } {
  const asked = path === TOKEN_LOGOUT ? '/logout' : path;
  for (const route of routes) {
    const names = [...route.endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const found = new RegExp(`^${route.endpoint.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(asked);
    if (found === null || route.endpoint.method !== method) continue;
    return { route, params: Object.fromEntries(names.map((name, index) => [name, found[index + 1]])) };
  }
  throw refuse.noRoute(path);
}

function validated(schema: AnyEndpoint['body'], given: unknown): unknown {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string[]> = {};
  for (const { path, message } of parsed.error.issues) errors[path.join('.')] = [message];
  throw refuse.invalid(errors);
}
