import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ChannelWatch, type Stay, type WebhookEvent, watchChannels } from './watch-channels.ts';

let told: WebhookEvent[];
let elsewhere: Stay[];
let watch: ChannelWatch;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  told = [];
  elsewhere = [];
  watch = watchChannels({
    put: (event) => told.push(event),
    look: () => [{ name: 'presence-hall', sockets: 2, since: 7, members: [{ id: 'eva', since: 8 }] }],
    askOthers: async (channels) => elsewhere.filter(({ channel }) => channels.includes(channel)),
    graceMs: 3_000,
    mostMoves: 4,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is told after this many milliseconds more. */
async function tellAfter(ms: number): Promise<WebhookEvent[]> {
  vi.setSystemTime(Date.now() + ms);
  await watch.tell();
  return told.splice(0);
}

test('RT-5 a channel is occupied and a member added at once, and gone only after three seconds', async () => {
  watch.occupied('presence-bar');
  watch.memberAdded('presence-bar', 'ana');
  expect(await tellAfter(0)).toEqual([
    { name: 'channel_occupied', channel: 'presence-bar' },
    { name: 'member_added', channel: 'presence-bar', user_id: 'ana' },
  ]);
  watch.memberRemoved('presence-bar', { id: 'ana', since: 5 });
  watch.vacated('presence-bar', 5);
  expect(await tellAfter(2_999)).toEqual([]);
  expect(await tellAfter(1)).toEqual([
    { name: 'member_removed', channel: 'presence-bar', user_id: 'ana' },
    { name: 'channel_vacated', channel: 'presence-bar' },
  ]);
  expect(await tellAfter(10_000)).toEqual([]);
});

test('RT-5 a page that is loaded anew has neither left nor come', async () => {
  watch.occupied('presence-bar');
  watch.memberAdded('presence-bar', 'ana');
  await tellAfter(0);
  watch.memberRemoved('presence-bar', { id: 'ana', since: 5 });
  watch.vacated('presence-bar', 5);
  await tellAfter(2_000);
  watch.occupied('presence-bar');
  watch.memberAdded('presence-bar', 'ana');
  expect(await tellAfter(10_000)).toEqual([]);
});

test('RT-5 the grace of one member says nothing of another, or of another channel', async () => {
  watch.memberRemoved('presence-bar', { id: 'ana', since: 5 });
  watch.memberAdded('presence-bar', 'ben');
  watch.memberAdded('presence-kitchen', 'ana');
  const added = await tellAfter(3_000);
  expect(added.map(({ name, ...of }) => [name, Object.values(of).join(' ')])).toEqual([
    ['member_added', 'presence-bar ben'],
    ['member_added', 'presence-kitchen ana'],
    ['member_removed', 'presence-bar ana'],
  ]);
});

test('RT-5 of several servers the first that somebody comes to tells of it', async () => {
  const stay = (since: number, wentAt: number | null = null) => ({
    channel: 'presence-bar',
    memberId: 'ana',
    since,
    wentAt,
  });
  const addedIf = async (other: Stay) => {
    elsewhere = [other];
    watch.memberAdded('presence-bar', 'ana');
    watch.memberAdded('presence-bar', 'ben');
    return (await tellAfter(1)).map((event) => 'user_id' in event && event.user_id);
  };
  expect(await addedIf(stay(Date.now() - 1))).toEqual(['ben']);
  expect(await addedIf(stay(Date.now() + 1))).toEqual(['ana', 'ben']);
  // A page that is loaded anew, from another server: there they are gone, which is not told yet.
  expect(await addedIf(stay(Date.now() - 9, Date.now() - 1))).toEqual(['ben']);
  expect(await addedIf({ ...stay(Date.now() - 9), memberId: null })).toEqual(['ana', 'ben']);
});

test('RT-5 of several servers the last that somebody leaves tells of it', async () => {
  const stay = (wentAt: number | null) => ({ channel: 'bar', memberId: null, since: 5, wentAt });
  const vacatedIf = async (other: Stay) => {
    elsewhere = [other];
    watch.vacated('bar', 5);
    return (await tellAfter(3_000)).length === 1;
  };
  expect(await vacatedIf(stay(null))).toBe(false);
  expect(await vacatedIf(stay(Date.now() + 1))).toBe(false);
  expect(await vacatedIf(stay(Date.now() - 1))).toBe(true);
});

test('RT-5 the others are told who is here, and who has gone of whom nothing is told yet', () => {
  watch.vacated('presence-bar', 5);
  watch.vacated('kitchen', 5);
  expect(watch.stays(['presence-hall', 'presence-bar'])).toEqual([
    { channel: 'presence-hall', memberId: null, since: 7, wentAt: null },
    { channel: 'presence-hall', memberId: 'eva', since: 8, wentAt: null },
    { channel: 'presence-bar', memberId: null, since: 5, wentAt: 1_000_000 },
  ]);
});

test('RT-5 who comes back while the others are asked has not gone', async () => {
  watch.vacated('bar', 5);
  vi.setSystemTime(Date.now() + 3_000);
  const telling = watch.tell();
  watch.occupied('bar');
  await telling;
  expect(told).toEqual([]);
});

test('RT-5 A43 no more is kept than was said: the oldest that waits is told early', async () => {
  for (const n of [1, 2, 3, 4, 5, 6]) watch.vacated(`bar-${n}`, 5);
  expect(told.map(({ channel }) => channel)).toEqual(['bar-1', 'bar-2']);
  told = [];
  expect((await tellAfter(3_000)).map(({ channel }) => channel)).toEqual(['bar-3', 'bar-4', 'bar-5', 'bar-6']);
});

test('RT-5 at the end all that waits is told', async () => {
  watch.vacated('bar', 5);
  watch.occupied('kitchen');
  watch.vacated('kitchen', 5);
  await watch.tell(true);
  expect(told.map(({ name, channel }) => `${name} ${channel}`)).toEqual([
    'channel_occupied kitchen',
    'channel_vacated bar',
    'channel_vacated kitchen',
  ]);
});

test('RT-5 a client event, a cache miss and a count are told as they are', () => {
  const sent = { channel: 'presence-bar', event: 'client-nod', text: '{"to":"ben"}', socketId: '1.2' };
  watch.clientEvent({ ...sent, memberId: 'ana' });
  watch.clientEvent({ ...sent, channel: 'private-bar', memberId: null });
  watch.cacheMissed('cache-menu');
  watch.counted('private-bar', 3);
  const common = { name: 'client_event', event: 'client-nod', data: '{"to":"ben"}', socket_id: '1.2' };
  expect(told).toEqual([
    { ...common, channel: 'presence-bar', user_id: 'ana' },
    { ...common, channel: 'private-bar' },
    { name: 'cache_miss', channel: 'cache-menu' },
    { name: 'subscription_count', channel: 'private-bar', subscription_count: 3 },
  ]);
});
