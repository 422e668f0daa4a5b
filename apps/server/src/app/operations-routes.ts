import type { ClientConfig } from '@wardline/contract/config.ts';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { Log } from '#/platform/log.ts';
import type { MalwareScanner } from '#/platform/malware/clamd.ts';
import { createHealthLook } from './health-look.ts';
import { openApiDocument } from './open-api.ts';
import { formatSecurityTxt, SECURITY_TXT } from './security-txt.ts';
import { createWriteProbe } from './write-probe.ts';

interface Operations {
  readonly db: Database;
  readonly log: Log;
  readonly files: Pick<FileStore, 'probe'>;
  /** Null where nobody looks for malware. */
  readonly scanner: Pick<MalwareScanner, 'ping'> | null;
  readonly clientConfig: ClientConfig;
  readonly publicUrl: string | null;
  /** Null where the operator names nobody. */
  readonly securityContact: string | null;
  readonly isDraining: () => boolean;
}

const REPORTS_PER_MINUTE = 60;

/** What is not the product but its operation: liveness, readiness, public settings, the contract, policy reports. */
export function addOperationsRoutes(app: FastifyInstance, operations: Operations): void {
  const { db, log, files, scanner, clientConfig, publicUrl, securityContact: contact, isDraining } = operations;
  const isWritable = createWriteProbe(db, log);
  const hasFiles = createHealthLook(
    { look: files.probe, failing: 'files can be neither read nor stored', wellAgain: 'files can be stored again' },
    log,
  );
  const isChecking =
    scanner &&
    createHealthLook(
      {
        look: scanner.ping,
        failing: 'new files wait: nobody checks them for malware',
        wellAgain: 'files are checked again',
      },
      log,
    );
  const malwareLines = async () =>
    isChecking && {
      malware_check: isChecking(),
      files_held: await asSystem('readiness', () => countHeld(db)).catch(() => null),
    };
  let openApi: string | undefined;

  app.get('/up', async () => ({ status: 'up' }));

  app.get('/ready', async (_request, reply) => {
    const database = await asSystem('readiness', () => sql`select 1`.execute(db)).then(
      () => true,
      () => false,
    );
    const writable = database && (await isWritable());
    const ready = writable && !isDraining();
    // Messages go on without files: what cannot be read now says so itself.
    return reply
      .code(ready ? 200 : 503)
      .send({ ready, database, writable, files: hasFiles(), ...(await malwareLines()), draining: isDraining() });
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

/** How many files wait to be checked: at most 1,000 are counted. */
async function countHeld(db: Database): Promise<number> {
  const waiting = db.selectFrom('attachments').select('id').where('scan', '=', 'pending').limit(1_000);
  const { count } = await db
    .selectFrom(waiting.as('waiting'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
