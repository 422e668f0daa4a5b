import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, isLoopback, readConfig, SECRET_NAMES, SETTING_NAMES } from './read-config.ts';

describe('the settings', () => {
  test('OPS-4 docs/configuration.md explains exactly the settings there are, and marks the secrets', () => {
    const doc = readFileSync(path.join(import.meta.dirname, '../../../../../docs/configuration.md'), 'utf8');
    const rows = [...doc.matchAll(/^\| `([A-Z_]+)`( \*secret\*)? \|/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual([...SETTING_NAMES].sort());
    expect(rows.filter(([, , mark]) => mark).map(([, name]) => name)).toEqual([...SECRET_NAMES]);
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

  test('OPS-4 a secret may come as a file; a file that cannot be read is an error', () => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'wardline-config-')), 'key');
    writeFileSync(file, `${'k'.repeat(40)}\n`);
    expect(readConfig({ WARDLINE_APP_KEY_FILE: file }).appKey).toBe('k'.repeat(40));
    expect(() => readConfig({ WARDLINE_APP_KEY_FILE: `${file}.not` })).toThrow('WARDLINE_APP_KEY_FILE');
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
