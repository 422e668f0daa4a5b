import type { Method } from './endpoint.ts';

/** An address, or all below one, that the back end answers and no page of the client has. */
export interface BackEndAddress {
  readonly path: string;
  /** `only`: this address. `with`: and what is below it. `below`: only what is below it, since the address is a page. */
  readonly reach: 'only' | 'with' | 'below';
  /** Left out: every one. A page may stand at the address of a POST. */
  readonly method?: Method;
}

/**
 * What a proxy before the client passes on to the back end; everything else is a file or a page. The recipe of
 * docs/laravel.md and the static host of the journeys are made from it.
 */
export const BACK_END_ADDRESSES: readonly BackEndAddress[] = [
  { path: '/api', reach: 'with' },
  { path: '/sanctum', reach: 'with' },
  { path: '/broadcasting', reach: 'with' },
  { path: '/email', reach: 'with' },
  { path: '/verify-email', reach: 'below' },
  { path: '/storage', reach: 'with' },
  { path: '/_img', reach: 'with' },
  // Beside the client's own icons, which are files.
  { path: '/icons/_nuxt_icon', reach: 'with' },
  { path: '/login', reach: 'only', method: 'POST' },
  { path: '/logout', reach: 'only', method: 'POST' },
  { path: '/register', reach: 'only', method: 'POST' },
  { path: '/forgot-password', reach: 'only', method: 'POST' },
  { path: '/reset-password', reach: 'only', method: 'POST' },
];

/** Whether a request is the back end's: `path` without query. A slash at its end changes nothing. */
export function isOfBackEnd(method: string, path: string): boolean {
  return BACK_END_ADDRESSES.some((address) => {
    if (address.method !== undefined && address.method !== method) return false;
    const bare = path.replace(/\/$/, '');
    if (bare === address.path) return address.reach !== 'below';
    return address.reach !== 'only' && path.startsWith(`${address.path}/`);
  });
}
