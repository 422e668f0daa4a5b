import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import {
  type Measured,
  nowUs,
  type Offer,
  type Offered,
  type Run,
  type ServerKind,
  type ServerOrder,
  type ServerReady,
  serverKinds,
} from './cases.ts';
import { type Broadcast, servers } from './servers.ts';

const kind = serverKinds.find((candidate) => candidate === process.argv[2]);
if (kind === undefined) throw new Error(`No such server: ${process.argv[2]}`);
await start(kind);

async function start(serverKind: ServerKind): Promise<void> {
  const server = createServer();
  const broadcast = servers[serverKind](server);
  const control = createTcpServer((socket) => runOn(socket, broadcast));
  const ready: ServerReady = { port: await listen(server), controlPort: await listen(control) };
  process.send?.(ready);
  process.on('message', (order: ServerOrder) => {
    if (order.kind === 'offer') offer(order, broadcast);
    else {
      // Without garbage, where Node was started with --expose-gc.
      globalThis.gc?.();
      process.send?.(process.memoryUsage().rss);
    }
  });
  process.on('disconnect', () => process.exit());
}

/** The first line is the run; after it, each byte says that one broadcast has reached every subscriber. */
function runOn(socket: Socket, broadcast: Broadcast): void {
  socket.setNoDelay();
  socket.on('error', () => {});
  let acknowledge: ((count: number) => void) | null = null;
  socket.on('data', (bytes) => {
    if (acknowledge === null) acknowledge = startRun(JSON.parse(String(bytes)), broadcast, socket);
    else acknowledge(bytes.length);
  });
}

function startRun(run: Run, broadcast: Broadcast, socket: Socket): (count: number) => void {
  let sent = 0;
  let acknowledged = 0;
  let from: { acknowledged: number; at: number; cpu: NodeJS.CpuUsage } | null = null;
  let isOver = false;
  const startedAt = performance.now();
  const send = (count: number) => {
    for (let n = 0; n < count; n += 1) broadcast(sent++);
  };
  send(run.inFlight);
  return (count) => {
    acknowledged += count;
    if (isOver) return;
    const now = performance.now();
    if (from === null && now - startedAt >= run.warmUpMs) {
      from = { acknowledged, at: now, cpu: process.cpuUsage() };
    } else if (from !== null && now - from.at >= run.measureMs) {
      isOver = true;
      const cpu = process.cpuUsage(from.cpu);
      const measured: Measured = {
        deliveries: (acknowledged - from.acknowledged) * run.subscribers,
        cpuMs: (cpu.user + cpu.system) / 1_000,
        wallMs: now - from.at,
      };
      process.send?.(measured);
      socket.end();
      return;
    }
    send(count);
  };
}

/** Broadcasts at a rate, whatever becomes of them; the number of each is when it was due, so that being late counts. */
function offer({ perSecond, durationMs }: Offer, broadcast: Broadcast): void {
  const startedAt = nowUs();
  const count = Math.round((perSecond * durationMs) / 1_000);
  const cpu = process.cpuUsage();
  let offered = 0;
  const timer = setInterval(() => {
    for (const now = nowUs(); offered < count; offered += 1) {
      const dueAt = startedAt + Math.round((offered * 1e6) / perSecond);
      if (dueAt > now) return;
      broadcast(dueAt);
    }
    clearInterval(timer);
    const { user, system } = process.cpuUsage(cpu);
    const done: Offered = { offered, wallMs: (nowUs() - startedAt) / 1_000, cpuMs: (user + system) / 1_000 };
    process.send?.(done);
  }, 1);
}

function listen(server: { listen(port: number, host: string, done: () => void): unknown; address(): unknown }) {
  return new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
