import { createHistogram } from 'node:perf_hooks';
import { nowUs, type ServerKind, serverKinds } from './cases.ts';
import { Receiver } from './receiver.ts';

export type Arrived = { delivered: number; p50Ms: number; p99Ms: number; maxMs: number };

/** Looking into a frame costs more than counting it, and shows the same of one socket in so many. */
const LOOKED_AT_EACH = 20;

// Subscribers of a server: its kind, its port, how many. Whatever message comes asks for what has arrived since the last one.
const [name, port, count] = process.argv.slice(2);
const kind = serverKinds.find((candidate) => candidate === name);
if (kind === undefined) throw new Error(`No such server: ${name}`);
let delivered = 0;
const took = createHistogram();
process.on('disconnect', () => process.exit());
process.on('message', () => {
  const ms = (us: number) => Math.round(us / 10) / 100;
  const arrived: Arrived = {
    ...{ delivered, maxMs: ms(took.max) },
    ...{ p50Ms: ms(took.percentile(50)), p99Ms: ms(took.percentile(99)) },
  };
  process.send?.(arrived);
  delivered = 0;
  took.reset();
});
await open(kind);
process.send?.('open');

async function open(serverKind: ServerKind): Promise<void> {
  const receivers: Receiver[] = [];
  for (let n = 0; n < Number(count); n += 1) {
    const receiver = new Receiver(Number(port), serverKind, (frames) => {
      delivered += frames;
    });
    receivers.push(receiver);
    if (n % 100 === 99) await Promise.all(receivers.map(({ joined }) => joined));
  }
  await Promise.all(receivers.map(({ joined }) => joined));
  for (const { socket } of receivers.filter((_, n) => n % LOOKED_AT_EACH === 0)) socket.on('data', look);
}

/** The number of a broadcast is when it was due. One that is cut in two is looked at by another socket. */
function look(bytes: Buffer): void {
  const now = nowUs();
  for (const [, dueAt] of bytes.toString('latin1').matchAll(/seq\\?":(\d+),/g)) {
    took.record(Math.max(1, now - Number(dueAt)));
  }
}
