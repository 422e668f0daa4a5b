/** Whole frames in one buffer, ready to be written; shared by all sockets that get the same frames. */
export type Chunk = { bytes: Buffer; frames: number };

/** The id of a socket, or several. */
export type Excepted = string | ReadonlySet<string>;

function isExcepted(except: Excepted | undefined, socketId: string): boolean {
  return typeof except === 'string' ? except === socketId : (except?.has(socketId) ?? false);
}

/** Frames that wait for the next flush, in order. `order` numbers are global, so that batches can be merged. */
export class Batch {
  readonly frames: Buffer[] = [];
  readonly orders: number[] = [];
  bytes = 0;
  #except: Map<number, Excepted> | null = null;
  #chunks: Chunk[] | null = null;

  /** `except` names the socket, or the sockets, that do not get this frame. */
  add(order: number, frame: Buffer, except: Excepted | null): void {
    this.frames.push(frame);
    this.orders.push(order);
    this.bytes += frame.length;
    if (except !== null) {
      this.#except ??= new Map();
      this.#except.set(order, except);
    }
  }

  /** What of this batch is for the socket `socketId`, which takes part since `since`: mostly the batch itself, shared. */
  pickFor(socketId: string, since: number): Batch {
    const joinedBefore = since <= (this.orders[0] ?? 0);
    if (joinedBefore && !this.#excludes(socketId)) return this;
    const own = new Batch();
    for (const [index, frame] of this.frames.entries()) {
      const order = this.orders[index] ?? 0;
      if (order >= since && !isExcepted(this.#except?.get(order), socketId)) own.add(order, frame, null);
    }
    return own;
  }

  /** The frames as few buffers of at most `maxBytes` each, made once for all sockets. */
  chunks(maxBytes: number): Chunk[] {
    this.#chunks ??= this.#makeChunks(maxBytes);
    return this.#chunks;
  }

  #excludes(socketId: string): boolean {
    if (this.#except === null) return false;
    for (const excluded of this.#except.values()) if (isExcepted(excluded, socketId)) return true;
    return false;
  }

  #makeChunks(maxBytes: number): Chunk[] {
    if (this.bytes <= maxBytes) return [joinFrames(this.frames)];
    const chunks: Chunk[] = [];
    let run: Buffer[] = [];
    let runBytes = 0;
    for (const frame of this.frames) {
      if (run.length > 0 && runBytes + frame.length > maxBytes) {
        chunks.push(joinFrames(run));
        run = [];
        runBytes = 0;
      }
      run.push(frame);
      runBytes += frame.length;
    }
    chunks.push(joinFrames(run));
    return chunks;
  }
}

/** One batch with the frames of all, in the order they were queued. */
export function mergeBatches(batches: Batch[]): Batch {
  const entries = batches.flatMap((batch) =>
    batch.frames.map((frame, index) => ({ order: batch.orders[index] ?? 0, frame })),
  );
  entries.sort((a, b) => a.order - b.order);
  const merged = new Batch();
  for (const { order, frame } of entries) merged.add(order, frame, null);
  return merged;
}

function joinFrames(frames: Buffer[]): Chunk {
  const [only] = frames;
  const bytes = frames.length === 1 && only !== undefined ? only : Buffer.concat(frames);
  return { bytes, frames: frames.length };
}
