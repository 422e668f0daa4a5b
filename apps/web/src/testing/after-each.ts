import { afterAll, afterEach, vi } from 'vitest';

// Files share a worker and its document: nothing of one test is left for the next, in the same file or in another.
// React is loaded only where there is a document: a file of pure functions need not wait for it.
if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  afterEach(async () => {
    cleanup();
    // Loaded here and not above: by now a file that replaces modules has done so.
    const { pageToasts } = await import('#/shared/contexts/show-toast.ts');
    pageToasts.get()?.clear();
    document.body.replaceChildren();
    sessionStorage.clear();
    localStorage.clear();
  });
}

const browserObjects = Object.entries({
  'Element.prototype': globalThis.Element?.prototype,
  'HTMLElement.prototype': globalThis.HTMLElement?.prototype,
  navigator: globalThis.navigator,
}).flatMap(([name, object]) => (object ? [{ name, object, before: Object.getOwnPropertyDescriptors(object) }] : []));

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const { name, object, before } of browserObjects) {
    const after = Object.getOwnPropertyDescriptors(object);
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (!isSame(Reflect.get(before, key), Reflect.get(after, key)))
        throw new Error(`This file leaves ${name}.${key} changed for the next one: replace it with vi.spyOn.`);
    }
  }
});

function isSame(one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean {
  return one?.value === other?.value && one?.get === other?.get && one?.set === other?.set;
}
