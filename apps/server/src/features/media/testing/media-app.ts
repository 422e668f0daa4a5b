import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createDiskStore } from '#/platform/files/file-store.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { createHttpServer } from '#/platform/http/edge/create-http-server.ts';
import type { Outbound } from '#/platform/http/outbound.ts';
import { createCounter } from '#/platform/http/rate-limit.ts';
import { createImageWorkers } from '#/platform/images/image-workers.ts';
import { createLog } from '#/platform/log.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { mediaFeature } from '../index.ts';

export const SOMEBODY: Actor = {
  userId: '01890000-0000-7000-8000-000000000001',
  name: 'Robin Sample',
  email: 'robin@people.test',
  emailVerifiedAt: null,
  isOperator: false,
  avatarKey: null,
  memberships: [],
  credential: { kind: 'session', key: '0'.repeat(64), abilities: ['*'] },
};

export interface MediaApp {
  readonly app: FastifyInstance;
  close(): Promise<void>;
}

interface MediaAppOptions {
  readonly mediaHost?: string | null;
  /** Files of the site itself. */
  readonly site?: Readonly<Record<string, Buffer>>;
  readonly resolveActor?: () => Promise<Actor | null>;
}

/** The pictures' addresses alone, for somebody who is signed in, with another server in the place of the Internet. */
export async function mediaApp(
  outbound: Pick<Outbound, 'get'>,
  { mediaHost = 'https://media.example', site = {}, resolveActor = async () => SOMEBODY }: MediaAppOptions = {},
): Promise<MediaApp> {
  const log = createLog('silent');
  const database = await testDatabase();
  const root = await mkdtemp(path.join(os.tmpdir(), 'wardline-media-'));
  const images = createImageWorkers({ log });
  const app = createHttpServer({ log, secure: false, trustedProxyHops: 0 });
  mediaFeature({
    ...{ db: database.db, createCounter },
    files: createDiskStore(root),
    images,
    appKey: Buffer.from('a key for tests'),
    mediaHost,
    outbound,
    siteFile: (name) => site[name] ?? null,
    resolveActor,
    resolveKey: async () => null,
    resourcePolicy: 'same-origin',
    describeUser: () => {
      throw new Error('nobody is described here');
    },
    identityChanged: () => undefined,
  }).serve(app);
  return {
    app,
    async close() {
      await app.close();
      images.close();
      await database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
