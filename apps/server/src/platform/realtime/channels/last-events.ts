/** The last event of each cache channel. The oldest is forgotten when there are too many or it is too old. */
export class LastEvents {
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
