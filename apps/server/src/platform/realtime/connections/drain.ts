import type { Hub } from '#/platform/realtime/channels/hub.ts';

const stepMs = 50;
const handshakeMs = 1_000;

/** Sends all sockets away with 4100, evenly over `ms`, so that they don't all come back elsewhere at once. */
export function drain(hub: Hub, ms: number): Promise<void> {
  const startedAt = hub.now();
  const total = hub.registry.size;
  let closed = 0;
  return new Promise((resolve) => {
    const step = () => {
      const elapsed = hub.now() - startedAt;
      const target = elapsed >= ms ? Number.POSITIVE_INFINITY : Math.ceil((total * elapsed) / ms);
      for (const connection of hub.registry.all()) {
        if (closed >= target) break;
        hub.disconnect(connection, 4100, 'The server is going away');
        closed += 1;
      }
      if (hub.registry.size > 0 || (hub.transports.size > 0 && elapsed < ms + handshakeMs)) return;
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(step, stepMs);
    step();
  });
}
