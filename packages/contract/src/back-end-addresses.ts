import { ClientConfig } from './config.ts';
import type { Method } from './endpoint.ts';

/** An address, or all below one, that the back end answers and no page of the client has. */
export interface BackEndAddress {
  readonly path: string;
  /** `only`: this address. `with`: and what is below it. `below`: only what is below it, since the address is a page. */
  readonly reach: 'only' | 'with' | 'below';
  /** Left out: every one. A page may stand at the address of a POST. */
  readonly method?: Method;
}

type Endpoints = ClientConfig['endpoints'];

/** What every back end has, whatever its configuration says of single addresses. */
const COMMON: readonly BackEndAddress[] = [
  { path: '/api', reach: 'with' },
  { path: '/sanctum', reach: 'with' },
  { path: '/broadcasting', reach: 'with' },
  { path: '/email', reach: 'with' },
  { path: '/storage', reach: 'with' },
  // Second factors and the confirmation of a password, as Fortify has them.
  { path: '/user', reach: 'with' },
  { path: '/scim', reach: 'with' },
  { path: '/_img', reach: 'with' },
  // Beside the client's own icons, which are files.
  { path: '/icons/_nuxt_icon', reach: 'with' },
];

/** How each configured address is asked for. */
const CONFIGURED: Readonly<Record<keyof Endpoints, Omit<BackEndAddress, 'path'>>> = {
  csrf: { reach: 'only', method: 'GET' },
  user: { reach: 'only', method: 'GET' },
  verify_email: { reach: 'below' },
  login: { reach: 'only', method: 'POST' },
  logout: { reach: 'only', method: 'POST' },
  register: { reach: 'only', method: 'POST' },
  forgot_password: { reach: 'only', method: 'POST' },
  reset_password: { reach: 'only', method: 'POST' },
  token: { reach: 'only', method: 'POST' },
  verification_notification: { reach: 'only', method: 'POST' },
  device_key: { reach: 'only', method: 'GET' },
  broadcasting_auth: { reach: 'only', method: 'POST' },
  broadcasting_user_auth: { reach: 'only', method: 'POST' },
};

/**
 * What a proxy before the client passes on to the back end; everything else is a file or a page. The recipe of
 * docs/laravel.md, `tools/nginx-map.mjs`, the development server and the static host of the journeys are made from it.
 */
export function backEndAddresses(endpoints: Endpoints): readonly BackEndAddress[] {
  const addresses = [...COMMON];
  for (const [name, how] of Object.entries(CONFIGURED) as [keyof Endpoints, Omit<BackEndAddress, 'path'>][]) {
    const path = endpoints[name].replace(/[?#].*$/, '').replace(/\/$/, '');
    if (path === '' || isOfBackEnd(addresses, how.method ?? 'GET', how.reach === 'below' ? `${path}/x` : path))
      continue;
    addresses.push({ path, ...how });
  }
  return [...addresses, { path: '/two-factor-challenge', reach: 'only', method: 'POST' }];
}

/** With the addresses that a configuration has which names none. */
export const BACK_END_ADDRESSES = backEndAddresses(ClientConfig.parse({ echo: { key: '-' } }).endpoints);

/** Whether a request is the back end's: `path` without query. A slash at its end changes nothing. */
export function isOfBackEnd(addresses: readonly BackEndAddress[], method: string, path: string): boolean {
  return addresses.some((address) => {
    if (address.method !== undefined && address.method !== method) return false;
    const bare = path.replace(/\/$/, '');
    if (bare === address.path) return address.reach !== 'below';
    return address.reach !== 'only' && path.startsWith(`${address.path}/`);
  });
}
