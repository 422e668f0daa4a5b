import { connect, createServer, type Server, type Socket } from 'node:net';

export interface Balancer {
  readonly port: number;
  close(): Promise<void>;
}

const LOOK_MS = 250;

/**
 * Hands each new connection to the next of the servers at these ports of this machine that is ready, and to another where that one takes none, as a
 * proxy with health checks does.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>();
  const looking = setInterval(() => void look(), LOOK_MS);
  const sockets = new Set<Socket>();
  let turn = 0;

  async function look(): Promise<void> {
    await Promise.all(
      ports.map(async (port) => {
        if (await isReady(port)) ready.add(port);
        else ready.delete(port);
      }),
    );
  }

  function serve(client: Socket, left: number[]): void {
    const port = left.shift();
    if (port === undefined) {
      client.destroy();
      return;
    }
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const onRefused = () => serve(client, left);
    server.once('error', onRefused);
    server.once('connect', () => {
      server.off('error', onRefused);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          sockets.delete(from);
          to.end();
        });
        from.pipe(to);
      }
    });
  }

  const balancer = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => {});
    const next = turn++;
    const inTurn = ports.map((_, n) => ports[(next + n) % ports.length] ?? 0);
    serve(
      client,
      inTurn.toSorted((a, b) => Number(ready.has(b)) - Number(ready.has(a))),
    );
  });
  await look();
  return {
    port: await listenOf(balancer),
    async close() {
      clearInterval(looking);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => balancer.close(resolve));
    },
  };
}

/** Whether the server at the port says that it takes requests. */
export async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

function listenOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
