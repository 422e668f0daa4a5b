import type { ClientConfig } from '@wardline/contract/config.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { relyingPartyOf } from '#/platform/config/relying-party.ts';

/** The app key of the realtime server; public, as Pusher's are. */
export const REALTIME_KEY = 'wardline';

/** The settings of the server that its clients are told. */
export type ClientSettings = Pick<
  Config,
  'oidc' | 'productName' | 'publicUrl' | 'signUp' | 'contactEmail' | 'location' | 'mediaHost' | 'buildCheckIntervalS'
>;

/** What /config.json tells the client: everything at this origin, cookie mode. */
export function clientConfig(
  settings: ClientSettings,
  { pushKey, keepsMails }: { readonly pushKey: string | null; readonly keepsMails: boolean },
): ClientConfig {
  const { location } = settings;
  return {
    product_name: settings.productName,
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
      register: '/register',
      forgot_password: '/forgot-password',
      reset_password: '/reset-password',
      verification_notification: '/email/verification-notification',
      verify_email: '/verify-email',
      device_key: '/api/user/device-key',
      broadcasting_auth: '/broadcasting/auth',
      broadcasting_user_auth: '/broadcasting/user-auth',
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
    images: { media_host: settings.mediaHost ?? '' },
    passkeys: { is_offered: relyingPartyOf(settings.publicUrl ?? 'http://localhost') !== null },
    sso: settings.oidc.map(({ id, label }) => ({ id, label })),
    notifications: { is_offered: true, push_key: pushKey ?? '' },
    mail: { is_sent: !keepsMails },
    build_check_interval_s: settings.buildCheckIntervalS,
    sign_up: settings.signUp,
    contact: {
      email: settings.contactEmail,
      latitude: location?.latitude ?? null,
      longitude: location?.longitude ?? null,
    },
  };
}
