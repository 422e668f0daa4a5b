import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, isLoopback, readConfig, SECRET_NAMES, SETTING_NAMES } from './read-config.ts';

describe('the settings', () => {
  test('OPS-4 docs/configuration.md explains exactly the settings there are, and marks the secrets', () => {
    const doc = readFileSync(path.join(import.meta.dirname, '../../../../../docs/configuration.md'), 'utf8');
    const rows = [...doc.matchAll(/^\| `([A-Z0-9_]+)`( \*secret\*)? \|/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual([...SETTING_NAMES].sort());
    expect(rows.filter(([, , mark]) => mark).map(([, name]) => name)).toEqual([...SECRET_NAMES]);
  });

  test('OPS-7 the files to deploy with name settings that there are', () => {
    const folder = path.join(import.meta.dirname, '../../../../../deploy');
    const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
    const named = texts.join('\n').match(/\b(?:WARDLINE|S3)_[A-Z0-9_]+|\bDATABASE_URL\w*/g) ?? [];
    const known = new Set<string>([...SETTING_NAMES, ...SECRET_NAMES.map((name) => `${name}_FILE`)]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test('OPS-1 have defaults that serve the loopback only', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8080, publicUrl: null, databaseUrl: null });
  });

  test('OPS-4 every wrong key is named at once', () => {
    const wrong = { PORT: '70000', WARDLINE_PUBLIC_URL: 'chat.example', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' };
    const read = () => readConfig(wrong);
    expect(read).toThrow(ConfigError);
    for (const name of Object.keys(wrong)) expect(read).toThrow(name);
  });

  test('OPS-5 several servers have one database and one set of secrets, and say which is missing', () => {
    const one = { REDIS_URL: 'redis://127.0.0.1:6379' };
    for (const name of ['DATABASE_URL', 'WARDLINE_APP_KEY', 'WARDLINE_REALTIME_SECRET']) {
      expect(() => readConfig(one)).toThrow(`${name}: is needed beside REDIS_URL`);
    }
    const secrets = { WARDLINE_APP_KEY: 'a'.repeat(32), WARDLINE_REALTIME_SECRET: 'b'.repeat(32) };
    const config = readConfig({ ...one, ...secrets, DATABASE_URL: 'postgres://owner@127.0.0.1/wardline' });
    expect(config.redisUrl).toBe(one.REDIS_URL);
    expect(() => readConfig({ REDIS_URL: 'http://127.0.0.1:6379' })).toThrow('REDIS_URL: does not start with redis://');
    expect(() => readConfig({ REDIS_URL: 'redis://:p#w@127.0.0.1' })).toThrow('REDIS_URL: is not an address');
  });

  test('RT-2 OPS-4 a Pusher application has an id, a key and a secret, and webhooks go by https on its own port', () => {
    const app = {
      WARDLINE_PUSHER_APP_ID: '1',
      WARDLINE_PUSHER_APP_KEY: 'k',
      WARDLINE_PUSHER_APP_SECRET: 's'.repeat(32),
    };
    const webhooks = 'https://app.example/a, https://app.example/b?c=d';
    expect(readConfig({}).pusherApp).toBe(null);
    expect(readConfig(app).pusherApp).toEqual({ id: '1', key: 'k', secret: 's'.repeat(32), webhooks: [] });
    expect(readConfig({ ...app, WARDLINE_PUSHER_WEBHOOKS: webhooks }).pusherApp?.webhooks).toEqual(
      webhooks.split(', '),
    );
    for (const name of Object.keys(app)) {
      expect(() => readConfig({ ...app, [name]: undefined })).toThrow(`${name}: is needed beside`);
    }
    expect(() => readConfig({ WARDLINE_PUSHER_WEBHOOKS: webhooks })).toThrow('WARDLINE_PUSHER_APP_SECRET');
  });

  test.each([
    ['WARDLINE_LOCATION', '90.1,0'],
    ['WARDLINE_LOCATION', '-90.0001,0'],
    ['WARDLINE_LOCATION', '0,180.5'],
    ['WARDLINE_LOCATION', 'Infinity,0'],
    ['WARDLINE_LOCATION', '1e1,0'],
    ['WARDLINE_LOCATION', '48.2'],
    ['WARDLINE_PUSHER_WEBHOOKS', 'http://app.example/a'],
    ['WARDLINE_PUSHER_WEBHOOKS', 'https://app.example:8443/a'],
    ['WARDLINE_PUSHER_WEBHOOKS', 'https://user:password@app.example/a'],
    ['WARDLINE_PUSHER_APP_KEY', 'a/b'],
    ['WARDLINE_PUSHER_APP_SECRET', 'too short'],
    ['WARDLINE_MAIL_URL', 'http://mail.example'],
    ['WARDLINE_MAIL_URL', 'smtp://mail.example?tls.rejectUnauthorized=false'],
    ['WARDLINE_MAIL_URL', 'smtp://'],
    ['WARDLINE_MAIL_FROM', 'two@ward.example, three@ward.example'],
    ['WARDLINE_MAIL_FROM', 'Ward <a@b> <c@d>'],
    ['WARDLINE_OPERATOR_EMAIL', 'nobody'],
    ['WARDLINE_CONTACT_EMAIL', 'Ward <ward@ward.example>'],
    ['WARDLINE_SECURITY_CONTACT', 'security@ward.example'],
    ['WARDLINE_SECURITY_CONTACT', 'https://ward.example/\r\nContact: mailto:other@ward.example'],
    ['WARDLINE_SIGN_UP', 'closed'],
    ['WARDLINE_MEDIA_HOST', 'http://media.example'],
    ['WARDLINE_MEDIA_HOST', 'https://media.example/'],
    ['WARDLINE_MEDIA_HOST', 'https://media.example:8443'],
    ['WARDLINE_ICON_SERVICE', 'https://user@icons.example'],
    ['WARDLINE_ICON_SERVICE', 'https://icons.example/?a'],
    ['WARDLINE_ICON_SERVICE', 'https://icons.example/set/'],
    ['WARDLINE_CLIENT_ORIGINS', 'https://one.example, https://two.example/path'],
    ['WARDLINE_CLIENT_ORIGINS', '*'],
    ['WARDLINE_CLIENT_ORIGINS', 'null'],
    ['WARDLINE_BUILD_CHECK_INTERVAL', '-1'],
    ['WARDLINE_CLAMD', 'clamd.example:3310'],
    ['WARDLINE_CLAMD', 'tcp://clamd.example'],
    ['WARDLINE_CLAMD', 'tcp://clamd.example:3310/x'],
    ['WARDLINE_CLAMD', 'unix:clamd.ctl'],
    ['S3_ENDPOINT', 'http://storage.example'],
    ['S3_ENDPOINT', 'https://key@storage.example'],
    ['S3_ENDPOINT', 'https://storage.example/'],
    ['DATABASE_URL', 'postgres://owner:p#w@127.0.0.1:5432/wardline'],
    ['DATABASE_URL', 'postgres://owner:p/w@127.0.0.1:5432/wardline'],
    ['S3_BUCKET', 'Ward_Files'],
    ['S3_PREFIX', '../up/'],
    ['S3_PREFIX', 'no-slash'],
    ['S3_PATH_STYLE', 'yes'],
  ])('OPS-4 %s is refused as %s, in words that do not repeat it', (name, value) => {
    const read = () => readConfig({ WARDLINE_MAIL_FROM: 'ward@ward.example', [name]: value });
    expect(read).toThrow(name);
    expect(read).not.toThrow(value);
  });

  test('OPS-4 mail, place, hosts and origins are read as they are meant', () => {
    const config = readConfig({
      WARDLINE_MAIL_URL: 'smtps://user:p%40ss@mail.example:2465',
      WARDLINE_MAIL_FROM: 'Ward  talk <no-reply@ward.example>',
      WARDLINE_LOCATION: '-90, 180.0',
      WARDLINE_MEDIA_HOST: 'https://media.example',
      WARDLINE_ICON_SERVICE: 'https://icons.example/sets',
      WARDLINE_CLIENT_ORIGINS: 'https://one.example, http://localhost:5173',
      WARDLINE_BUILD_CHECK_INTERVAL: '0',
      WARDLINE_SIGN_UP: 'open',
    });
    expect(config).toMatchObject({
      mailUrl: 'smtps://user:p%40ss@mail.example:2465',
      mailFrom: { name: 'Ward  talk', address: 'no-reply@ward.example' },
      location: { latitude: -90, longitude: 180 },
      mediaHost: 'https://media.example',
      iconService: 'https://icons.example/sets',
      clientOrigins: ['https://one.example', 'http://localhost:5173'],
      buildCheckIntervalS: 0,
      signUp: 'open',
    });
  });

  const provider = { id: 'hospital', label: 'Ward', issuer: 'https://login.example/staff', client_id: 'wardline' };
  const readProviders = (...given: object[]) => readConfig({ WARDLINE_OIDC: JSON.stringify(given) }).oidc;

  test('ACC-4 sign-in providers are a list; what is left out has a default that lets nobody in by itself', () => {
    expect(readConfig({}).oidc).toEqual([]);
    const groups = { nurses: [{ facility: 'SM', role: 'Clinician' }] };
    expect(readProviders({ ...provider, groups })).toEqual([
      {
        ...{ ...provider, groups, scopes: 'openid email profile', email_verified_claim: 'email_verified' },
        ...{ groups_claim: 'groups', create_accounts: false, second_factor_amr: [], second_factor_acr: [] },
      },
    ]);
    expect(readProviders({ ...provider, issuer: 'http://127.0.0.1:8080/realms/staff' })).toHaveLength(1);
  });

  test.each([
    ['no JSON', '[{"client_secret": "very secret",]'],
    ['no list', { ...provider }],
    ['an unknown key', [{ ...provider, client_secrets: 'very secret' }]],
    ['an issuer without https', [{ ...provider, issuer: 'http://login.example', client_secret: 'very secret' }]],
    ['an issuer with a query', [{ ...provider, issuer: 'https://login.example/?very=secret' }]],
    ['an id that does not fit an address', [{ ...provider, id: 'very secret' }]],
    ['one id twice', [provider, { ...provider, issuer: 'https://other.example' }]],
    ['one issuer twice', [provider, { ...provider, id: 'other' }]],
    ['a short secret', [{ ...provider, client_secret: 'secret' }]],
    ['scopes without openid', [{ ...provider, scopes: 'email' }]],
    ['a group that gives what is no role', [{ ...provider, groups: { nurses: [{ facility: 'very secret' }] } }]],
  ])('ACC-4 A45 refuses %s, in words that repeat no secret', (_name, given) => {
    const read = () => readConfig({ WARDLINE_OIDC: typeof given === 'string' ? given : JSON.stringify(given) });
    expect(read).toThrow('WARDLINE_OIDC');
    expect(read).not.toThrow('very secret');
  });

  test('CHAT-14 a scanner listens on a port or on a socket of this machine', () => {
    const read = (text: string) => readConfig({ WARDLINE_CLAMD: text }).clamd;
    expect(read('tcp://clamd.example:3310')).toEqual({ host: 'clamd.example', port: 3310 });
    expect(read('tcp://[::1]:3310')).toEqual({ host: '::1', port: 3310 });
    expect(read('unix:/run/clamav/clamd.ctl')).toEqual({ path: '/run/clamav/clamd.ctl' });
    expect(readConfig({}).clamd).toBeNull();
  });

  test('OPS-5 a bucket needs its keys; Amazon is asked by the name of the bucket, a service of one’s own by its path', () => {
    const key = { S3_ACCESS_KEY_ID: 'AKIDEXAMPLE', S3_SECRET_ACCESS_KEY: 'very secret' };
    expect(() => readConfig({ S3_BUCKET: 'ward-files' })).toThrow(/S3_ACCESS_KEY_ID.*S3_SECRET_ACCESS_KEY/s);
    expect(readConfig({ ...key }).s3).toBeNull();
    expect(readConfig({ ...key, S3_BUCKET: 'ward-files', S3_REGION: 'eu-central-1' }).s3).toEqual({
      ...{
        bucket: 'ward-files',
        region: 'eu-central-1',
        endpoint: 'https://s3.eu-central-1.amazonaws.com',
        prefix: '',
      },
      ...{ pathStyle: false, accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'very secret' },
    });
    const own = { S3_ENDPOINT: 'https://s3.ward.example:9000', S3_BUCKET: 'ward-files', S3_PREFIX: 'wardline/' };
    expect(readConfig({ ...key, ...own }).s3).toMatchObject({ pathStyle: true, prefix: 'wardline/' });
    expect(readConfig({ ...key, ...own, S3_PATH_STYLE: 'false' }).s3?.pathStyle).toBe(false);
    expect(readConfig({ ...key, ...own, S3_ENDPOINT: 'http://127.0.0.1:9000' }).s3?.endpoint).toBe(
      'http://127.0.0.1:9000',
    );
  });

  test('OPS-4 a mail server without a sender is refused, and the refusal does not show its password', () => {
    const read = () => readConfig({ WARDLINE_MAIL_URL: 'smtps://user:secret@mail.example' });
    expect(read).toThrow('WARDLINE_MAIL_FROM: is needed beside WARDLINE_MAIL_URL');
    expect(read).not.toThrow('secret');
  });

  test.each([
    ['LOG_LEVEL', 'loud', 'is none of fatal, error, warn, info, debug, silent'],
    ['WARDLINE_BACKUP_DAYS', '400', 'is not from 0 to 365'],
    ['WARDLINE_BACKUP_KEY', 'short', 'needs 32 characters or more'],
    ['WARDLINE_DEMO_PASSWORD', 'short', 'needs 15 characters or more'],
    ['WARDLINE_PRODUCT_NAME', 'n'.repeat(41), 'is longer than 40 characters'],
    ['WARDLINE_SIGN_UP', 'closed', 'is none of open, invitation'],
  ])('OPS-4 %s=%s says what is wrong with it', (name, value, wrong) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${wrong}`);
  });

  test('OPS-4 a secret may come as a file; a file that cannot be read is an error', () => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'wardline-config-')), 'key');
    writeFileSync(file, `${'k'.repeat(40)}\n`);
    expect(readConfig({ WARDLINE_APP_KEY_FILE: file }).appKey).toBe('k'.repeat(40));
    expect(() => readConfig({ WARDLINE_APP_KEY_FILE: `${file}.not` })).toThrow(
      `WARDLINE_APP_KEY_FILE names a file that cannot be read: ${file}.not (ENOENT).`,
    );
    // Only secrets are read from files.
    expect(readConfig({ HOST_FILE: file }).host).toBe('127.0.0.1');
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.4', false],
  ['127.0.0.1.evil.example', false],
])('OPS-1 %s is reached by this machine only: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
