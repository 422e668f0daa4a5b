import type { Excepted } from '#/platform/realtime/delivery/batch.ts';
import { defaultLimits, type Limits } from '#/platform/realtime/delivery/limits.ts';
import { type Transport, textFrame } from '#/platform/realtime/delivery/transport.ts';
import { type ChannelName, parseChannelName } from '#/platform/realtime/protocol/channel-name.ts';
import type { CloseCode } from '#/platform/realtime/protocol/close-codes.ts';
import { encodeErrorFrame, encodeServerFrame, type Payload } from '#/platform/realtime/protocol/frames.ts';
import { TokenBuckets } from '#/platform/token-buckets.ts';
import { FanOut } from './fan-out.ts';
import type { Delivery, GatewayOptions } from './options.ts';
import type { Member } from './presence.ts';
import { Registry } from './registry.ts';
import { Rosters } from './rosters.ts';
import { Channel, type Connection, type Subscription } from './sockets-and-channels.ts';

/** The last event of each cache channel. The oldest is forgotten when there are too many or it is too old. */
class LastEvents {
  readonly #limits: { cachedChannels: number; cacheTtlMs: number };
  readonly #frames = new Map<string, { frame: Buffer; at: number }>();

  constructor(limits: { cachedChannels: number; cacheTtlMs: number }) {
    this.#limits = limits;
  }

