import type { FastifyInstance } from 'fastify';

/** Everything from this origin and nothing else; scripts only as files; strings never become scripts. */
const DOCUMENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "frame-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types app-sw',
  'report-uri /csp-report',
].join('; ');

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const EVERYWHERE: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), microphone=(self), geolocation=(), payment=(), usb=(), display-capture=(), publickey-credentials-get=(self)',
};

type AnswerHeaders = Readonly<Record<string, string>>;

/** Made once, since every answer has them. */
const FOR_DOCUMENTS = withPolicy(DOCUMENT_POLICY);
const FOR_DATA = withPolicy(DATA_POLICY);

function withPolicy(policy: string): { readonly plain: AnswerHeaders; readonly secure: AnswerHeaders } {
  const plain = { ...EVERYWHERE, 'content-security-policy': policy };
  return { plain, secure: { ...plain, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } };
}

/** The headers of an answer; `secure` adds HSTS and must only be true behind HTTPS. */
export function headersFor(contentType: string, secure: boolean): AnswerHeaders {
  const headers = contentType.startsWith('text/html') ? FOR_DOCUMENTS : FOR_DATA;
  return secure ? headers.secure : headers.plain;
}

/** Kept where whoever answers has set them. */
const OWN = ['content-security-policy', 'cross-origin-resource-policy'] as const;

/** Puts the headers on every answer, errors and files included. */
export function addSecurityHeaders(app: FastifyInstance, secure: boolean): void {
  app.addHook('onSend', async (_request, reply) => {
    const own = OWN.map((name) => [name, reply.getHeader(name)] as const);
    reply.headers(headersFor(String(reply.getHeader('content-type') ?? ''), secure));
    for (const [name, value] of own) if (value !== undefined) reply.header(name, value);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store, private');
  });
}
