import type { Hub, SubscriptionRefusal } from '#/platform/realtime/channels/hub.ts';
import { type Member, type Roster, readMember } from '#/platform/realtime/channels/presence.ts';
import type { Connection, Subscription } from '#/platform/realtime/channels/sockets-and-channels.ts';
import { Batch } from '#/platform/realtime/delivery/batch.ts';
import { textFrame } from '#/platform/realtime/delivery/transport.ts';
import { type ChannelName, needsAuth } from '#/platform/realtime/protocol/channel-name.ts';
import { type ClientFrame, encodeServerFrame } from '#/platform/realtime/protocol/frames.ts';
import { verifyChannel } from '#/platform/realtime/protocol/signature.ts';
import { scheduleCheck, withoutOf } from './recheck.ts';

type SubscribeFrame = Extract<ClientFrame, { kind: 'subscribe' }>;

/** What was true at the moment of joining; the events after it follow the answer. */
type AtJoin = { roster: Roster | null; lastEvent: Buffer | null };

const notAuthorized: SubscriptionRefusal = {
  type: 'AuthError',
  error: 'The auth string for this channel and socket is missing or wrong',
  status: 401,
};

/**
 * Answers pusher:subscribe. The socket is in the channel before anything is read for it, and its events are held back
 * until the answer is out, so that no event falls between the snapshot and the first live one.
 */
export function subscribe(hub: Hub, connection: Connection, frame: SubscribeFrame): void {
  const { channel: name } = frame;
  if (connection.subscriptions.has(name.name)) {
    hub.sendError(connection, 4200, `Already subscribed to ${name.name}`);
    return;
  }
  const refusal = findRefusal(hub, connection, frame);
  if (refusal !== null) {
    hub.refuseSubscription(connection, name.name, refusal);
    return;
  }
  const member = name.kind === 'presence' ? memberOf(hub, connection, frame) : null;
  const subscription = hub.join(connection, name, member);
  const atJoin: AtJoin = {
    roster: member && hub.rosters.roster(name.name),
    lastEvent: name.cache ? hub.lastEvents.recall(name.name, hub.now()) : null,
  };
  if ((!needsAuth(name.kind) || !hub.asksPeople) && hub.options.snapshot === undefined) {
    answer(hub, subscription, atJoin, {});
    return;
  }
  subscription.held = new Batch();
  hub.waiting.add(subscription);
  settle(hub, subscription, atJoin).catch((error) => {
    hub.report(error, 'answering a subscription');
    hub.disconnect(connection, 4200, 'Internal error');
  });
}

/** Gives up on subscriptions whose snapshot or right took too long to read. Called by the sweep. */
export function giveUpWaiting(hub: Hub, now: number): void {
  for (const subscription of hub.waiting) {
    if (now - subscription.startedAt < hub.limits.snapshotTimeoutMs) continue;
    if (subscription.isAllowed) subscription.giveUp?.();
    else refuse(hub, subscription, unavailable);
  }
}

const unavailable: SubscriptionRefusal = {
  type: 'AuthError',
  error: 'The right to join could not be checked; try again',
  status: 503,
};

const forbidden: SubscriptionRefusal = { type: 'AuthError', error: 'You may not join this channel', status: 403 };

const unknownChannel: SubscriptionRefusal = { type: 'AuthError', error: 'There is no such channel', status: 404 };

function findRefusal(hub: Hub, connection: Connection, frame: SubscribeFrame): SubscriptionRefusal | null {
  const { channel: name } = frame;
  if (connection.subscriptions.size >= hub.limits.subscriptionsPerConnection) {
    return { type: 'LimitReached', error: 'Too many subscriptions on this connection', status: 4004 };
  }
  if (hub.channels.size >= hub.limits.channels && !hub.channels.has(name.name)) {
    return { type: 'LimitReached', error: 'Too many channels', status: 4004 };
  }
  if (name.kind === 'server-to-user') return connection.user?.id === name.userId ? null : notAuthorized;
  if (!needsAuth(name.kind)) return hub.options.isPublicChannel?.(name.name) ? null : unknownChannel;
  // A socket nobody is bound to could not be asked about again, so it is never let in.
  if (frame.auth === null || (hub.asksPeople && connection.identity === null)) return notAuthorized;
  const { auth, channelData } = frame;
  if (!verifyChannel(hub.options, auth, connection.id, name.name, channelData ?? undefined)) return notAuthorized;
  return name.kind === 'presence' ? findPresenceRefusal(hub, connection, frame) : null;
}

