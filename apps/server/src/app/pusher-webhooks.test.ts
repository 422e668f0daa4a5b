import type Pusher from 'pusher-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { once } from '#/platform/realtime/testing/gateway.ts';
import {
  openPage,
  PUSHER_APP,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#/testing/counterparts/pusher-application.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

const ADDRESS = 'https://app.hospital.example/pusher';

let server: TestServer;
let receiver: WebhookReceiver;
let ana: Pusher;

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  server = await startTestServer({ pusherApp: { ...PUSHER_APP, webhooks: [ADDRESS] }, webhookWorld: receiver.world });
  ana = openPage(server, 'ana');
});
afterEach(async () => {
  ana.disconnect();
  await server.close();
  await receiver.close();
});

const untilTold = (event: object) => vi.waitFor(() => expect(receiver.told()).toContainEqual(event), 15_000);

test('RT-5 the application is told who comes and goes, what they say and what is not known any more', async () => {
  const [bar, menu] = [ana.subscribe('presence-bar'), ana.subscribe('cache-menu')];
  await Promise.all([once(bar, 'pusher:subscription_succeeded'), once(menu, 'pusher:cache_miss')]);
  bar.trigger('client-nod', { to: 'ben' });
  await untilTold({ name: 'channel_occupied', channel: 'presence-bar' });
  await untilTold({ name: 'member_added', channel: 'presence-bar', user_id: 'ana' });
  await untilTold({ name: 'cache_miss', channel: 'cache-menu' });
  await untilTold({ name: 'subscription_count', channel: 'cache-menu', subscription_count: 1 });
  await untilTold({
    ...{ name: 'client_event', channel: 'presence-bar', event: 'client-nod', data: '{"to":"ben"}' },
    ...{ socket_id: ana.connection.socket_id, user_id: 'ana' },
  });
  expect(receiver.told().map(({ name }) => name)).not.toContain('channel_vacated');
  ana.disconnect();
  await untilTold({ name: 'member_removed', channel: 'presence-bar', user_id: 'ana' });
  await untilTold({ name: 'channel_vacated', channel: 'presence-bar' });
  expect(new Set(receiver.asked)).toEqual(new Set([ADDRESS]));
});

test('RT-5 at the end of the server what was left is told before it is gone', async () => {
  await once(ana.subscribe('presence-bar'), 'pusher:subscription_succeeded');
  await server.close();
  expect(receiver.told()).toContainEqual({ name: 'channel_vacated', channel: 'presence-bar' });
  server = await startTestServer();
});
