import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BACK_END_ADDRESSES, backEndAddresses, isOfBackEnd } from '@wardline/contract/back-end-addresses.ts';
import { ClientConfig } from '@wardline/contract/config.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { nginxMap } from '@wardline/contract/nginx-map.ts';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../../..');
const ROUTES = path.join(ROOT, 'apps/web/src/routes');
const recipe = readFileSync(path.join(ROOT, 'docs/laravel.md'), 'utf8');

const moved = ClientConfig.parse({
  echo: { key: 'k' },
  endpoints: {
    csrf: '/auth/csrf',
    login: '/auth/login',
    logout: '/auth/logout',
    user: '/auth/me',
    token: '/auth/token',
    register: '/auth.php/join?from=client',
    forgot_password: '/auth/forgot/',
    reset_password: '/auth/reset',
    verification_notification: '/auth/again',
    verify_email: '/auth/verify',
    device_key: '/auth/device',
    broadcasting_auth: '/auth/channels',
    broadcasting_user_auth: '/auth/sockets',
  },
}).endpoints;

/** The addresses of the client's pages, from the files of its routes. */
const pages = readdirSync(ROUTES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !path.basename(file).startsWith('__'))
  .map((file) => {
    const steps = file.replace(/\.tsx$/, '').split(/[./\\]/);
    return `/${steps.filter((step) => !step.startsWith('_') && step !== 'index' && step !== 'route').join('/')}`;
  });

it('F-L6 the list has every operation of the contract', () => {
  const missing = endpoints.filter(({ method, path: place }) => !isOfBackEnd(BACK_END_ADDRESSES, method, place));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

it('F-L6 no page of the client is taken from it, though the API has the address of one for another method', () => {
  expect(pages).toContain('/forgot-password');
  expect(pages).toContain('/verify-email');
  expect(pages.filter((page) => isOfBackEnd(BACK_END_ADDRESSES, 'GET', page))).toEqual([]);
  expect(isOfBackEnd(BACK_END_ADDRESSES, 'POST', '/forgot-password')).toBe(true);
  expect(isOfBackEnd(BACK_END_ADDRESSES, 'GET', '/verify-email/1/2')).toBe(true);
});

it.each(['/apis', '/login/help', '/icons.css', '/', '/sign-in', '/assets/api.js'])(
  'F-L6 %s is no address of it',
  (place) => {
    expect(['GET', 'POST'].filter((method) => isOfBackEnd(BACK_END_ADDRESSES, method, place))).toEqual([]);
  },
);

it('F-L6 pictures and icons that the pages ask for are passed on', () => {
  const asked = [
    '/_img/w_80/photo.jpg',
    '/icons/_nuxt_icon/lucide.json',
    '/storage/avatars/x',
    '/api/user/',
    '/login/',
  ];
  expect(
    asked.filter((place) => !isOfBackEnd(BACK_END_ADDRESSES, place === '/login/' ? 'POST' : 'GET', place)),
  ).toEqual([]);
});

it('F-L6 the recipe of docs/laravel.md is made from the list', () => {
  expect(recipe).toContain(`\`\`\`nginx\n${nginxMap(BACK_END_ADDRESSES)}\n\nserver {`);
});

it.each([
  ['a configuration that names none', BACK_END_ADDRESSES],
  ['others', backEndAddresses(moved)],
])('F-L6 the map of nginx splits as the list does, with the addresses of %s', (_which, addresses) => {
  const patterns = [...nginxMap(addresses).matchAll(/^ {2}"~(\^.*)" 1;$/gm)].map(
    ([, pattern = '']) => new RegExp(pattern),
  );
  const isPassedOn = (method: string, place: string) => patterns.some((pattern) => pattern.test(`${method} ${place}`));
  const places = [
    ...pages,
    ...addresses.flatMap(({ path: place }) => [place, `${place}/`, `${place}/x`, `${place}x`, place.replace('.', 'x')]),
  ];
  for (const place of places) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect(isPassedOn(method, place), `${method} ${place}`).toBe(isOfBackEnd(addresses, method, place));
    }
  }
});

it('F-L6 every configured address is passed on by its method, and the page at the address of another is not', () => {
  const addresses = backEndAddresses(moved);
  const { verify_email, csrf, user, device_key, ...posts } = moved;
  for (const [name, place] of Object.entries(posts))
    expect([name, isOfBackEnd(addresses, 'POST', place.replace(/\?.*/, ''))]).toEqual([name, true]);
  for (const place of [csrf, user, device_key, `${verify_email}/7/abc`])
    expect(isOfBackEnd(addresses, 'GET', place)).toBe(true);
  expect(isOfBackEnd(addresses, 'GET', moved.forgot_password)).toBe(false);
  expect(isOfBackEnd(addresses, 'GET', verify_email)).toBe(false);
  expect(isOfBackEnd(addresses, 'POST', '/forgot-password')).toBe(false);
});

it('F-L6 nginx-map.mjs prints the map of a configuration, and refuses one that is wrong', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wardline-nginx-map-'));
  const file = path.join(folder, 'config.json');
  const print = () => spawnSync(process.execPath, [path.join(ROOT, 'tools/nginx-map.mjs'), file], { encoding: 'utf8' });
  try {
    writeFileSync(file, JSON.stringify({ echo: { key: 'k' }, endpoints: { login: '/auth.php/login' } }));
    expect(print().stdout).toContain('POST /(auth\\.php/login|logout|');
    writeFileSync(file, JSON.stringify({ echo: { key: 'k' }, endpoints: { login: 'login' } }));
    expect(print()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('`endpoints.login` is "login"; allowed: a path'),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