  remember(channel: string, frame: Buffer, now: number): void {
    this.#frames.delete(channel);
    this.#frames.set(channel, { frame, at: now });
    if (this.#frames.size <= this.#limits.cachedChannels) return;
    const [oldest] = this.#frames.keys();
    if (oldest !== undefined) this.#frames.delete(oldest);
  }

  recall(channel: string, now: number): Buffer | null {
    const last = this.#frames.get(channel);
    if (last === undefined) return null;
    if (now - last.at <= this.#limits.cacheTtlMs) return last.frame;
    this.#frames.delete(channel);
    return null;
  }
}

export type SubscriptionRefusal = { type: 'AuthError' | 'LimitReached'; error: string; status: number };

/** The state of one gateway and the few things that may be done to it; everything else is built from these. */
export class Hub {
  readonly options: GatewayOptions;
  readonly limits: Limits;
  readonly registry = new Registry();
  readonly channels = new Map<string, Channel>();
  readonly rosters: Rosters;
  /** What is being published, as it is written; it is not changed afterwards. */
  readonly payloads = new WeakMap<object, Payload>();
  readonly waiting = new Set<Subscription>();
  /** Every socket that is not fully closed yet, those being refused or sent away included. */
  readonly transports = new Set<Transport>();
  readonly lastEvents: LastEvents;
  /** How often each address connects. */
  readonly connects = new TokenBuckets(() => this.now());
  readonly fanOut: FanOut;
  readonly #recounted = new Set<Channel>();

  constructor(options: GatewayOptions) {
    this.options = options;
    this.limits = { ...defaultLimits, ...options.limits };
    this.lastEvents = new LastEvents(this.limits);
    this.rosters = new Rosters({
      added: (channel, { id, info }) =>
        this.#tell(channel, 'pusher_internal:member_added', { user_id: id, user_info: info }),
      removed: (channel, id) => this.#tell(channel, 'pusher_internal:member_removed', { user_id: id }),
      cameHere: (channel, { id }) => options.events?.memberAdded(channel, id),
      wentFromHere: (channel, member) => options.events?.memberRemoved(channel, member),
    });
    this.fanOut = new FanOut(this.limits, (connection) => {
      connection.outbox.clear();
      this.disconnect(connection, 4100, 'Too slow to keep up; catch up and come back');
    });
  }

  now(): number {
    return performance.now();
  }

  /** Whether the right to a channel is a person's, who is asked about again; otherwise a signature is enough. */
  get asksPeople(): boolean {
    return this.options.authorize !== 'by signature';
  }

  /** Gives a frame to the members of a channel, on every server. */
  spread(delivery: Delivery): void {
    this.deliver(delivery);
    this.options.tellOthers?.(delivery);
  }

  /** Gives a frame to the members of a channel on this server. */
  deliver({ channel: name, frame, except, about }: Delivery): void {
    const channel = this.channels.get(name);
    const isCached = channel?.name.cache ?? parseChannelName(name)?.cache ?? false;
    if (isCached) this.lastEvents.remember(name, frame, this.now());
    if (channel) this.fanOut.publish(channel, frame, exceptedOf(channel, { except, about }));
  }

  send(connection: Connection, text: string): void {
    this.fanOut.send(connection, textFrame(text));
  }

  sendError(connection: Connection, code: CloseCode, message: string): void {
    this.send(connection, encodeErrorFrame(code, message));
  }

  refuseSubscription(connection: Connection, channel: string, refusal: SubscriptionRefusal): void {
    this.send(connection, encodeServerFrame({ event: 'pusher:subscription_error', channel, data: refusal }));
  }

  join(connection: Connection, name: ChannelName, member: Member | null): Subscription {
    let channel = this.channels.get(name.name);
    if (channel === undefined) {
      channel = new Channel(name);
      this.channels.set(name.name, channel);
      this.options.events?.occupied(name.name);
    }
    const now = this.now();
    if (member !== null) this.rosters.join(name.name, member);
    const subscription: Subscription = {
      connection,
      channel,
      memberId: member?.id ?? null,
      startedAt: now,
      since: this.fanOut.nextOrder,
      held: null,
      heldFrom: 0,
      without: new Set(),
      hasMissedEvents: false,
      isAllowed: false,
      isEnded: false,
      isBeingChecked: false,
      nextLive: null,
      isRelayingLive: false,
      giveUp: null,
      dueAt: Number.POSITIVE_INFINITY,
      deadline: Number.POSITIVE_INFINITY,
    };
    channel.members.set(connection, subscription);
    connection.subscriptions.set(name.name, subscription);
    this.#recount(channel);
    return subscription;
  }

  leave(subscription: Subscription): void {
    if (subscription.isEnded) return;
    subscription.isEnded = true;
    const { channel, connection, memberId } = subscription;
    this.waiting.delete(subscription);
    channel.members.delete(connection);
    connection.subscriptions.delete(channel.name.name);
    if (memberId !== null) this.rosters.leave(channel.name.name, memberId);
    if (channel.members.size === 0) {
      this.channels.delete(channel.name.name);
      this.#recounted.delete(channel);
      this.options.events?.vacated(channel.name.name, channel.since);
      return;
    }
    this.#recount(channel);
  }

  /** Takes a socket out of everything at once, then starts the closing handshake. */
  disconnect(connection: Connection, code: CloseCode, reason: string): void {
    if (connection.isClosed) return;
    this.fanOut.finish(connection);
    this.forget(connection);
    connection.transport.close(code, reason);
  }

  forget(connection: Connection): void {
    if (connection.isClosed) return;
    connection.isClosed = true;
    connection.outbox.clear();
    this.registry.remove(connection);
    for (const subscription of [...connection.subscriptions.values()]) this.leave(subscription);
  }

  report(error: unknown, doing: string): void {
    this.options.onError?.(error, doing);
  }

  /** Publishes how many sockets each channel has whose number changed. Once a sweep: a full ward joins in one second. */
  tellCounts(): void {
    for (const channel of this.#recounted) {
      this.#tell(channel.name.name, 'pusher_internal:subscription_count', { subscription_count: channel.members.size });
      this.options.events?.counted(channel.name.name, channel.members.size);
    }
    this.#recounted.clear();
  }

  #recount(channel: Channel): void {
    if (this.options.subscriptionCount && channel.name.kind !== 'presence') this.#recounted.add(channel);
  }

  #tell(name: string, event: string, data: unknown): void {
    const channel = this.channels.get(name);
    if (channel === undefined || channel.members.size === 0) return;
    const text = encodeServerFrame({ event, channel: name, data });
    this.fanOut.publish(channel, textFrame(text), null);
  }
}

/** Who asked for it, and who is in the channel without what it is about. */
function exceptedOf({ members }: Channel, { except, about }: Pick<Delivery, 'except' | 'about'>): Excepted | null {
  if (about === undefined) return except ?? null;
  const without = [...members.values()].filter((subscription) => subscription.without.has(about));
  if (without.length === 0) return except ?? null;
  return new Set([...without.map(({ connection }) => connection.id), ...(except === undefined ? [] : [except])]);
}
