import { loadConfigFromFile } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';
import { inRoot } from './lib/paths.mjs';

afterEach(() => vi.unstubAllEnvs());

async function proxyTargets() {
  const command = { command: 'serve', mode: 'development' };
  const { config } = await loadConfigFromFile(command, inRoot('apps', 'web', 'vite.config.ts'), inRoot('apps', 'web'));
  return [...new Set(Object.values(config.server.proxy).map(({ target }) => target))];
}

test('F-C9 the dev server of the client passes the API on to the port of PORT', async () => {
  vi.stubEnv('PORT', '9471');
  expect(await proxyTargets()).toEqual(['http://127.0.0.1:9471']);
});

test('F-C9 the dev server of the client uses 8080 where PORT is not set', async () => {
  vi.stubEnv('PORT', undefined);
  expect(await proxyTargets()).toEqual(['http://127.0.0.1:8080']);
});
