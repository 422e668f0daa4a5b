import type { Subscription } from './channel.ts';
import { Outbox } from './outbox.ts';
import type { Transport } from './transport.ts';

/** Which person and which session a socket acts for. */
export type Identity = { userId: string; sessionKey: string };

/** The person a socket signed in as, from signed user data. */
export type SignedInUser = { id: string; info: unknown };

export type Rate = 'frames' | 'pings' | 'clientEvents';

export class Connection {
  readonly id: string;
  readonly address: string;
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

  constructor(id: string, address: string, transport: Transport, now: number) {
    this.id = id;
    this.address = address;
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
