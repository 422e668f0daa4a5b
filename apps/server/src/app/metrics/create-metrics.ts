import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolState } from '#/platform/db/database.ts';
import type { GatewayStats } from '#/platform/realtime/connections/gateway.ts';

/** When each clock of this process last looked for work, in ms since 1970; null where it has not yet. */
export type Heartbeats = Readonly<Record<string, () => number | null>>;

interface ProcessDeps {
  readonly stats: () => GatewayStats;
  readonly pool: () => PoolState | null;
  readonly heartbeats: Heartbeats;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const NS = 1e9;

/** What this process knows of itself: memory, event loop, sockets, the pool of connections, and when its clocks last looked. */
export function createMetrics({ stats, pool, heartbeats }: ProcessDeps): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 10 });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  new Gauge({
    name: 'wardline_event_loop_lag_max_seconds',
    help: 'The longest that the event loop was held up since it was asked last.',
    registers: [register],
    collect() {
      this.set(delay.max / NS);
      delay.reset();
    },
  });
  new Gauge({
    name: 'wardline_realtime',
    help: 'Sockets, channels and subscriptions of this process, and bytes that wait to be written to sockets.',
    labelNames: ['what'],
    registers: [register],
    collect() {
      const { sockets, channels, subscriptions, queuedBytes } = stats();
      for (const [what, value] of Object.entries({ sockets, channels, subscriptions, queued_bytes: queuedBytes })) {
        this.set({ what }, value);
      }
    },
  });
  new Gauge({
    name: 'wardline_pool_connections',
    help: 'Connections to the database, and requests that wait for one.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      for (const [state, value] of Object.entries(pool() ?? {})) this.set({ state }, value);
    },
  });
  new Gauge({
    name: 'wardline_clock_heartbeat_timestamp_seconds',
    help: 'When a clock of this process last looked for work.',
    labelNames: ['clock'],
    registers: [register],
    collect() {
      for (const [clock, lookedAt] of Object.entries(heartbeats)) {
        const at = lookedAt();
        if (at !== null) this.set({ clock }, at / 1000);
      }
    },
  });
  return register;
}

/**
 * How long requests take, by the pattern of their route and never by their address, which has ids. What is no route of ours is one line:
 * whoever tries addresses makes no new ones.
 */
export function measureRequests(app: FastifyInstance, register: Registry): void {
  const durations = new Histogram({
    name: 'wardline_http_request_duration_seconds',
    help: 'How long requests took until the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [register],
  });
  app.addHook('onResponse', async (request, reply) => {
    const pattern = request.is404 ? undefined : request.routeOptions.url;
    const route = pattern === undefined ? 'none' : isProgram(pattern) ? pattern : 'page or file';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
}

/** Pages and files of the build have an address each. */
function isProgram(pattern: string): boolean {
  return /^\/(?:api|user|sanctum|broadcasting|scim|storage|verify-email|email|_img|icons)\/|^\/(?:login|logout|register|up|ready|two-factor-challenge|config\.json)$/.test(
    pattern,
  );
}

const EVERY_MS = 1_000;
/** A process that was held up is late, and both its clocks are; beyond this they disagree. */
const JUMP_MS = 500;

interface Clocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

export interface ClockWatch {
  /** Compares once more. */
  look(): void;
  stop(): void;
}

/** Counts how often the machine's clock was set while this process ran, and by how much the last time. */
export function watchClock(
  register: Registry,
  { wall, steady }: Clocks = { wall: Date.now, steady: () => performance.now() },
): ClockWatch {
  const jumps = new Counter({
    name: 'wardline_clock_jumps_total',
    help: 'How often the clock of this machine was set by more than half a second.',
    registers: [register],
  });
  const last = new Gauge({
    name: 'wardline_clock_last_jump_seconds',
    help: 'By how much the clock was set last; negative where it went back.',
    registers: [register],
  });
  let before = wall() - steady();
  const look = () => {
    const now = wall() - steady();
    if (Math.abs(now - before) > JUMP_MS) {
      jumps.inc();
      last.set((now - before) / 1000);
    }
    before = now;
  };
  const every = setInterval(look, EVERY_MS).unref();
  return { look, stop: () => clearInterval(every) };
}
