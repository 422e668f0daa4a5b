import type { ClientConfig } from '@wardline/contract/config.ts';

/** A configuration that is complete; `with` changes a part. */
export function testConfig(change: Partial<ClientConfig> = {}): ClientConfig {
  return {
    product_name: 'Wardline',
    base_url: 'http://wardline.test',
    mode: 'token',
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
      on_logout: '/',
      on_auth_only: '/sign-in',
      on_guest_only: '/dashboard',
      if_unauthenticated: true,
    },
    echo: {
      broadcaster: 'reverb',
      key: 'key',
      host: '',
      port: null,
      scheme: 'page',
      transports: ['ws', 'wss'],
      namespace: 'App.Events',
    },
    icons: { hosts: ['/icons/_nuxt_icon'] },
    sso: [],
    images: { media_host: '' },
    build_check_interval_s: 3600,
    passkeys: { is_offered: false },
    notifications: { is_offered: false, push_key: '' },
    mail: { is_sent: true },
    sign_up: 'invitation',
    contact: { email: null, latitude: null, longitude: null },
    ...change,
  };
}
