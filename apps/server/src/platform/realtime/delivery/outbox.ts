import { Batch, type Chunk, mergeBatches } from './batch.ts';

/** What one socket still has to get: batches of this tick, and chunks that it was too slow for. */
export class Outbox {
  /** In the list of sockets that the next flush writes to. */
  isReady = false;
  backlogBytes = 0;
  backlogFrames = 0;
  #first: Batch | null = null;
  #more: Batch[] | null = null;
  #own: Batch | null = null;
  #backlog: Chunk[] = [];

  /** Bytes that wait because of this socket: what it was too slow for, and the answers to its own frames. */
  get waitingBytes(): number {
    return this.backlogBytes + (this.#own?.bytes ?? 0);
  }

  /** Takes a batch that may be shared with other sockets. */
  addShared(batch: Batch): void {
    if (this.#first === null) this.#first = batch;
    else if (this.#more === null) this.#more = [batch];
    else this.#more.push(batch);
  }

  /** Takes a frame for this socket alone. */
  addOwn(order: number, frame: Buffer): void {
    if (this.#own === null) {
      this.#own = new Batch();
      this.addShared(this.#own);
    }
    this.#own.add(order, frame, null);
  }

  /** The one buffer that is everything there is to write, if it is that simple. Takes it out. */
  takeOnlyBuffer(maxBytes: number): Buffer | null {
    const batch = this.#first;
    if (batch === null || this.#more !== null || this.#backlog.length > 0 || batch.bytes > maxBytes) return null;
    this.#first = null;
    this.#own = null;
    return batch.chunks(maxBytes)[0]?.bytes ?? null;
  }

  /** Moves the batches behind the backlog. */
  collect(maxBytes: number): void {
    if (this.#first === null) return;
    const batch = this.#more === null ? this.#first : mergeBatches([this.#first, ...this.#more]);
    this.#first = null;
    this.#more = null;
    this.#own = null;
    for (const chunk of batch.chunks(maxBytes)) {
      this.#backlog.push(chunk);
      this.backlogBytes += chunk.bytes.length;
      this.backlogFrames += chunk.frames;
    }
  }

  /** Takes whole chunks of at most `maxBytes` together from the front of the backlog, but at least one. */
  takeFromBacklog(maxBytes: number): Buffer {
    let count = 0;
    let bytes = 0;
    for (const chunk of this.#backlog) {
      if (count > 0 && bytes + chunk.bytes.length > maxBytes) break;
      count += 1;
      bytes += chunk.bytes.length;
    }
    const taken = this.#backlog.splice(0, count);
    for (const chunk of taken) this.backlogFrames -= chunk.frames;
    this.backlogBytes -= bytes;
    const [only] = taken;
    return taken.length === 1 && only !== undefined ? only.bytes : Buffer.concat(taken.map((chunk) => chunk.bytes));
  }

  clear(): void {
    this.#first = null;
    this.#more = null;
    this.#own = null;
    this.#backlog = [];
    this.backlogBytes = 0;
    this.backlogFrames = 0;
  }
}
