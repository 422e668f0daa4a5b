import type { FastifyInstance } from 'fastify';
import { buildServer } from '#/app/build-server.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Route } from '#/platform/http/route.ts';
import { createLog } from '#/platform/log/log.ts';
import type { Gateway } from '#/platform/realtime/gateway.ts';
import { CHEAP_PASSWORD_COST } from './factories/users.ts';
import { testDatabase } from './test-database.ts';

export interface TestServer {
  readonly db: Database;
  readonly app: FastifyInstance;
  readonly gateway: Gateway;
  readonly routes: readonly Route[];
  /** Where it really listens. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

export const TEST_APP_KEY = 'an app key that is only for tests, 32+';

/** The whole server over a database of its own, listening on a free port of the loopback. */
export async function startTestServer(
  options: { trustedProxyHops?: number; publicUrl?: string } = {},
): Promise<TestServer> {
  const database = await testDatabase();
  const server = await buildServer({
    db: database.db,
    log: createLog('silent'),
    settings: {
      publicUrl: options.publicUrl ?? null,
      trustedProxyHops: options.trustedProxyHops ?? 0,
      productName: 'Wardline',
    },
    appKey: TEST_APP_KEY,
    realtimeSecret: 'a realtime secret that is only for tests',
    webRoot: null,
    passwordCost: CHEAP_PASSWORD_COST,
  });
  const baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    db: database.db,
    app: server.app,
    gateway: server.gateway,
    routes: server.routes,
    baseUrl,
    async close() {
      await server.close(0);
      await database.close();
    },
  };
}
