import PusherServer from 'pusher';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Outbound, OutboundError, type OutboundPost } from '#/platform/http/outbound.ts';
import { createLog, type Log } from '#/platform/log.ts';
import { WebhookQueue } from './webhook-queue.ts';

const app = { key: 'kitchen', secret: 'a secret of the kitchen' };
const pusher = new PusherServer({ appId: '1', ...app, host: 'unused' });

let posts: OutboundPost[];
let answers: (number | OutboundError)[];
let warnings: { text: string; about: unknown }[];
let queue: WebhookQueue;

beforeEach(() => {
  posts = [];
  answers = [];
  warnings = [];
  queue = make();
});
afterEach(() => {
  vi.useRealTimers();
});

function make(mostBytes = 10_000, backOffMs = [1, 1, 1]): WebhookQueue {
  const outbound: Pick<Outbound, 'post'> = {
    async post(_url, post) {
      posts.push(post);
      const answer = answers.shift() ?? 200;
      if (answer instanceof Error) throw answer;
      return { status: answer, retryAfter: null };
    },
  };
  const warn = (about: unknown, text: string) => void warnings.push({ about, text });
  const log: Log = Object.assign(createLog('silent'), { warn });
  const url = new URL('https://app.hospital.example/pusher?token=hidden');
  return new WebhookQueue({ app, url, outbound: outbound as Outbound, log, mostBytes, backOffMs });
}

const missed = (n: number) => ({ name: 'cache_miss', channel: `cache-${n}` }) as const;

/** The events of a webhook that the Pusher library finds valid. */
function eventsOf({ headers, body }: OutboundPost): string[] {
  const webhook = pusher.webhook({ headers, rawBody: String(body) });
  expect(webhook.isValid()).toBe(true);
  expect(Math.abs(webhook.getTime().getTime() - Date.now())).toBeLessThan(60_000);
  return webhook.getEvents().map(({ channel }) => channel);
}

const untilPosted = (count: number) => vi.waitFor(() => expect(posts).toHaveLength(count));

test('RT-5 what waits is one signed batch of a hundred at most, in order', async () => {
  for (let n = 0; n < 150; n++) queue.put(missed(n));
  queue.send();
  await untilPosted(2);
  expect(posts.map((post) => eventsOf(post).length)).toEqual([100, 50]);
  expect(posts.flatMap(eventsOf)).toEqual(Array.from({ length: 150 }, (_, n) => `cache-${n}`));
});

test('RT-5 A13 a webhook that was changed on its way is not valid, and neither is one of another secret', async () => {
  queue.put(missed(1));
  queue.send();
  await untilPosted(1);
  const { headers = {}, body } = posts[0] ?? {};
  const changed = String(body).replace('cache-1', 'cache-2');
  expect(pusher.webhook({ headers, rawBody: changed }).isValid()).toBe(false);
  const other = new PusherServer({ appId: '1', key: app.key, secret: 'another', host: 'unused' });
  expect(other.webhook({ headers, rawBody: String(body) }).isValid()).toBe(false);
});

test('RT-5 what is not taken is sent again as it was, and what came meanwhile comes after it', async () => {
  answers = [500, new OutboundError('unreachable'), 204];
  queue.put(missed(1));
  queue.send();
  queue.put(missed(2));
  await untilPosted(4);
  expect(posts.map(eventsOf)).toEqual([['cache-1'], ['cache-1'], ['cache-1'], ['cache-2']]);
  expect(posts[2]?.body).toEqual(posts[0]?.body);
  expect(warnings).toEqual([]);
});

test('RT-5 R23 after all tries a batch is given up and the next one is sent; the log names no address in full', async () => {
  answers = [500, 301, new OutboundError('forbidden'), 503];
  queue.put(missed(1));
  queue.send();
  queue.put(missed(2));
  await untilPosted(5);
  expect(eventsOf(posts[4] ?? expect.fail('nothing was posted'))).toEqual(['cache-2']);
  expect(warnings).toEqual([
    { about: { host: 'app.hospital.example', failure: 503, events: 1 }, text: 'webhooks were given up' },
  ]);
});

test('RT-5 A43 what waits for an address that does not answer is bounded: the oldest is lost, and the log says how many', async () => {
  const size = Buffer.byteLength(JSON.stringify(missed(1)));
  queue = make(3 * size);
  for (const n of [1, 2, 3, 4, 5]) queue.put(missed(n));
  queue.send();
  await untilPosted(1);
  expect(posts.flatMap(eventsOf)).toEqual(['cache-3', 'cache-4', 'cache-5']);
  expect(warnings).toEqual([{ about: { events: 2 }, text: 'webhooks were lost: too many waited' }]);
});

test('RT-5 at the end what waits is tried once more, and nobody waits for longer', async () => {
  queue = make(10_000, [3_600_000]);
  answers = [500, 500, 500];
  queue.put(missed(1));
  queue.send();
  await untilPosted(1);
  for (let n = 0; n < 150; n++) queue.put(missed(n));
  // The answer is there, and the next try is an hour away.
  await new Promise((resolve) => setImmediate(resolve));
  await queue.close();
  expect(posts.slice(0, 2).map(eventsOf)).toEqual([['cache-1'], ['cache-1']]);
  expect(posts).toHaveLength(3);
});
