import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether this is `npm run nightly`. */
    isNightly: boolean;
  }
}

/** Whether everything is tried, or what stands for it, as in `npm test`. */
export const isNightly: boolean = inject('isNightly');

/** How often a property is tried: this often in `npm test`, ten times as often at night. */
export function runs(inTest: number): number {
  return isNightly ? 10 * inTest : inTest;
}

/** A limit for what hangs, of a test whose runs are those above. */
export function limitMs(inTest: number): number {
  return runs(inTest);
}

/** All of them at night; otherwise one, another for each index, so that each is still tried somewhere. */
export function inTurn<Item>(items: readonly Item[], index: number): readonly Item[] {
  const start = index % items.length;
  return isNightly ? items : items.slice(start, start + 1);
}

/** All of them at night; otherwise the first of every so many. */
export function everyNth<Item>(items: readonly Item[], nth: number): readonly Item[] {
  return isNightly ? items : items.filter((_, index) => index % nth === 0);
}
