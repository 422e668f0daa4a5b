import type { FastifyInstance } from 'fastify';

/** What our client and Laravel's send: axios adds X-Requested-With, Echo X-Socket-ID, older set-ups X-CSRF-TOKEN; and tus. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-CSRF-TOKEN',
  'X-Requested-With',
  'X-Socket-ID',
  'X-Wardline-User',
  'X-XSRF-TOKEN',
];
/** By Date the pages tell due, late and today. */
const READ = [
  'Date',
  'Location',
  'Retry-After',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
];

const PREFLIGHT: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': SENT.join(', '),
  'access-control-max-age': '600',
};

/**
 * Lets pages of these origins call the API and read its answers. To every other origin nothing is said, so its browser
 * withholds the answer from the page; whether a write is let in is not decided here.
 */
export function allowClientOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const isListed = (origin: string | undefined): origin is string => origin !== undefined && origins.includes(origin);

  app.addHook('onRequest', async (request, reply) => {
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight && isListed(request.headers.origin)) return reply.code(204).headers(PREFLIGHT).send();
  });

  // At the very end, since whoever serves a file states its Vary.
  app.addHook('onSend', async (request, reply) => {
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'origin' : `${vary}, origin`);
    const { origin } = request.headers;
    if (!isListed(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': READ.join(', '),
    });
  });
}

/**
 * True for the installation's own origin: the configured one, else the origin under which the request itself came.
 * `null`, other schemes, other ports and look-alike hosts are foreign.
 */
export function isAllowedOrigin(
  origin: string,
  { host, publicUrl }: { host: string | undefined; publicUrl: string | null },
): boolean {
  if (publicUrl !== null) return origin === publicUrl;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
