import { vi } from 'vitest';

/** What is observed has its size at once, as in a browser; `resize` gives it another, as far as it is still observed. */
export function stubResizeObserver(): { readonly resize: () => void } {
  const observed = new Set<() => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly observe: () => void;
      readonly disconnect: () => void;
      constructor(tell: () => void) {
        this.observe = () => {
          observed.add(tell);
          tell();
        };
        this.disconnect = () => void observed.delete(tell);
      }
    },
  );
  return {
    resize() {
      for (const tell of observed) tell();
    },
  };
}
