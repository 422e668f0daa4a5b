import type { FastifyInstance } from 'fastify';

const PORTS_TO_TRY = 20;

/** Listens on the port, or where that is taken and `mayMove` is set on the next free one. Resolves to the port. */
export async function listen(
  app: FastifyInstance,
  { host, port, mayMove }: { host: string; port: number; mayMove: boolean },
): Promise<number> {
  for (let candidate = port; ; candidate++) {
    try {
      await app.listen({ host, port: candidate });
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : candidate;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || !mayMove || candidate >= port + PORTS_TO_TRY) throw error;
    }
  }
}
