/** A map of bounded size: setting one entry too many forgets the one that was used longest ago. */
export class RecentlyUsed<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;
  readonly #onForgotten: (key: Key) => void;

  constructor(capacity: number, onForgotten: (key: Key) => void = () => undefined) {
    this.#capacity = capacity;
    this.#onForgotten = onForgotten;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#place(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#place(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      this.#onForgotten(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, value] of this.#entries) if (matches(value)) this.#entries.delete(key);
  }

  #place(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
