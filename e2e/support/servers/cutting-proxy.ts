import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy in front of the server with two faults: it can cut the network, open sockets included, and it can swallow
 * the answer to a request whose first bytes it has seen come back, which is what a device sees when the server dies
 * between commit and answer.
 */
export interface CuttingProxy {
  readonly baseUrl: string;
  /** From now on: the next answer whose request matched is withheld, `onCut` runs, all connections break. */
  cutNextAnswer(matching: RegExp, onCut: () => void): void;
  /** Breaks every connection and refuses new ones until `restore`. */
  sever(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isSevered = false;
  let cut: { matching: RegExp; onCut: () => void } | null = null;

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((near) => {
    if (isSevered) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    let armed: { onCut: () => void } | null = null;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => {
      if (cut?.matching.test(bytes.toString('latin1'))) {
        armed = cut;
        cut = null;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (armed === null) {
        near.write(bytes);
        return;
      }
      armed.onCut();
      armed = null;
      breakAll();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.');

  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    cutNextAnswer(matching, onCut) {
      cut = { matching, onCut };
    },
    sever() {
      isSevered = true;
      breakAll();
    },
    restore() {
      isSevered = false;
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
