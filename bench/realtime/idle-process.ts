import { type ServerKind, serverKinds } from './cases.ts';
import { Receiver } from './receiver.ts';

// Sockets that are opened and then say nothing: kind of server, its port, how many.
const [name, port, count] = process.argv.slice(2);
const kind = serverKinds.find((candidate) => candidate === name);
if (kind === undefined) throw new Error(`No such server: ${name}`);
process.on('disconnect', () => process.exit());
await open(kind);
process.send?.('open');

async function open(serverKind: ServerKind): Promise<void> {
  const sockets: Receiver[] = [];
  for (let n = 0; n < Number(count); n += 1) {
    sockets.push(new Receiver(Number(port), serverKind, () => {}));
    if (n % 100 === 99) await Promise.all(sockets.map(({ joined }) => joined));
  }
  await Promise.all(sockets.map(({ joined }) => joined));
}
