import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServer, type WardlineServer } from '../../apps/server/src/app/build-server.ts';
import { createPasswords } from '../../apps/server/src/features/auth/index.ts';
import { createDatabase, type Database } from '../../apps/server/src/platform/db/database.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { createDiskStore } from '../../apps/server/src/platform/files/file-store.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';

export interface Visitor {
  /** Sends a form from an address that nobody else has; another answer than the status is an error. */
  post(url: string, body: object, status: number): Promise<void>;
}

const schema = fileURLToPath(new URL('../../apps/server/db', import.meta.url));
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** The whole server in this process, on a PostgreSQL of its own, where anybody may sign up and mails go nowhere. */
export async function openHouse(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  await migrate(postgres.connectionString, schema);
  const log = createLog('silent');
  const db = createDatabase(postgres.connectionString, log);
  const appKey = randomBytes(32).toString('hex');
  const server = await serveOn(db, { appKey, dataDir, writesPerSecond: 5 });
  let visitors = 0;

  return {
    postgresVersion: postgres.version,
    /** Does what is in the queue, such as mailing. */
    runJobs: () => server.jobs.runDue(),
    /** Their addresses; they share a password that is none of those tried. */
    async addPeople(count: number): Promise<string[]> {
      const passwordHash = await createPasswords(Buffer.from(appKey)).hash('another tram over the harbour');
      const people = Array.from({ length: count }, () => {
        const id = crypto.randomUUID();
        return { id, name: 'Robin Sample', email: `${id}@people.test`, password_hash: passwordHash };
      });
      await db.insertInto('users').values(people).execute();
      return people.map(({ email }) => email);
    },
    async visitor(): Promise<Visitor> {
      visitors++;
      const remoteAddress = `10.${visitors >> 8}.${visitors & 255}.1`;
      const { cookies } = await server.app.inject({ url: '/sanctum/csrf-cookie', remoteAddress });
      const jar = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
      return {
        async post(url, body, status) {
          const headers = { 'x-xsrf-token': jar['XSRF-TOKEN'] ?? '' };
          const answer = await server.app.inject({
            method: 'POST',
            url,
            remoteAddress,
            headers,
            cookies: jar,
            payload: body,
          });
          if (answer.statusCode !== status) throw new Error(`${url} answered ${answer.statusCode}: ${answer.payload}`);
        },
      };
    },
    async close(): Promise<void> {
      await server.close(0);
      await db.destroy();
      await postgres.stop();
    },
  };
}

interface Serving {
  readonly appKey: string;
  readonly dataDir: string;
  readonly writesPerSecond: number;
}

/** The whole server over a database, told nothing by anybody. */
export function serveOn(db: Database, { appKey, dataDir, writesPerSecond }: Serving): Promise<WardlineServer> {
  return buildServer({
    db,
    log: createLog('silent'),
    settings: {
      host: '127.0.0.1',
      publicUrl: 'http://wardline.test',
      clientOrigins: [],
      trustedProxyHops: 0,
      writesPerSecond,
      strangerSockets: 500,
      pusherApp: null,
      clamd: null,
      attachments: { maxBytes: 1024 * 1024, kinds: ['image'] },
      productName: 'Wardline',
      signUp: 'open',
      oidc: [],
      contactEmail: null,
      securityContact: null,
      location: null,
      mediaHost: null,
      iconService: null,
      pushHosts: null,
      auditYears: null,
      backupDays: 0,
      vapidPrivateKey: null,
      buildCheckIntervalS: 3600,
    },
    mailer: { description: 'nowhere', send: async () => undefined },
    keepsMails: true,
    mailbox: null,
    operatorEmail: null,
    installation: { embeddedDatabase: null, hasBucket: false, dataDir },
    appKey,
    files: createDiskStore(join(dataDir, 'files')),
    realtimeSecret: randomBytes(32).toString('hex'),
    webRoot: null,
  });
}
