import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ERRORS } from '@wardline/contract/errors.ts';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { AppError } from '#/platform/http/app-error.ts';
import type { Log } from '#/platform/log.ts';
import type { IsForUs } from './allowed-hosts.ts';
import { answerErrors } from './answer-errors.ts';
import { addSecurityHeaders, headersFor } from './security-headers.ts';

const BODY_LIMIT_BYTES = 256 * 1024;
/** Asked by machines, by whatever address they have; they say nothing of anybody. */
const PROBES = new Set(['/up', '/ready']);
const WRONG_HOST =
  'This server is not known by that name. Its operator can set WARDLINE_PUBLIC_URL, or have the proxy pass Host on.';

export interface HttpServerOptions {
  readonly log: Log;
  /** True behind HTTPS. */
  readonly secure: boolean;
  readonly trustedProxyHops: number;
  /** Left out, every name is taken. */
  readonly isForUs?: IsForUs;
  /** Told once where a request came through a proxy that nobody has declared, or says so. */
  readonly onUnknownProxy?: () => void;
}

/** A Fastify with our limits, parsers, headers and errors, and no route yet. */
export function createHttpServer({
  log,
  secure,
  trustedProxyHops,
  isForUs = () => true,
  onUnknownProxy = () => undefined,
}: HttpServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < trustedProxyHops,
    requestTimeout: 60_000,
    // Node would refuse a request without Host by itself, and without our headers.
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024, requireHostHeader: false },
    routerOptions: { maxParamLength: 200 },
    // A path that cannot be decoded names nothing.
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      void reply
        .code(404)
        .headers({ ...headersFor('', secure), 'cache-control': 'no-store, private' })
        .send({ message: 'Not found.', code: 'not_found' });
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      refuseBeforeRouting(error, { socket, secure }),
  });
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {});
    else parseJson(request, String(body), done);
  });
  app.addHook('onRequest', async (request) => {
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') throw new AppError('bad_request');
    if (!isForUs(request.raw) && !PROBES.has(request.routeOptions.url ?? ''))
      throw new AppError('bad_request', { message: WRONG_HOST });
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    log.debug({
      request: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
  if (trustedProxyHops === 0) warnOfUnknownProxy(app, log, onUnknownProxy);
  addSecurityHeaders(app, secure);
  answerErrors(app, log);
  return app;
}

const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

/**
 * Behind a proxy that nobody has declared all people share one address, and with it the limits of strangers. Said once: the
 * header may as well be made up by a visitor.
 */
function warnOfUnknownProxy(app: FastifyInstance, log: Log, onUnknownProxy: () => void): void {
  let isSaid = false;
  app.addHook('onRequest', async ({ headers }) => {
    const header = isSaid ? undefined : FORWARDED.find((name) => headers[name] !== undefined);
    if (header === undefined) return;
    isSaid = true;
    onUnknownProxy();
    log.warn(
      { header },
      'a request names another address, but no proxy is trusted: behind a reverse proxy set WARDLINE_TRUSTED_PROXY_HOPS, or all people share one address and its limits',
    );
  });
}

/** By the code of Node's parser; anything else could not be read. */
const REFUSALS: Readonly<Record<string, { status: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: ERRORS.payload_too_large.message },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request took too long to arrive.' },
};
const UNREADABLE = { status: '400 Bad Request', message: ERRORS.bad_request.message };

/**
 * What Node's parser refuses never reaches a route, but answers with the same headers and shape. A connection over which nothing was asked
 * is closed without a word: browsers open some in advance, and would take what is said there for the answer to their first request.
 */
function refuseBeforeRouting(
  error: NodeJS.ErrnoException,
  { socket, secure }: { socket: Socket; secure: boolean },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? UNREADABLE;
  const body = JSON.stringify({ message, code: 'bad_request' });
  const headers = {
    ...headersFor('', secure),
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}connection: close\r\n\r\n${body}`);
}