function findPresenceRefusal(hub: Hub, connection: Connection, frame: SubscribeFrame): SubscriptionRefusal | null {
  const member = memberOf(hub, connection, frame);
  if (member === null) {
    const error = `Presence needs a user_id and at most ${hub.limits.presenceInfoBytes} bytes of user_info`;
    return { type: 'AuthError', error, status: 400 };
  }
  const { name } = frame.channel;
  if (!hub.rosters.has(name, member.id) && hub.rosters.size(name) >= hub.limits.presenceMembers) {
    return { type: 'LimitReached', error: 'The presence channel is full', status: 4004 };
  }
  return null;
}

function memberOf(hub: Hub, connection: Connection, frame: SubscribeFrame): Member | null {
  return frame.channelData === null ? connection.user : readMember(frame.channelData, hub.limits.presenceInfoBytes);
}

async function settle(hub: Hub, subscription: Subscription, atJoin: AtJoin): Promise<void> {
  const startedAt = hub.now();
  const snapshot = readSnapshot(hub, subscription.channel.name);
  const verdict = await askRight(hub, subscription);
  if (subscription.isEnded) return;
  if (verdict === 'no' || verdict === 'unknown') {
    refuse(hub, subscription, verdict === 'no' ? forbidden : unavailable);
    return;
  }
  subscription.without = verdict;
  // Among what waited may be some of it; the socket comes back and catches up.
  if (verdict.size > 0 && (subscription.held?.frames.length ?? 0) > 0) subscription.hasMissedEvents = true;
  if (hub.asksPeople && needsAuth(subscription.channel.name.kind)) scheduleCheck(hub, subscription, startedAt);
  subscription.isAllowed = true;
  const gaveUp = new Promise<Record<string, unknown>>((resolve) => {
    subscription.giveUp = () => resolve({});
  });
  answer(hub, subscription, atJoin, await Promise.race([snapshot, gaveUp]));
}

/** What the socket is not told of, where it is let in. */
async function askRight(
  hub: Hub,
  { connection, channel }: Subscription,
): Promise<ReadonlySet<string> | 'no' | 'unknown'> {
  const { authorize } = hub.options;
  if (!needsAuth(channel.name.kind) || authorize === 'by signature') return new Set<string>();
  if (connection.identity === null) return 'no';
  try {
    const admission = await authorize(connection.identity, channel.name.name);
    return admission ? withoutOf(admission) : 'no';
  } catch (error) {
    hub.report(error, 'checking the right to join a channel');
    return 'unknown';
  }
}

async function readSnapshot(hub: Hub, name: ChannelName): Promise<Record<string, unknown>> {
  try {
    return (await hub.options.snapshot?.(name.name)) ?? {};
  } catch (error) {
    hub.report(error, 'reading the snapshot of a channel');
    return {};
  }
}

function refuse(hub: Hub, subscription: Subscription, refusal: SubscriptionRefusal): void {
  hub.leave(subscription);
  hub.refuseSubscription(subscription.connection, subscription.channel.name.name, refusal);
}

function answer(hub: Hub, subscription: Subscription, atJoin: AtJoin, snapshot: Record<string, unknown>): void {
  if (subscription.isEnded) return;
  const { connection, channel } = subscription;
  hub.waiting.delete(subscription);
  if (subscription.hasMissedEvents) {
    hub.disconnect(connection, 4100, 'Too many events while subscribing');
    return;
  }
  const { name, cache } = channel.name;
  const data = atJoin.roster === null ? snapshot : { ...snapshot, presence: atJoin.roster };
  const succeeded = encodeServerFrame({ event: 'pusher_internal:subscription_succeeded', channel: name, data });
  const answers = [textFrame(succeeded)];
  if (atJoin.lastEvent !== null) answers.push(atJoin.lastEvent);
  else if (cache) {
    answers.push(textFrame(encodeServerFrame({ event: 'pusher:cache_miss', channel: name })));
    hub.options.events?.cacheMissed(name);
  }
  hub.fanOut.release(subscription, answers);
}
