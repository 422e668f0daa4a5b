import type { Hub } from '#/platform/realtime/channels/hub.ts';
import type { Admission } from '#/platform/realtime/channels/options.ts';
import type { Connection, Subscription } from '#/platform/realtime/channels/sockets-and-channels.ts';
import { Batch } from '#/platform/realtime/delivery/batch.ts';
import { needsAuth } from '#/platform/realtime/protocol/channel-name.ts';

export type RecheckFilter = {
  /** Only the sockets of this person. */
  userId?: string;
  /** Only the channels whose name passes. */
  channels?: (channelName: string) => boolean;
};

const graceAfterFailureMs = 5_000;
const retryMs = 2_000;

/**
 * Asks again for the right behind every matching subscription and ends the refused ones. From this call on the events
 * of those subscriptions are held back until the answer is there, so that nothing reaches somebody whose right has ended.
 */
export async function recheck(hub: Hub, filter: RecheckFilter): Promise<void> {
  const connections = filter.userId === undefined ? [...hub.registry.all()] : hub.registry.ofUser(filter.userId);
  const matching = connections.flatMap((connection) =>
    [...connection.subscriptions.values()].filter(
      ({ channel }) => needsAuth(channel.name.kind) && (filter.channels?.(channel.name.name) ?? true),
    ),
  );
  for (const subscription of matching) {
    if (subscription.held !== null) continue;
    subscription.held = new Batch();
    subscription.heldFrom = hub.fanOut.nextOrder;
  }
  await eachOf(matching, hub.limits.recheckConcurrency, async (subscription) => {
    const isAnswered = await check(hub, subscription);
    if (isAnswered) return;
    const now = hub.now();
    subscription.dueAt = now;
    subscription.deadline = Math.min(subscription.deadline, now + graceAfterFailureMs);
  });
}

/** Sets when a right that was read at `readAt` must be read again: early enough to try more than once. */
export function scheduleCheck(hub: Hub, subscription: Subscription, readAt: number): void {
  subscription.dueAt = readAt + 0.75 * hub.limits.recheckMs;
  subscription.deadline = readAt + hub.limits.recheckMs;
}

/** Rereads the rights that are due. Closes the sockets whose rights could not be read in time. */
export function recheckDue(hub: Hub, now: number): Promise<void> {
  const due: Subscription[] = [];
  for (const connection of hub.registry.all()) {
    for (const subscription of connection.subscriptions.values()) {
      if (now >= subscription.deadline) {
        hub.disconnect(connection, 4100, 'The right to a channel could not be checked');
        break;
      }
      if (now >= subscription.dueAt && !subscription.isBeingChecked) due.push(subscription);
    }
  }
  for (const subscription of due) subscription.isBeingChecked = true;
  return eachOf(due, hub.limits.recheckConcurrency, async (subscription) => {
    const isAnswered = await check(hub, subscription);
    subscription.isBeingChecked = false;
    if (!isAnswered) subscription.dueAt = hub.now() + retryMs;
  });
}

/** Asks in one go which of the sessions that are due still live, and closes the sockets of the others with 4009. */
export async function recheckSessions(hub: Hub, now: number): Promise<void> {
  const due: Connection[] = [];
  for (const connection of hub.registry.all()) {
    if (connection.identity === null) continue;
    if (now >= connection.sessionDeadline) hub.disconnect(connection, 4100, 'The session could not be checked');
    else if (now >= connection.sessionDueAt) due.push(connection);
  }
  if (due.length === 0) return;
  for (const connection of due) connection.sessionDueAt = now + retryMs;
  const keys = new Set(due.flatMap(({ identity }) => (identity === null ? [] : [identity.sessionKey])));
  try {
    const alive = await hub.options.liveSessions([...keys]);
    for (const connection of due) {
      if (alive.has(connection.identity?.sessionKey ?? '')) {
        connection.sessionDueAt = connection.identity?.isWatched ? now : now + 0.75 * hub.limits.recheckMs;
        connection.sessionDeadline = now + hub.limits.recheckMs;
      } else {
        hub.disconnect(connection, 4009, 'The session has ended');
      }
    }
  } catch (error) {
    hub.report(error, 'asking which sessions are alive');
  }
}

/** False if the right could not be read. */
async function check(hub: Hub, subscription: Subscription): Promise<boolean> {
  const { connection, channel } = subscription;
  const { authorize } = hub.options;
  if (subscription.isEnded || connection.identity === null || authorize === 'by signature') return true;
  const readAt = hub.now();
  try {
    const isAllowed = await authorize(connection.identity, channel.name.name);
    if (subscription.isEnded) return true;
    if (!isAllowed) revoke(hub, subscription);
    else if (narrow(subscription, isAllowed)) keep(hub, subscription, readAt);
    else cut(hub, subscription);
    return true;
  } catch (error) {
    hub.report(error, 'checking the right to a channel again');
    return false;
  }
}

/** Notes what the socket is not told of. False where that is more than before: among what was held back may be some of it. */
function narrow(subscription: Subscription, admission: true | Admission): boolean {
  const { without } = subscription;
  subscription.without = withoutOf(admission);
  return [...subscription.without].every((about) => without.has(about));
}

export function withoutOf(admission: true | Admission): ReadonlySet<string> {
  return admission === true ? new Set() : admission.without;
}

/** The right goes on. What was held back for the question is let go, unless the socket is still waiting to be let in. */
function keep(hub: Hub, subscription: Subscription, readAt: number): void {
  scheduleCheck(hub, subscription, readAt);
  if (subscription.held === null || hub.waiting.has(subscription)) return;
  if (subscription.hasMissedEvents) hub.disconnect(subscription.connection, 4100, 'Too many events while checking');
  else hub.fanOut.release(subscription, []);
}

/** That something is closed from now on was published before: the socket is told it, and nothing that came after. */
function cut(hub: Hub, subscription: Subscription): void {
  hub.fanOut.sendEarlier(subscription);
  hub.disconnect(subscription.connection, 4100, 'The rights of this session have changed');
}

function revoke(hub: Hub, subscription: Subscription): void {
  hub.leave(subscription);
  hub.refuseSubscription(subscription.connection, subscription.channel.name.name, {
    type: 'AuthError',
    error: 'You may no longer read this channel',
    status: 403,
  });
}

async function eachOf<T>(items: T[], concurrency: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
