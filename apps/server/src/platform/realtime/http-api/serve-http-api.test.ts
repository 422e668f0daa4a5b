import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import PusherServer from 'pusher';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { serveHttpApi } from './serve-http-api.ts';

const app = { id: '1', key: 'kitchen', secret: 'a secret of the kitchen' };

let server: FastifyInstance;
let port: number;
let relayed: string[];
let asked: unknown[];
let pusher: PusherServer;

beforeEach(async () => {
  [relayed, asked] = [[], []];
  server = fastify();
  serveHttpApi(server, {
    app,
    log: createLog('silent'),
    sockets: {
      relay: ({ event }) => void relayed.push(event),
      look: async (channels) => {
        asked.push(channels);
        return [];
      },
      terminate: (userId) => void relayed.push(userId),
    },
    noteTerminated: async ({ userId }) => {
      if (userId === 'nobody') throw new Error('the database is away');
    },
    limits: { triggers: { burst: 2, perMinute: 1 }, questions: { burst: 1, perMinute: 2 } },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = (server.server.address() as AddressInfo).port;
  pusher = new PusherServer({ appId: app.id, key: app.key, secret: app.secret, host: '127.0.0.1', port: String(port) });
});
afterEach(() => server.close());

test('RT-2 A24 over the rate a request is refused with 403 and does nothing; questions have a rate of their own', async () => {
  await pusher.trigger('bar', 'one', 1);
  await pusher.triggerBatch([{ channel: 'bar', name: 'two', data: 2 }]);
  await expect(pusher.trigger('bar', 'three', 3)).rejects.toMatchObject({ status: 403, body: 'Too many requests.' });
  await expect(pusher.triggerBatch([{ channel: 'bar', name: 'four', data: 4 }])).rejects.toMatchObject({ status: 403 });
  expect(relayed).toEqual(['one', 'two']);
  expect((await pusher.get({ path: '/channels' })).status).toBe(200);
  const query = pusher.createSignedQueryString({ method: 'GET', path: '/apps/1/channels' });
  const refused = await fetch(`http://127.0.0.1:${port}/apps/1/channels?${query}`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '30']);
  await expect(pusher.terminateUserConnections('ana')).rejects.toMatchObject({ status: 403 });
  expect([relayed.length, asked.length]).toEqual([2, 1]);
});

test('RT-2 A24 a stranger is refused before any of the body is there, and costs the application none of its rate', async () => {
  for (let n = 0; n < 5; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /apps/1/events?auth_key=kitchen HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
    socket.destroy();
  }
  expect((await pusher.trigger('bar', 'one', 1)).status).toBe(200);
});

test('RT-2 what fails here is 500 and says nothing of why', async () => {
  await expect(pusher.terminateUserConnections('nobody')).rejects.toMatchObject({
    status: 500,
    body: 'The server could not answer.',
  });
  expect(relayed).toEqual(['nobody']);
});
