import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { createHttpServer } from '../../apps/server/src/platform/http/edge/create-http-server.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { createGateway } from '../../apps/server/src/platform/realtime/connections/gateway.ts';
import { serveHttpApi } from '../../apps/server/src/platform/realtime/http-api/serve-http-api.ts';
import { APP, type TriggerServer, triggerServers } from './trigger-cases.ts';

/** One server of the bench: tells its port, and at each message how much processor time it has used, in milliseconds. */
const kind = triggerServers.find((candidate) => candidate === process.argv[2]);
if (kind === undefined) throw new Error(`No such server: ${process.argv[2]}`);
const server = await start(kind);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.send?.((server.address() as AddressInfo).port);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1_000);
});
process.on('disconnect', () => process.exit());

async function start(which: TriggerServer): Promise<Server> {
  if (which === 'node:http') return createServer(answerEmpty);
  const app: FastifyInstance =
    which === 'fastify' ? fastify() : createHttpServer({ log: createLog('silent'), secure: true, trustedProxyHops: 0 });
  if (which === 'wardline') serveTriggers(app);
  else serveEmpty(app);
  await app.ready();
  return app.server;
}

/** Reads the body and answers, as little as Node itself can do. */
function answerEmpty(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const answer = chunks.length > 0 ? '{}' : '';
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
  });
}

/** The same by Fastify: bare, or with the limits, headers and hooks that every answer of the product has. */
function serveEmpty(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/apps/:app/events', async (_request, reply) => reply.type('application/json').send('{}'));
}

/** To a channel in which nobody is: what fanning out costs is measured by fan-out.ts. */
function serveTriggers(app: FastifyInstance): void {
  const gateway = createGateway({
    ...APP,
    authorize: 'by signature',
    isAllowedOrigin: () => true,
    liveSessions: async (keys) => new Set(keys),
  });
  serveHttpApi(app, {
    app: APP,
    log: createLog('silent'),
    sockets: { relay: gateway.relay, look: async (asked) => gateway.look(asked), terminate: gateway.terminate },
    noteTerminated: async () => undefined,
    limits: { triggers: { burst: 1e12, perMinute: 1e12 } },
  });
}
