interface Sized {
  readonly bytes: { readonly length: number };
}

/** A map whose values may take so many bytes together; those used longest ago make room. */
export class ByteCache<Value extends Sized> {
  readonly #entries = new Map<string, Value>();
  readonly #capacity: number;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += value.bytes.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.bytes.length ?? 0;
    this.#entries.delete(key);
  }
}
