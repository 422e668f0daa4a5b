/** Tells named facts to whoever listens; a listener that throws does not keep the others from hearing. */
export interface Emitter<Events extends object> {
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void;
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void;
}

/** Makes a typed emitter. `onListenerError` is told what a listener threw. */
export function createEmitter<Events extends object>(
  onListenerError: (error: unknown) => void = reportLater,
): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(payload: never) => void>>();
  return {
    on(name, listener) {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known);
      known.add(listener);
      return () => {
        known.delete(listener);
      };
    },
    emit(name, payload) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          (listener as (payload: unknown) => void)(payload);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
  };
}

function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
