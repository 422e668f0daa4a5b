import { listMessages } from '@wardline/contract/chat/chat.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '#/platform/log.ts';
import { everyNth, limitMs } from '#/testing/nightly.ts';
import { payloadOf, sampleOf, urlOf } from '#/testing/samples/contract-samples.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { watchClock } from './create-metrics.ts';
import { type MetricsServer, serveMetrics } from './serve-metrics.ts';

let world: World;
let metrics: MetricsServer;
beforeAll(async () => {
  world = await makeWorld({ isMeasured: true });
  const { metrics: measured } = world.server;
  if (measured === null) throw new Error('the server is not measured');
  metrics = await serveMetrics({ host: '127.0.0.1', port: 0, log: createLog('silent'), ...measured });
});
afterAll(async () => {
  await metrics.close();
  await world.server.close();
});

const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${metrics.port}${path}`, { method });
const scrape = async () => (await ask('/metrics')).text();
/** The values of a metric by its labels. */
const valuesOf = (text: string, name: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/i;

it(
  'OPS-9 nothing that is scraped names a person, a facility or an id, after each kind of request',
  async () => {
    for (const endpoint of [...everyNth(endpoints, 12), listMessages]) {
      const { server } = world;
      const sample = await sampleOf(world, endpoint);
      for (const actor of ['with the right', 'of another facility'] as const) {
        const client = await clientOf(world, actor);
        await client.send(endpoint.method, urlOf(endpoint, sample), payloadOf(endpoint, sample)).catch(() => undefined);
      }
      await server.app.inject({ url: `/api/facilities/${world.ours.facility.id}/${world.ours.marker}` });
    }
    const text = await scrape();
    expect(text).toContain('route="/api/chats/:chat/messages"');
    const told = [world.ours, world.theirs].flatMap(({ marker, facility, chatId, entitled, reader, member }) => [
      ...[marker, facility.id, facility.name, chatId],
      ...[entitled, reader, member].flatMap(({ id, name, email }) => [id, name, email]),
    ]);
    for (const one of told) expect(text).not.toContain(`"${one}"`);
    for (const { marker } of [world.ours, world.theirs]) expect(text).not.toContain(marker);
    expect(text).not.toMatch(UUID);
    expect(text).not.toMatch(/@|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/);
  },
  limitMs(240_000),
);

it('OPS-9 tells how long requests take by route, sockets, what is stored, what is late, and what the database and the disk have', async () => {
  const client = await clientOf(world, 'with the right');
  const before = valuesOf(await scrape(), 'wardline_http_request_duration_seconds_count');
  const label = '{method="GET",route="/api/facilities/:facility/chats",status="200"}';
  await client.send('GET', `/api/facilities/${world.ours.facility.id}/chats`);
  const socket = await openSocket(world.server);
  await world.server.db
    .insertInto('jobs')
    .values({ id: crypto.randomUUID(), kind: 'nothing', payload: '{}', run_at: new Date(Date.now() - 90_000) })
    .execute();
  await world.server.runRoles();
  const text = await scrape();
  const after = valuesOf(text, 'wardline_http_request_duration_seconds_count');
  expect(after.get(label)).toBe((before.get(label) ?? 0) + 1);
  expect(valuesOf(text, 'wardline_realtime').get('{what="sockets"}')).toBeGreaterThanOrEqual(1);
  expect(valuesOf(text, 'wardline_late_seconds').get('{kind="job"}')).toBeGreaterThanOrEqual(90);
  expect(valuesOf(text, 'wardline_late_seconds').get('{kind="escalation"}')).toBe(0);
  expect(valuesOf(text, 'wardline_jobs').get('{state="due"}')).toBeGreaterThanOrEqual(1);
  expect(valuesOf(text, 'wardline_size_bytes').get('{what="database"}')).toBeGreaterThan(1e6);
  expect(valuesOf(text, 'wardline_disk_bytes').get('{what="free"}')).toBeGreaterThan(0);
  expect(valuesOf(text, 'wardline_pool_connections').has('{state="waiting"}')).toBe(true);
  expect(valuesOf(text, 'wardline_database_up').get('')).toBe(1);
  expect(Math.abs(valuesOf(text, 'wardline_database_clock_offset_seconds').get('') ?? 99)).toBeLessThan(5);
  const beat = valuesOf(text, 'wardline_clock_heartbeat_timestamp_seconds').get('{clock="on_call_turns"}') ?? 0;
  expect(Math.abs(beat - Date.now() / 1000)).toBeLessThan(60);
  expect(valuesOf(text, 'wardline_rows').has('{table="messages"}')).toBe(true);
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  socket.close();
});

it('OPS-9 answers for metrics alone on its port', async () => {
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/api/user')).status).toBe(404);
  expect((await ask('/metrics', 'POST')).status).toBe(404);
  expect((await world.server.app.inject({ url: '/metrics' })).statusCode).toBe(404);
});

it('OPS-9 counts how often the clock of the machine was set, and not how often the process was held up', async () => {
  const register = new Registry();
  const clocks = { wall: 1_000, steady: 0 };
  const watch = watchClock(register, { wall: () => clocks.wall, steady: () => clocks.steady });
  const pass = (wall: number, steady: number) => {
    clocks.wall += wall;
    clocks.steady += steady;
    watch.look();
  };
  pass(1_000, 1_000);
  pass(30_000, 30_000);
  expect(await register.metrics()).toContain('wardline_clock_jumps_total 0');
  pass(-3_599_000, 1_000);
  pass(1_000, 1_000);
  const text = await register.metrics();
  expect(text).toContain('wardline_clock_jumps_total 1');
  expect(text).toContain('wardline_clock_last_jump_seconds -3600');
  watch.stop();
});
