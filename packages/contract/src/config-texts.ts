import { isLeftEmpty } from './config.ts';

/** What a key of the configuration may be; some have a sentence of their own for a wrong value, which is fixed. */
export interface ConfigTexts {
  readonly allowed: string;
  readonly sentence?: (value: unknown) => string | null;
}

const A_TEXT: ConfigTexts = { allowed: 'a text' };
const PATH = 'a path that begins with one slash';
const ADDRESS: ConfigTexts = { allowed: PATH };

function whenEmpty(allowed: string, option: string): ConfigTexts {
  return { allowed, sentence: (value) => (isLeftEmpty(value) ? `\`sanctum.${option}\` is not defined` : null) };
}

function degrees(name: string, most: number): ConfigTexts {
  return {
    allowed: `a number from -${most} to ${most}, or null`,
    sentence: (value) => `${name} must be a number between -${most} and ${most}, but was: ${value}`,
  };
}

function pollingSentence(value: unknown): string {
  const why =
    typeof value !== 'number' || Number.isNaN(value)
      ? 'must not be NaN'
      : value < 5
        ? 'minimum allowed value is 5'
        : 'maximum allowed value is 30';
  return `invalid long polling timeout: ${value} (${why})`;
}

/** Every key of the configuration in words (CFG-1). Apart from the schema, since a client rarely needs them. */
export const CONFIG_TEXTS: Readonly<Record<string, ConfigTexts>> = {
  product_name: A_TEXT,
  base_url: { allowed: 'an http or https address, or empty for the origin of the page' },
  mode: { allowed: 'cookie or token' },
  retry: { allowed: 'off or once' },
  'csrf.cookie': whenEmpty('the name of a cookie', 'csrf.cookie'),
  'csrf.header': whenEmpty('the name of a header', 'csrf.header'),
  'endpoints.csrf': ADDRESS,
  'endpoints.login': ADDRESS,
  'endpoints.logout': ADDRESS,
  'endpoints.user': whenEmpty(PATH, 'endpoints.user'),
  'endpoints.token': ADDRESS,
  'endpoints.register': ADDRESS,
  'endpoints.forgot_password': ADDRESS,
  'endpoints.reset_password': ADDRESS,
  'endpoints.verification_notification': ADDRESS,
  'endpoints.verify_email': ADDRESS,
  'endpoints.device_key': ADDRESS,
  'endpoints.broadcasting_auth': ADDRESS,
  'endpoints.broadcasting_user_auth': ADDRESS,
  'redirect.on_login': whenEmpty(`${PATH}, or false`, 'redirect.onLogin'),
  'redirect.on_logout': whenEmpty(`${PATH}, or false`, 'redirect.onLogout'),
  'redirect.on_auth_only': whenEmpty(`${PATH}, or false`, 'redirect.onAuthOnly'),
  'redirect.on_guest_only': whenEmpty(`${PATH}, or false`, 'redirect.onGuestOnly'),
  'redirect.if_unauthenticated': { allowed: 'true or false' },
  'echo.broadcaster': { allowed: 'reverb or pusher', sentence: (value) => `Unsupported broadcaster: ${value}` },
  'echo.key': { allowed: 'the key of the realtime app' },
  'echo.host': { allowed: 'a host name without scheme and port, or empty for that of the page' },
  'echo.port': { allowed: 'a whole number from 1 to 65535, or null for that of the page or the scheme' },
  'echo.scheme': {
    allowed: 'http (with reverb only), https or page',
    sentence: (value) => (value === 'http' ? 'Pusher requires a secure connection (schema: "https")' : null),
  },
  'echo.transports': { allowed: 'a list of ws, wss or both' },
  'echo.namespace': A_TEXT,
  'icons.hosts': { allowed: 'a list of addresses, each a path or an http or https address' },
  'images.media_host': { allowed: 'an origin, https://media.example.org, or empty for none' },
  'notifications.is_offered': { allowed: 'true or false' },
  'passkeys.is_offered': { allowed: 'true or false' },
  sso: { allowed: 'a list of providers, each with id and label' },
  'notifications.push_key': { allowed: 'a VAPID public key, or empty' },
  'mail.is_sent': { allowed: 'true or false' },
  build_check_interval_s: { allowed: 'a number from 0 to 86400' },
  sign_up: { allowed: 'open or invitation' },
  'contact.email': { allowed: 'an email address, or null' },
  'contact.latitude': degrees('Latitude', 90),
  'contact.longitude': degrees('Longitude', 180),
  'firestore.cache_size_bytes': {
    allowed: 'a whole number from 1048576, or -1',
    sentence: () => 'cacheSizeBytes must be at least 1048576',
  },
  'firestore.long_polling_timeout_s': { allowed: 'a number from 5 to 30', sentence: pollingSentence },
};
