import { createEmitter } from '@wardline/client/emitter.ts';
import type { ClientEvents } from '@wardline/client/http/call-events.ts';
import { createSource } from '@wardline/client/observable.ts';
import type { Session, SessionState } from '@wardline/client/session/session.ts';
import type { ClientConfig } from '@wardline/contract/config.ts';
import { prerenderConfig } from './prerender-config.ts';
import type { Services } from './services.ts';

const config: ClientConfig = {
  ...prerenderConfig,
  base_url: '',
  retry: 'off',
  csrf: { cookie: '', header: '' },
  endpoints: {
    csrf: '',
    login: '',
    logout: '',
    user: '',
    token: '',
    register: '',
    forgot_password: '',
    reset_password: '',
    verification_notification: '',
    verify_email: '',
    device_key: '',
    broadcasting_auth: '',
    broadcasting_user_auth: '',
  },
  redirect: { on_login: false, on_logout: false, on_auth_only: false, on_guest_only: false, if_unauthenticated: false },
  echo: {
    broadcaster: 'reverb',
    key: '-',
    host: '',
    port: null,
    scheme: 'page',
    transports: ['ws', 'wss'],
    namespace: '',
  },
  icons: { hosts: [] },
  notifications: { is_offered: false, push_key: '' },
  images: { media_host: '' },
  build_check_interval_s: 0,
};

/** Before anything was asked of a server: no configuration, no session, and nothing that could call. */
export function createNullServices(): Services {
  const state = createSource<SessionState>({ status: 'unknown' });
  const refuse = () => Promise.reject(new Error('Nothing is asked of a server while pages are rendered ahead.'));
  const session: Session = {
    get: state.get,
    subscribe: state.subscribe,
    store: () => null,
    load: refuse,
    signIn: refuse,
    signOut: refuse,
    refresh: refuse,
  };
  const silent = () => undefined;
  return {
    config,
    log: { error: silent, warn: silent, info: silent, debug: silent },
    call: refuse,
    session,
    events: createEmitter<ClientEvents>(),
    socket: { id: () => null },
  };
}
