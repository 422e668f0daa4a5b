import http from 'node:http';
import type https from 'node:https';
import type { AddressInfo } from 'node:net';
import PusherServer from 'pusher';
import PusherClient from 'pusher-js';
import nacl from 'tweetnacl';
import type { OutboundWorld } from '#/platform/http/outbound.ts';
import type { TestServer } from '#/testing/test-server.ts';

/** An application that uses a test server as its Pusher: the settings that let it. */
export const PUSHER_APP = { id: '4711', key: 'kitchen', secret: 'a secret of the kitchen, 32 or more', webhooks: [] };

const MASTER_KEY = Buffer.alloc(32, 'of the kitchen').toString('base64');

/** The library with which the application's back end speaks to Pusher. */
export function backEndOf({ baseUrl }: Pick<TestServer, 'baseUrl'>): PusherServer {
  const { hostname, port } = new URL(baseUrl);
  const { id: appId, key, secret } = PUSHER_APP;
  return new PusherServer({ appId, key, secret, host: hostname, port, encryptionMasterKeyBase64: MASTER_KEY });
}

/** A page of the application, on which this user is; its back end signs what it asks for. To be disconnected. */
export function openPage(server: Pick<TestServer, 'baseUrl'>, userId: string): PusherClient {
  const { hostname, port } = new URL(server.baseUrl);
  const backEnd = backEndOf(server);
  return new PusherClient(PUSHER_APP.key, {
    ...{ cluster: '', wsHost: hostname, wsPort: Number(port), forceTLS: false, enabledTransports: ['ws'], nacl },
    channelAuthorization: {
      ...{ endpoint: '', transport: 'ajax' },
      customHandler: ({ socketId, channelName }, done) => {
        const member = channelName.startsWith('presence-') ? { user_id: userId } : undefined;
        done(null, backEnd.authorizeChannel(socketId, channelName, member) as Parameters<typeof done>[1]);
      },
    },
    userAuthentication: {
      ...{ endpoint: '', transport: 'ajax' },
      customHandler: ({ socketId }, done) => done(null, backEnd.authenticateUser(socketId, { id: userId })),
    },
  });
}

/** An event that the application was told. */
export interface ToldEvent {
  readonly name: string;
  readonly channel: string;
}

export interface WebhookReceiver {
  /** For a server: every address of the Internet is this one. */
  readonly world: OutboundWorld;
  /** Which addresses were asked. */
  readonly asked: readonly string[];
  /** What was told so far. Throws where the library finds a webhook that is not valid. */
  told(): ToldEvent[];
  close(): Promise<void>;
}

/** Where the application's webhooks arrive. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: PusherServer.WebHookRequest[] = [];
  const asked: string[] = [];
  const receiver = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, rawBody: String(Buffer.concat(chunks)) });
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const verifier = backEndOf({ baseUrl: 'http://127.0.0.1' });
  return {
    asked,
    world: {
      request(url, options) {
        asked.push(url.href);
        const there = { ...options, host: '127.0.0.1', port, path: url.pathname };
        return http.request(there) as ReturnType<typeof https.request>;
      },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isPublic: () => true,
    },
    told: () =>
      received.flatMap((request) => {
        const webhook = verifier.webhook(request);
        if (!webhook.isValid()) throw new Error(`a webhook is not valid: ${request.rawBody}`);
        return webhook.getEvents();
      }),
    close() {
      receiver.closeAllConnections();
      return new Promise((resolve) => receiver.close(() => resolve()));
    },
  };
}
