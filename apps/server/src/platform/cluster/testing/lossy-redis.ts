import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';

/** What one server has of a {@link LossyRedis}: the connections of its bus, and what becomes of the messages on their way to it. */
export interface LossyLine {
  readonly teller: Redis;
  readonly listener: Redis;
  /** Lets up to so many of the messages on their way arrive. */
  arrive(most: number): void;
  /** The next message on its way never arrives. */
  lose(): void;
  /** The connections end, with all that was on its way. */
  cut(): void;
  connect(): void;
}

/** Publish and subscribe of a Redis where the test says what arrives, and when. */
export class LossyRedis {
  readonly #lines = new Set<{ isThere: boolean; onItsWay: Buffer[] }>();

  open(): LossyLine {
    const line = { isThere: false, onItsWay: [] as Buffer[] };
    this.#lines.add(line);
    const teller = Object.assign(new EventEmitter(), {
      publish: async (_subject: string, message: Buffer) => {
        if (!line.isThere) throw new Error('not connected');
        for (const other of this.#lines) if (other.isThere) other.onItsWay.push(message);
      },
    }) as unknown as Redis;
    const listener = Object.assign(new EventEmitter(), {
      subscribe: async () => {
        line.isThere = true;
      },
    }) as unknown as Redis;
    return {
      teller,
      listener,
      arrive(most) {
        for (const message of line.onItsWay.splice(0, most)) listener.emit('messageBuffer', Buffer.alloc(0), message);
      },
      lose: () => void line.onItsWay.shift(),
      cut() {
        line.isThere = false;
        line.onItsWay = [];
        for (const redis of [teller, listener]) redis.emit('close');
      },
      connect: () => void listener.emit('ready'),
    };
  }
}
