import type { Hub } from '#/platform/realtime/channels/hub.ts';
import type { Connection } from '#/platform/realtime/channels/sockets-and-channels.ts';
import { encodeServerFrame } from '#/platform/realtime/protocol/frames.ts';
import { recheckDue, recheckSessions } from './recheck.ts';
import { giveUpWaiting } from './subscribing.ts';

/** Starts the one timer of the gateway: dead sockets, rights and sessions to ask for again, late snapshots. */
export function startSweep(hub: Hub): () => void {
  const timer = setInterval(() => {
    try {
      sweep(hub);
    } catch (error) {
      hub.report(error, 'sweeping');
    }
  }, hub.limits.sweepMs);
  timer.unref();
  return () => clearInterval(timer);
}

function sweep(hub: Hub): void {
  const now = hub.now();
  for (const connection of hub.registry.all()) closeIfDead(hub, connection, now);
  giveUpWaiting(hub, now);
  hub.tellCounts();
  const rechecks = [recheckDue(hub, now), recheckSessions(hub, now)];
  for (const done of rechecks) done.catch((error) => hub.report(error, 'checking rights again'));
}

function closeIfDead(hub: Hub, connection: Connection, now: number): void {
  if (connection.pingedAt !== null) {
    if (now - connection.pingedAt >= hub.limits.pongTimeoutMs) hub.disconnect(connection, 4201, 'Pong not received');
    return;
  }
  if (now - connection.seenAt < hub.limits.activityTimeoutMs) return;
  connection.pingedAt = now;
  hub.send(connection, encodeServerFrame({ event: 'pusher:ping', data: {} }));
}
