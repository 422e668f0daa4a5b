import type { TokenStorage } from '@wardline/client/http/call.ts';

const key = 'wardline-token';

/** Token mode keeps its bearer token for the life of the tab; where storage is refused, in memory. */
export function createTokenStorage(): TokenStorage {
  let held: string | null = null;
  try {
    held = sessionStorage.getItem(key);
  } catch {
    // Storage is closed: the token lives as long as the page.
  }
  return {
    get: () => held,
    set(token) {
      held = token;
      try {
        if (token === null) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, token);
      } catch {
        // As above.
      }
    },
  };
}
