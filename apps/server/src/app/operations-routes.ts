import type { ClientConfig } from '@wardline/contract/config.ts';
import type { FastifyInstance } from 'fastify';
import type { Log } from '#/platform/log.ts';
import { openApiDocument } from './open-api.ts';
import type { Readiness } from './readiness.ts';
import { formatSecurityTxt, SECURITY_TXT } from './security-txt.ts';

interface Operations {
  readonly log: Log;
  readonly readiness: () => Promise<Readiness>;
  readonly clientConfig: ClientConfig;
  readonly publicUrl: string | null;
  /** Null where the operator names nobody. */
  readonly securityContact: string | null;
  readonly isDraining: () => boolean;
}

const REPORTS_PER_MINUTE = 60;

/** What is not the product but its operation: liveness, readiness, public settings, the contract, policy reports. */
export function addOperationsRoutes(app: FastifyInstance, operations: Operations): void {
  const { log, readiness, clientConfig, publicUrl, securityContact: contact, isDraining } = operations;
  let openApi: string | undefined;

  app.get('/up', async () => ({ status: 'up' }));

  app.get('/ready', async (_request, reply) => {
    const { database, writable, ...others } = await readiness();
    const ready = writable && !isDraining();
    // Messages go on without files: what cannot be read now says so itself.
    return reply.code(ready ? 200 : 503).send({ ready, database, writable, ...others, draining: isDraining() });
  });

  app.get('/config.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(clientConfig));

  app.get('/api/openapi.json', async (_request, reply) => {
    openApi ??= JSON.stringify(openApiDocument());
    return reply.header('cache-control', 'no-cache').type('application/json').send(openApi);
  });

  if (contact !== null)
    app.get(SECURITY_TXT, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(formatSecurityTxt({ contact, publicUrl }, new Date())),
    );

  void app.register(async (scope) => {
    let reportsLeft = REPORTS_PER_MINUTE;
    const refill = setInterval(() => {
      reportsLeft = REPORTS_PER_MINUTE;
    }, 60_000).unref();
    scope.addHook('onClose', async () => clearInterval(refill));
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, body),
    );
    scope.post('/csp-report', async (_request, reply) => {
      if (reportsLeft-- > 0) log.warn('a browser refused something that the content policy forbids');
      return reply.code(204).send();
    });
  });
}
