/** A value that others may watch; the shape React's useSyncExternalStore takes. */
export interface Observable<Value> {
  get(): Value;
  /** Calls `listener` after each change until the returned undo is called. */
  subscribe(listener: () => void): () => void;
}

/** An observable that its owner may set. Setting an identical value tells nobody. */
export interface Source<Value> extends Observable<Value> {
  set(value: Value): void;
}

/** Makes an observable value. */
export function createSource<Value>(initial: Value): Source<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      // A wrapper of its own, so that one function subscribed twice is two subscriptions.
      const entry = () => listener();
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
  };
}
