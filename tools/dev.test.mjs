import { loadConfigFromFile } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';
import { inRoot } from './lib/paths.mjs';

afterEach(() => vi.unstubAllEnvs());

async function proxy() {
  const command = { command: 'serve', mode: 'development' };
  const { config } = await loadConfigFromFile(command, inRoot('apps', 'web', 'vite.config.ts'), inRoot('apps', 'web'));
  return config.server.proxy;
}

const proxyTargets = async () => [...new Set(Object.values(await proxy()).map(({ target }) => target))];

test('F-C9 the dev server of the client passes the API on to the port of PORT', async () => {
  vi.stubEnv('PORT', '9471');
  expect(await proxyTargets()).toEqual(['http://127.0.0.1:9471']);
});

test('F-C9 the dev server of the client uses 8080 where PORT is not set', async () => {
  vi.stubEnv('PORT', undefined);
  expect(await proxyTargets()).toEqual(['http://127.0.0.1:8080']);
});

test('F-L6 the dev server of the client passes on what the back end answers, and serves the page at the same address', async () => {
  const { '^/': rest } = await proxy();
  const isPassedOn = (method, url) => rest.bypass({ method, url }) === undefined;
  const back = ['POST /forgot-password', 'POST /register', 'GET /verify-email/1/2?expires=3', 'GET /config.json?1'];
  const own = [
    'GET /forgot-password',
    'GET /verify-email?link=invalid',
    'GET /src/app/boot/main.tsx',
    'GET /',
    'GET /sw.js',
  ];
  expect(back.filter((line) => !isPassedOn(...line.split(' ')))).toEqual([]);
  expect(own.filter((line) => isPassedOn(...line.split(' ')))).toEqual([]);
});
