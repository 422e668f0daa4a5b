import { ClientConfig } from '@wardline/contract/config.ts';
import { CONFIG_TEXTS } from '@wardline/contract/config-texts.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { checkConfig } from './check-config.ts';
import { ConfigProblem } from './config-problem.ts';
import { testConfig } from './testing/test-config.ts';

const minimal = { echo: { key: 'key' } };
const messageOf = (given: unknown): string => {
  try {
    checkConfig(given);
  } catch (error) {
    if (error instanceof ConfigProblem) return error.message;
    throw error;
  }
  return '';
};
const withEcho = (change: object) => ({ ...testConfig(), echo: { ...testConfig().echo, ...change } });
const withCsrf = (change: object) => ({ ...testConfig({ mode: 'cookie' }), csrf: { ...testConfig().csrf, ...change } });
const withContact = (change: object) => ({ ...testConfig(), contact: { email: null, ...change } });
const withEndpoint = (change: object) => ({ ...testConfig(), endpoints: { ...testConfig().endpoints, ...change } });
const withTarget = (change: object) => ({ ...testConfig(), redirect: { ...testConfig().redirect, ...change } });

describe('checkConfig', () => {
  it('CFG-5 what a configuration does not name has the usual address, name or mode', () => {
    expect(checkConfig(minimal)).toMatchObject({
      product_name: 'Wardline',
      base_url: '',
      mode: 'cookie',
      retry: 'once',
      csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN' },
      endpoints: {
        csrf: '/sanctum/csrf-cookie',
        login: '/login',
        logout: '/logout',
        user: '/api/user',
        register: '/register',
        forgot_password: '/forgot-password',
        reset_password: '/reset-password',
        verification_notification: '/email/verification-notification',
        verify_email: '/verify-email',
        device_key: '',
        broadcasting_auth: '/broadcasting/auth',
        broadcasting_user_auth: '/broadcasting/user-auth',
      },
      redirect: { on_auth_only: '/sign-in', if_unauthenticated: true },
      echo: { broadcaster: 'reverb', scheme: 'page', transports: ['ws', 'wss'], namespace: 'App.Events' },
      build_check_interval_s: 3600,
    });
    expect(checkConfig({ ...minimal, redirect: { on_login: false } }).redirect.on_login).toBe(false);
    expect(checkConfig({ ...minimal, firestore: {} }).firestore?.cache_size_bytes).toBe(41_943_040);
  });

  it.each([
    ['`echo.port` is 70000; allowed: a whole number from 1 to 65535', withEcho({ port: 70_000 })],
    ['`echo.port` is 0; allowed: a whole number from 1 to 65535', withEcho({ port: 0 })],
    [
      '`echo.transports.0` is "xhr_polling"; allowed: a list of ws, wss or both',
      withEcho({ transports: ['xhr_polling'] }),
    ],
    ['`echo.transports` is []; allowed: a list of ws, wss or both', withEcho({ transports: [] })],
    ['`echo.host` is "wss://ward.test"; allowed: a host name without', withEcho({ host: 'wss://ward.test' })],
    ['`echo.key` is missing; allowed: the key of the realtime app', {}],
    ['`echo` is "reverb"; allowed: an object', { echo: 'reverb' }],
    ['`mode` is "basic"; allowed: cookie or token', { ...minimal, mode: 'basic' }],
    ['`retry` is 3; allowed: off or once', { ...minimal, retry: 3 }],
    ['`base_url` is "javascript:1"; allowed: an http or https address', { ...minimal, base_url: 'javascript:1' }],
    ['`redirect.on_login` is "//evil.test"; allowed: a path', withTarget({ on_login: '//evil.test' })],
    ['`endpoints.login` is "login"; allowed: a path', withEndpoint({ login: 'login' })],
    ['`endpoints.register` is "//evil.test"; allowed: a path', withEndpoint({ register: '//evil.test' })],
    ['`endpoints.forgot_password` is "forgot"; allowed: a path', withEndpoint({ forgot_password: 'forgot' })],
    ['`endpoints.reset_password` is 7; allowed: a path', withEndpoint({ reset_password: 7 })],
    ['`endpoints.verification_notification` is', withEndpoint({ verification_notification: 'https://evil.test/' })],
    ['`endpoints.verify_email` is "/a b"; allowed: a path', withEndpoint({ verify_email: '/a b' })],
    ['`images.media_host` is "http://a/b"; allowed: an origin', { ...minimal, images: { media_host: 'http://a/b' } }],
    ['`build_check_interval_s` is -1; allowed: a number from 0', { ...minimal, build_check_interval_s: -1 }],
    ['`product_name` is ""; allowed: a text', { ...minimal, product_name: '' }],
    ['`config.json` is "<!doctype html>"; allowed: an object', '<!doctype html>'],
  ])('CFG-1 names the key, the value and what is allowed: %s', (text, given) => {
    expect(messageOf(given)).toContain(text);
  });

  it('CFG-1 every key has its words, and no words are left of a key that is gone', () => {
    const leaves = (schema: object, path: string): string[] => {
      const { properties } = schema as { properties?: Record<string, object> };
      if (properties === undefined) return [path];
      return Object.entries(properties).flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`));
    };
    expect(leaves(z.toJSONSchema(ClientConfig, { io: 'input' }), '').sort()).toEqual(Object.keys(CONFIG_TEXTS).sort());
  });

  it('CFG-1 names all that is wrong at once, each key in a line, and cuts a long value', () => {
    const lines = messageOf({ mode: 'x', sign_up: 'y'.repeat(5000), csrf: { cookie: '' } }).split('\n');
    expect(lines.map((line) => line.split(' is ')[0])).toEqual(['`mode`', '`echo.key`', '`sign_up`']);
    expect(lines.every((line) => line.length < 160)).toBe(true);
  });

  it('CFG-2 another broadcaster is refused by its name, and pusher over http', () => {
    expect(messageOf(withEcho({ broadcaster: 'ably' })).split('\n')).toEqual([
      'Unsupported broadcaster: ably',
      '`echo.broadcaster` is "ably"; allowed: reverb or pusher',
    ]);
    expect(messageOf(withEcho({ broadcaster: 'pusher', scheme: 'http' })).split('\n')).toEqual([
      'Pusher requires a secure connection (schema: "https")',
      '`echo.scheme` is "http"; allowed: http (with reverb only), https or page',
    ]);
    expect(messageOf(withEcho({ broadcaster: 'pusher', scheme: 'https' }))).toBe('');
  });

  it.each([
    ['`sanctum.csrf.cookie` is not defined', withCsrf({ cookie: '' })],
    ['`sanctum.csrf.cookie` is not defined', withCsrf({ cookie: null })],
    ['`sanctum.csrf.header` is not defined', withCsrf({ header: '' })],
    ['`sanctum.endpoints.user` is not defined', withEndpoint({ user: '' })],
    ['`sanctum.endpoints.user` is not defined', withEndpoint({ user: null })],
    ['`sanctum.redirect.onLogin` is not defined', withTarget({ on_login: null })],
    ['`sanctum.redirect.onLogout` is not defined', withTarget({ on_logout: '' })],
    ['`sanctum.redirect.onAuthOnly` is not defined', withTarget({ on_auth_only: null })],
    ['`sanctum.redirect.onGuestOnly` is not defined', withTarget({ on_guest_only: null })],
  ])('CFG-3 what a mode needs and is left empty is named: %s', (sentence, given) => {
    expect(messageOf(given).split('\n')[0]).toBe(sentence);
  });

  it('CFG-3 token mode needs no names for CSRF, and no mode an address that may never be asked', () => {
    expect(messageOf({ ...withCsrf({ cookie: '', header: '' }), mode: 'token' })).toBe('');
    expect(messageOf(withEndpoint({ csrf: '', login: '' }))).toBe('');
  });

  it.each([-1, 1_048_576, 41_943_040])('CFG-4 a Firestore cache of %i bytes is allowed', (size) => {
    expect(messageOf({ ...minimal, firestore: { cache_size_bytes: size } })).toBe('');
  });

  it.each([0, -2, 1_048_575, 1_048_576.5, '2000000'])('CFG-4 a Firestore cache of %s bytes is not', (size) => {
    expect(messageOf({ ...minimal, firestore: { cache_size_bytes: size } }).split('\n')[0]).toBe(
      'cacheSizeBytes must be at least 1048576',
    );
  });

  it.each([
    ['', 5],
    ['', 12.5],
    ['', 30],
    ['invalid long polling timeout: 4.9 (minimum allowed value is 5)', 4.9],
    ['invalid long polling timeout: 30.1 (maximum allowed value is 30)', 30.1],
    ['invalid long polling timeout: NaN (must not be NaN)', Number.NaN],
  ])('CFG-4 long polling waits 5 to 30 s, both inclusive: "%s" for %d', (sentence, seconds) => {
    const given = { ...minimal, firestore: { long_polling_timeout_s: seconds } };
    expect(messageOf(given).split('\n')[0]).toBe(sentence);
  });

  it.each([
    ['', { latitude: -90, longitude: -180 }],
    ['', { latitude: 90, longitude: 180 }],
    ['Latitude must be a number between -90 and 90, but was: 90.000001', { latitude: 90.000001 }],
    ['Latitude must be a number between -90 and 90, but was: NaN', { latitude: Number.NaN }],
    ['Longitude must be a number between -180 and 180, but was: -181', { longitude: -181 }],
    ['Longitude must be a number between -180 and 180, but was: Infinity', { longitude: Number.POSITIVE_INFINITY }],
  ])('CFG-4 bounds of a place are inclusive and finite: "%s"', (sentence, place) => {
    expect(messageOf(withContact(place)).split('\n')[0]).toBe(sentence);
  });
});
