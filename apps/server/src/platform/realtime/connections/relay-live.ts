import { LIVE_EVENT } from '@wardline/contract/live.ts';
import type { Hub } from '#/platform/realtime/channels/hub.ts';
import type { Subscription } from '#/platform/realtime/channels/sockets-and-channels.ts';
import { textFrame } from '#/platform/realtime/delivery/transport.ts';
import { encodeServerFrame } from '#/platform/realtime/protocol/frames.ts';

const EVENT = `client-${LIVE_EVENT}`;

/** Whether a client event says what is live, and is looked at before it goes on. */
export function isLive(hub: Hub, event: string): boolean {
  return event === EVENT && hub.options.relayLive !== undefined;
}

/**
 * Passes on what a socket says is live, once the right to say it was read. A message says all that the device has: of those that
 * come while one is being looked at the last counts, so a flood costs one question at a time.
 */
export function relayLive(hub: Hub, subscription: Subscription, text: string): void {
  subscription.nextLive = text;
  if (subscription.isRelayingLive) return;
  subscription.isRelayingLive = true;
  relayWaiting(hub, subscription)
    // What was said is named nowhere.
    .catch((error) => hub.report(error, 'passing on what is live'))
    .finally(() => {
      subscription.isRelayingLive = false;
    });
}

async function relayWaiting(hub: Hub, subscription: Subscription): Promise<void> {
  const { connection, channel } = subscription;
  for (let text = subscription.nextLive; text !== null; text = subscription.nextLive) {
    subscription.nextLive = null;
    if (subscription.isEnded || connection.identity === null) return;
    const relay = await hub.options.relayLive?.(connection.identity, channel.name.name, text);
    // While its right is asked for anew nothing of it goes on; it says it again within seconds.
    if (!relay || subscription.isEnded || subscription.held !== null) continue;
    const { userId, data } = relay;
    for (const name of relay.channels) {
      const frame = textFrame(encodeServerFrame({ event: EVENT, channel: name, data, userId }));
      hub.spread({ channel: name, frame, except: connection.id });
    }
  }
}
