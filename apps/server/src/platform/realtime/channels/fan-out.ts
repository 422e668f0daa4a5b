import { Batch, type Excepted } from '#/platform/realtime/delivery/batch.ts';
import type { Limits } from '#/platform/realtime/delivery/limits.ts';
import type { Channel, Connection, Subscription } from './sockets-and-channels.ts';

type FanOutLimits = Pick<Limits, 'flushBytes' | 'flushMs' | 'queuedBytes' | 'queuedFrames'>;

/**
 * Sends frames. They are queued per channel and written once per tick, in one write per socket: the write call is
 * what a delivery costs. Replies go through the same queue, so each socket gets everything in the order it was queued.
 */
export class FanOut {
  readonly #limits: FanOutLimits;
  readonly #closeSlow: (connection: Connection) => void;
  #order = 1;
  #dirty: Channel[] = [];
  #ready: Connection[] = [];
  #isScheduled = false;

  constructor(limits: FanOutLimits, closeSlow: (connection: Connection) => void) {
    this.#limits = limits;
    this.#closeSlow = closeSlow;
  }

  /** The order number that the next frame will get. */
  get nextOrder(): number {
    return this.#order;
  }

  publish(channel: Channel, frame: Buffer, except: Excepted | null): void {
    if (channel.batch === null) {
      channel.batch = new Batch();
      this.#dirty.push(channel);
      this.#schedule();
    }
    channel.batch.add(this.#order++, frame, except);
  }

  send(connection: Connection, frame: Buffer): void {
    if (connection.isClosed) return;
    connection.outbox.addOwn(this.#order++, frame);
    // A socket that reads, but asks for more than one flush a tick can answer, must not pile up memory either.
    if (connection.outbox.waitingBytes > 2 * this.#limits.queuedBytes) this.#closeSlow(connection);
    else this.#makeReady(connection);
  }

  /** Makes a waiting subscription live: first `answers`, then what was published meanwhile. */
  release(subscription: Subscription, answers: Buffer[]): void {
    const { connection, channel, held, since } = subscription;
    for (const frame of answers) this.send(connection, frame);
    for (const frame of held?.frames ?? []) this.send(connection, frame);
    const unflushed = channel.batch?.pickFor(connection.id, since);
    for (const frame of unflushed?.frames ?? []) this.send(connection, frame);
    subscription.held = null;
    subscription.since = this.#order;
  }

  /** Sends what was published before the right behind a held subscription was asked for again. */
  sendEarlier({ connection, channel, held, heldFrom, since }: Subscription): void {
    if (held === null) return;
    for (const batch of [held, channel.batch?.pickFor(connection.id, since)]) {
      for (const [index, frame] of batch?.frames.entries() ?? []) {
        if ((batch?.orders[index] ?? heldFrom) < heldFrom) this.send(connection, frame);
      }
    }
  }

  /** Writes what `connection` alone has waiting, before its close frame. */
  finish(connection: Connection): void {
    const { outbox, transport } = connection;
    outbox.collect(this.#limits.flushBytes);
    if (outbox.backlogFrames > 0 && !transport.isBlocked) {
      transport.write(outbox.takeFromBacklog(this.#limits.flushBytes));
    }
    outbox.clear();
  }

  /** Called when a socket that was blocked takes data again. */
  resume(connection: Connection): void {
    if (!connection.isClosed && connection.outbox.backlogFrames > 0) this.#makeReady(connection);
  }

  #makeReady(connection: Connection): void {
    if (connection.outbox.isReady) return;
    connection.outbox.isReady = true;
    this.#ready.push(connection);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  #flush = (): void => {
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const channel of dirty) this.#deal(channel);
    this.#isScheduled = false;
    const ready = this.#ready;
    this.#ready = [];
    const stopAt = performance.now() + this.#limits.flushMs;
    let index = -1;
    for (const connection of ready) {
      index += 1;
      if ((index & 63) === 63 && performance.now() > stopAt) {
        this.#ready = ready.slice(index).concat(this.#ready);
        break;
      }
      connection.outbox.isReady = false;
      if (!connection.isClosed) this.#write(connection);
    }
    if (this.#ready.length > 0) this.#schedule();
  };

  /** Hands the frames of a channel to its members. A few instructions per member, no frame is copied. */
  #deal(channel: Channel): void {
    const batch = channel.batch;
    channel.batch = null;
    if (batch === null) return;
    for (const subscription of channel.members.values()) {
      const { connection } = subscription;
      const own = batch.pickFor(connection.id, subscription.since);
      if (own.bytes === 0) continue;
      if (subscription.held !== null) {
        this.#hold(subscription, subscription.held, own);
        continue;
      }
      connection.outbox.addShared(own);
      if (!connection.outbox.isReady) {
        connection.outbox.isReady = true;
        this.#ready.push(connection);
      }
    }
  }

  #hold(subscription: Subscription, held: Batch, batch: Batch): void {
    const isOver =
      held.bytes + batch.bytes > this.#limits.queuedBytes ||
      held.frames.length + batch.frames.length > this.#limits.queuedFrames;
    if (isOver || subscription.hasMissedEvents) {
      subscription.hasMissedEvents = true;
      subscription.held = new Batch();
      return;
    }
    for (const [index, frame] of batch.frames.entries()) held.add(batch.orders[index] ?? 0, frame, null);
  }

  #write(connection: Connection): void {
    const { outbox, transport } = connection;
    const { flushBytes } = this.#limits;
    if (!transport.isBlocked) {
      const buffer = outbox.takeOnlyBuffer(flushBytes);
      if (buffer !== null) {
        transport.write(buffer);
        return;
      }
    }
    outbox.collect(flushBytes);
    if (outbox.backlogFrames === 0) return;
    if (transport.isBlocked) {
      if (this.#isTooSlow(connection)) this.#closeSlow(connection);
      return;
    }
    transport.write(outbox.takeFromBacklog(flushBytes));
    if (outbox.backlogFrames > 0) this.#makeReady(connection);
  }

  #isTooSlow({ outbox, transport }: Connection): boolean {
    return (
      outbox.backlogBytes + transport.unsentBytes > this.#limits.queuedBytes ||
      outbox.backlogFrames > this.#limits.queuedFrames
    );
  }
}
