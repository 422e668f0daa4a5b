/** What the names begin with under which this package keeps things in a browser, where the app does not say another. */
export const STORAGE_PREFIX = 'wardline';

/**
 * A prefix for the names in local storage, IndexedDB, of channels between tabs and of locks, so that two apps of one origin
 * keep apart. Letters and digits only: `a` is then never the beginning of another app's names. Throws otherwise.
 */
export function checkPrefix(prefix: string): string {
  if (!/^[a-z\d]+$/i.test(prefix))
    throw new Error(`A storage prefix is letters and digits, not ${JSON.stringify(prefix)}.`);
  return prefix;
}
