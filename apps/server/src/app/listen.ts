import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '#/platform/config/read-config.ts';

const PORTS_TO_TRY = 20;
/** A hospital comes back all at once: of new connections as many wait as the system lets (somaxconn), where Node would have 511. */
const BACKLOG = 4_096;

/** Listens on the port, or where that is taken and `mayMove` is set on the next free one. Resolves to the port. */
export async function listen(
  app: FastifyInstance,
  { host, port, mayMove }: { host: string; port: number; mayMove: boolean },
): Promise<number> {
  for (let candidate = port; ; candidate++) {
    try {
      await app.listen({ host, port: candidate, backlog: BACKLOG });
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : candidate;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (isTaken && mayMove && candidate < port + PORTS_TO_TRY) continue;
      throw (isTaken && portTaken(host, candidate)) || error;
    }
  }
}

function portTaken(host: string, port: number): ConfigError {
  return new ConfigError(
    `Port ${port} of ${host} is taken by another program: stop that one, or set PORT to a free one.`,
  );
}

/** The origin under which the server listens, for links where no public one is set; never what a request claims. */
export function listeningOrigin(server: Pick<Server, 'address'>): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen yet.');
  const { family, port } = address;
  const isWildcard = address.address === '0.0.0.0' || address.address === '::';
  const host = family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${isWildcard ? 'localhost' : host}:${port}`;
}
