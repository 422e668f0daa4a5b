import type { ClientConfig } from '@wardline/contract/config.ts';

/** The app key of the realtime server; public, as Pusher's are. */
export const REALTIME_KEY = 'wardline';

/** What /config.json tells the client: everything at this origin, cookie mode. */
export function clientConfig(productName: string): ClientConfig {
  return {
    product_name: productName,
    base_url: '',
    mode: 'cookie',
    retry: 'once',
    csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN' },
    endpoints: {
      csrf: '/sanctum/csrf-cookie',
      login: '/login',
      logout: '/logout',
      user: '/api/user',
      token: '/api/tokens',
      broadcasting_auth: '/broadcasting/auth',
    },
    redirect: {
      on_login: '/dashboard',
      on_logout: '/sign-in',
      on_auth_only: '/sign-in',
      on_guest_only: '/dashboard',
      if_unauthenticated: true,
    },
    echo: {
      broadcaster: 'reverb',
      key: REALTIME_KEY,
      host: '',
      port: null,
      scheme: 'page',
      transports: ['ws', 'wss'],
      namespace: 'App.Events',
    },
    icons: { hosts: ['/icons/_nuxt_icon'] },
    images: { media_host: '' },
    build_check_interval_s: 3600,
    sign_up: 'invitation',
    contact: { email: null, latitude: null, longitude: null },
  };
}
