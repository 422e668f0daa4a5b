import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPushSender, type PushTarget } from './push-sender.ts';
import { startPushService, type TestPushService } from './testing/push-service.ts';
import { createVapid, readVapidKey } from './vapid.ts';

const KEY = readVapidKey(Buffer.from('an app key that is only for tests, 32+'), null);
const vapid = createVapid(KEY, { contact: 'mailto:operator@ward.test' });
const MESSAGE = { payload: { type: 'test', id: '' }, ttlS: 60, urgency: 'high' } as const;

let service: TestPushService;
beforeAll(async () => {
  service = await startPushService(() => vapid.publicKey);
});
beforeEach(() => service.answer(201));
afterAll(() => service.close());

function target(): PushTarget {
  const { endpoint, keys } = service.subscribe();
  return { endpoint, p256dh: Buffer.from(keys.p256dh, 'base64url'), auth: Buffer.from(keys.auth, 'base64url') };
}

const sender = () => createPushSender({ vapid, hosts: [], world: service.world });

it('CHAT-16 is taken by a service that checks the token, the key and the text', async () => {
  expect(await sender().send(target(), MESSAGE)).toEqual({ outcome: 'accepted' });
  expect(service.received.at(-1)).toMatchObject({ payload: MESSAGE.payload, ttl: 60, urgency: 'high', topic: null });
  const other = createVapid(readVapidKey(Buffer.from('another app key, also only for tests'), null), { contact: 'x' });
  const stranger = createPushSender({ vapid: other, hosts: [], world: service.world });
  expect(await stranger.send(target(), MESSAGE)).toEqual({ outcome: 'refused', status: 403 });
});

it.each([
  [404, { outcome: 'gone' }],
  [410, { outcome: 'gone' }],
  [413, { outcome: 'refused', status: 413 }],
  [429, { outcome: 'later', afterS: 60 }],
  [
    { status: 429, headers: { 'retry-after': '90' } },
    { outcome: 'later', afterS: 90 },
  ],
  [
    { status: 503, headers: { 'retry-after': '999999' } },
    { outcome: 'later', afterS: 3600 },
  ],
  // Wherever a redirect leads, nobody goes there.
  [
    { status: 307, headers: { location: 'https://127.0.0.1/' } },
    { outcome: 'refused', status: 307 },
  ],
])('CHAT-16 A37 reads the answer %o', async (answer, outcome) => {
  service.answer(answer);
  expect(await sender().send(target(), MESSAGE)).toEqual(outcome);
});

it('CHAT-16 a date in Retry-After is one of the future', async () => {
  service.answer({ status: 429, headers: { 'retry-after': new Date(Date.now() + 600_000).toUTCString() } });
  const answer = await sender().send(target(), MESSAGE);
  expect(answer).toMatchObject({ outcome: 'later' });
  expect(answer.outcome === 'later' && Math.abs(answer.afterS - 600)).toBeLessThan(5);
});

it('CHAT-16 a service that fails is asked again', async () => {
  service.answer(502);
  await expect(sender().send(target(), MESSAGE)).rejects.toThrow('the push service answered 502');
});

it('A37 sends nowhere but to push services that are known or named, and not to a private address under such a name', async () => {
  const given = { ...target(), endpoint: 'https://push.hospital.example/x' };
  expect(await sender().send(given, MESSAGE)).toEqual({ outcome: 'gone' });
  const named = createPushSender({ vapid, hosts: ['*.hospital.example'] });
  expect(['push', 'a.b'].map((host) => named.isAllowed(`https://${host}.hospital.example/x`))).toEqual([true, true]);
  const refused = [
    'https://hospital.example/x',
    'https://push.hospital.example.evil.test/x',
    'http://push.hospital.example/x',
  ];
  expect(refused.filter((endpoint) => named.isAllowed(endpoint))).toEqual([]);
  const world = {
    ...service.world,
    request: (await import('node:https')).request,
    resolve: async () => [{ address: '10.0.0.7', family: 4 }],
    isPublic: (address: string) => !address.startsWith('10.'),
  };
  const inside = createPushSender({ vapid, hosts: [], world });
  await expect(inside.send(target(), MESSAGE)).rejects.toMatchObject({ failure: 'forbidden' });
});

it('CHAT-16 the key is the same after every start, another for another installation, and can be given', () => {
  const again = createVapid(readVapidKey(Buffer.from('an app key that is only for tests, 32+'), null), {
    contact: 'x',
  });
  expect(again.publicKey).toBe(vapid.publicKey);
  expect(vapid.publicKey).toMatch(/^[\w-]{87}$/);
  // RFC 8291, appendix A: the pair of the server.
  const given = readVapidKey(Buffer.alloc(0), 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw');
  const pair = createVapid(given, { contact: 'x' });
  expect(pair.publicKey).toBe(
    'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  );
});

it('CHAT-16 a token is used for hours and made anew before it ends', () => {
  let now = Date.now();
  const clocked = createVapid(KEY, { contact: 'x', now: () => now });
  const url = new URL('https://updates.push.services.mozilla.com/x');
  const first = clocked.authorization(url);
  now += 10 * 3_600_000;
  expect(clocked.authorization(url)).toBe(first);
  expect(clocked.authorization(new URL('https://fcm.googleapis.com/x'))).not.toBe(first);
  now += 3_600_000 + 1000;
  expect(clocked.authorization(url)).not.toBe(first);
});
