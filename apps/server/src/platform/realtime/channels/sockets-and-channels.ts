import type { Batch } from '#/platform/realtime/delivery/batch.ts';
import { Outbox } from '#/platform/realtime/delivery/outbox.ts';
import type { Transport } from '#/platform/realtime/delivery/transport.ts';
import type { ChannelName } from '#/platform/realtime/protocol/channel-name.ts';

/** Which person and which session a socket acts for. One that is watched is asked for at each sweep, every second. */
export type Identity = { userId: string; sessionKey: string; isWatched?: boolean };

/** The person a socket signed in as, from signed user data. */
export type SignedInUser = { id: string; info: unknown };

export type Rate = 'frames' | 'pings' | 'clientEvents';

/** From where a socket comes: an address, and a device where somebody has signed in on it before. */
export type Peer = { readonly address: string; readonly device: string | null };

export class Connection {
  readonly id: string;
  readonly peer: Peer;
  readonly connectedAt: number;
  readonly transport: Transport;
  readonly outbox = new Outbox();
  readonly subscriptions = new Map<string, Subscription>();
  identity: Identity | null = null;
  user: SignedInUser | null = null;
  isClosed = false;
  /** When the session must be asked for again, and when the socket is closed if that did not succeed. */
  sessionDueAt = 0;
  sessionDeadline = Number.POSITIVE_INFINITY;
  seenAt: number;
  pingedAt: number | null = null;
  badFrames = 0;
  badFramesSince: number;
  framesAfterClose = 0;
  #second = 0;
  #counts = { frames: 0, pings: 0, clientEvents: 0 };

  constructor(id: string, peer: Peer, transport: Transport, now: number) {
    this.id = id;
    this.peer = peer;
    this.connectedAt = now;
    this.transport = transport;
    this.seenAt = now;
    this.badFramesSince = now;
  }

  /** How many of a kind came in this second, this one included. */
  count(rate: Rate, now: number): number {
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts = { frames: 0, pings: 0, clientEvents: 0 };
    }
    this.#counts[rate] += 1;
    return this.#counts[rate];
  }
}

/**
 * One socket in one channel.
 * States: waiting (`held` is a batch: in the channel, not answered yet, or its right is being asked for again), live
 * (`held` is null), ended.
 */
export type Subscription = {
  readonly connection: Connection;
  readonly channel: Channel;
  readonly memberId: string | null;
  readonly startedAt: number;
  /** Frames queued before this order number are not for this socket. */
  since: number;
  held: Batch | null;
  /** Frames queued before this order number were on their way before the right was asked for again. */
  heldFrom: number;
  /** Events about these are not for this socket. */
  without: ReadonlySet<string>;
  hasMissedEvents: boolean;
  isAllowed: boolean;
  isEnded: boolean;
  isBeingChecked: boolean;
  /** The last that this socket said is live, while the right behind the one before is asked for. */
  nextLive: string | null;
  isRelayingLive: boolean;
  /** Answers without the snapshot; set while the snapshot is being read. */
  giveUp: (() => void) | null;
  /** When the right must be asked for again, and when the socket is closed if that did not succeed. */
  dueAt: number;
  deadline: number;
};

export class Channel {
  readonly name: ChannelName;
  /** Since when somebody is in it, in milliseconds since 1970. */
  readonly since = Date.now();
  readonly members = new Map<Connection, Subscription>();
  /** Frames of this tick, for everyone in the channel. */
  batch: Batch | null = null;

  constructor(name: ChannelName) {
    this.name = name;
  }
}
